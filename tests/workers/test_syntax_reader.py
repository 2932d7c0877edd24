"""Strangers' sources are parsed in a process that can do nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from bots.syntax import SyntaxFault
from workers import syntax_reader
from workers.syntax_reader import read_apart

ROOT = Path(__file__).parents[2]


def test_the_reader_says_what_the_parser_says() -> None:
    assert read_apart("bot.py", {"bot.py": b"x = 1\nx = = 2\n"}) == SyntaxFault("bot.py", 2, "invalid syntax")
    later = {"bot.py": b"def f():\n    import more\n", "more.py": b"x = = 2\n"}
    assert read_apart("bot.py", later) == SyntaxFault("more.py", 1, "invalid syntax", at_start=False)
    assert read_apart("bot.py", {"bot.py": "größe = 'ß'\n".encode()}) is None


@pytest.mark.parametrize(
    "source", [b"-" * 250_000 + b"1", b"[" * 90 + b"{" * 90, b"1" * 290_000, b"x" + b".x" * 140_000]
)
def test_a_source_made_to_exhaust_the_parser_ends_nobody(source: bytes) -> None:
    read_apart("bot.py", {"bot.py": source})


@pytest.mark.parametrize(
    "does",
    [
        "open('/etc/passwd')",
        "open('/proc/%d/environ' % os.getppid())",
        "os.listdir('/')",
        "os.fork()",
        "os.execv('/bin/true', ['true'])",
        "os.kill(os.getppid(), 0)",
        "__import__('socket').socket()",
        "bytearray(1 << 30)",
    ],
)
def test_the_reader_can_do_nothing_else(does: str) -> None:
    code = (
        f"import os, sys, socket; sys.path.insert(0, {str(ROOT)!r})\n"
        "from workers.syntax_reader import bind_process\nbind_process()\n"
    )
    code += f"try:\n    {does}\nexcept (OSError, MemoryError) as error:\n    print(type(error).__name__)\n"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip().endswith("Error"), done


def test_a_reader_that_fails_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for start in ("raise SystemExit(1)", "print('no JSON')", "import os; os.abort()", "print('[1]')"):
        monkeypatch.setattr(syntax_reader, "START", start)
        assert read_apart("bot.py", {"bot.py": b"x = = 1"}) is None


def test_nothing_of_the_site_is_in_the_readers_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://secret")
    look = "import os, json; print(json.dumps(['bot.py', 1, ' '.join(os.environ)]))"
    monkeypatch.setattr(syntax_reader, "START", look)
    fault = read_apart("bot.py", {"bot.py": b""})
    assert fault is not None
    assert "DATABASE_URL" not in fault.why
