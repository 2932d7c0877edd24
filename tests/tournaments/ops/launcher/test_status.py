"""The live status: one line that is refreshed in a terminal, a plain one now and then elsewhere."""

import io
import os

from tournaments.ops.launcher.status import StatusLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_every_change_in_one_line() -> None:
    out = Terminal()
    status = StatusLine("http://here/", out)
    status.show(1, 3, 0, "")
    status.show(5, 2, 1, "")
    assert "\n" not in out.getvalue()
    assert out.getvalue().endswith("http://here/ · 5 matches recorded · 240 a minute · 2 waiting · restarted 1")


def test_a_file_gets_a_line_now_and_then() -> None:
    out = io.StringIO()
    status = StatusLine("http://here/", out)
    for recorded in range(5):
        status.show(recorded, 0, 0, "")
    assert out.getvalue() == "http://here/ · 0 matches recorded · 0 a minute · 0 waiting\n"


def test_a_missing_database_and_a_dying_child_are_said() -> None:
    out = io.StringIO()
    StatusLine("http://here/", out).show(None, 0, 4, "recorder does not stay up")
    assert out.getvalue() == "http://here/ · the database is away · restarted 4 · recorder does not stay up\n"


def test_an_output_that_nobody_reads_any_more_is_no_error() -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "w") as out:
        status = StatusLine("http://here/", out)
        status.say("3 matches were recorded.")
        status.show(1, 2, 0, "")
