"""Commands whose output nobody reads any more, as before `| head`, end at once and without a word."""

import os
import subprocess
import sys

import pytest

from tests.tournaments.ops.launcher.processes import ROOT, bare_environment

COMMANDS = [
    *(["manage.py", "help"], ["manage.py", "migrate", "--help"], ["manage.py", "boardroom", "--help"]),
    ["-m", "bots.command", "schema", "network"],
    *(["-m", module, "--help"] for module in ("engine.verify", "engine.luck", "tournaments.ratings")),
    ["-m", "tournaments.audit", "--help"],
]


@pytest.mark.parametrize("buffered", ["", "1"], ids=["buffered", "at once"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_unread_command_ends_without_a_word(command: list[str], buffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environment = bare_environment(PYTHONUNBUFFERED=buffered)
    run = [sys.executable, *command]
    done = subprocess.run(run, check=False, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, env=environment)
    os.close(writer)
    assert done.returncode
    assert not any(words in done.stderr for words in (b"Traceback", b"Broken pipe", b"Exception"))


def test_a_broken_pipe_that_is_not_the_output_is_told() -> None:
    broken = "def main():\n    raise BrokenPipeError('a socket')\n"
    code = f"import manage\n{broken}manage.main = main\nmanage.run_command()\n"
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.endswith("BrokenPipeError: a socket\n")
