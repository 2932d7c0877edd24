"""Where Python cannot read a bot, told without running it."""

import pytest

from bots.syntax import LONGEST, SyntaxFault, syntax_fault

BROKEN = b"x = 1\ndef choose(:\n"


@pytest.mark.parametrize(
    ("source", "line", "why"),
    [
        (BROKEN, 2, "invalid syntax"),
        (b"def f():\nreturn 1\n", 2, "expected an indented block"),
        (b"if 1:\n    a = 1\n\tb = 2\n", 3, "inconsistent use of tabs"),
        (b"print 'hello'\n", 1, "Missing parentheses"),
        (b"x = 1\nreturn x\n", 2, "'return' outside function"),
        (b"x = (1,\n", 1, "'(' was never closed"),
        (b"x = 'a\n", 1, "unterminated string"),
        ("x = “a”\n".encode(), 1, "invalid character"),
        (b"x = 1\r\ny = = 2\r\n", 2, "invalid syntax"),
        (b"\xef\xbb\xbfx = = 1\n", 1, "invalid syntax"),
        (b"# coding: klingon\n", 1, "encoding"),
        (b"(" * 5000, 1, "too many nested parentheses"),
        (b"def f():\n    yield\nasync def g():\n    await f(\n", 4, "'(' was never closed"),
    ],
)
def test_the_first_line_that_python_cannot_read_is_named(source: bytes, line: int, why: str) -> None:
    fault = syntax_fault("bot.py", {"bot.py": source})
    assert fault is not None
    assert (fault.path, fault.line, why in fault.why) == ("bot.py", line, True), fault


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"import no_such_module",
        b"1 / 0",
        b"x = '\\d'",
        b"-" * 100_000 + b"1",
        b"x\0",
        b"#" * (LONGEST + 1) + BROKEN,
    ],
)
def test_what_the_parser_reads_or_cannot_tell_is_no_fault(source: bytes) -> None:
    assert syntax_fault("bot.py", {"bot.py": source}) is None


IMPORTED = {
    "import more": "more.py",
    "import sys, more": "more.py",
    "from more import x": "more.py",
    "import more as m": "more.py",
    "import more.deep": "more/deep.py",
    "from more import deep": "more/__init__.py",
    "x = 1\n\nimport more\n": "more.py",
}


@pytest.mark.parametrize("source", IMPORTED)
def test_a_module_that_is_certainly_imported_is_read_too(source: str) -> None:
    path = IMPORTED[source]
    assert syntax_fault("bot.py", {"bot.py": source.encode(), path: BROKEN}) == SyntaxFault(path, 2, "invalid syntax")
    inside = {"src/bot.py": source.encode(), f"src/{path}": BROKEN}
    assert syntax_fault("src/bot.py", inside) == SyntaxFault(f"src/{path}", 2, "invalid syntax")


def test_imports_are_followed_as_far_as_they_go_and_round_in_circles() -> None:
    chain = {"bot.py": b"import a\n", "a.py": b"import b, bot\n", "b.py": b"import a\n"}
    assert syntax_fault("bot.py", chain) is None
    assert syntax_fault("bot.py", {**chain, "b.py": BROKEN}) == SyntaxFault("b.py", 2, "invalid syntax")


@pytest.mark.parametrize(
    "source",
    [
        "",
        "try:\n    import more\nexcept Exception:\n    pass\n",
        "def choose(view, question):\n    import more\n",
        "if False:\n    import more\n",
        "import json",
        "import others",
    ],
)
def test_a_module_that_may_never_be_imported_keeps_no_bot_from_starting(source: str) -> None:
    files = {"bot.py": source.encode(), "more.py": BROKEN, "json.py": BROKEN, "old/print.py": BROKEN}
    assert syntax_fault("bot.py", files) == SyntaxFault("json.py", 2, "invalid syntax", at_start=False)
    assert syntax_fault("bot.py", {**files, "json.py": b"", "more.py": b"x\0", "old/print.py": b""}) is None
    assert syntax_fault("bot.py", {**files, "bot.py": BROKEN}) == SyntaxFault("bot.py", 2, "invalid syntax")
