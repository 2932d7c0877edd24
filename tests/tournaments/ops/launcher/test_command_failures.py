"""What a command says when a server fails, or there is no room."""

import errno
import os
from smtplib import SMTPServerDisconnected
from socket import gaierror

import pytest
from redis import RedisError

from tournaments.ops.launcher.command_failures import failure_sentence


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (RedisError("Error 111 connecting to\nlocalhost:1."), "The broker fails: Error 111 connecting to localhost:1."),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), "A server cannot be reached: "),
        (gaierror(-2, "Name or service not known"), "A server cannot be reached: "),
        (SMTPServerDisconnected("it hung up"), "A server cannot be reached: it hung up."),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/x"), "/x cannot be used: No space left on device."),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "A file cannot be used: No space left on device."),
    ],
)
def test_what_is_no_fault_of_the_program_is_said_in_a_sentence(problem: Exception, sentence: str) -> None:
    assert failure_sentence(problem).startswith(sentence)


@pytest.mark.parametrize("problem", [ValueError("x"), BrokenPipeError(), FileNotFoundError(errno.ENOENT, "x")])
def test_other_failures_keep_their_traceback(problem: Exception) -> None:
    assert failure_sentence(problem) == ""
