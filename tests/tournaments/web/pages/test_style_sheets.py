"""The style sheets: each rule is for something that pages have, each value is a token, and there are not too many."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.imports import ROOT, trees

VIEWER: Final = ROOT / "bots" / "viewer" / "static"
SITE: Final = ROOT / "tournaments" / "static" / "boardroom"
TOKENS: Final = VIEWER / "tokens.css"
SHEETS: Final = sorted([*VIEWER.glob("*.css"), *SITE.glob("*.css")])
OTHERS: Final = [sheet for sheet in SHEETS if sheet != TOKENS]
MOST: Final = 1100  # lines of all sheets
FILLED: Final = "\0"  # what is filled in where a template, a script or code makes a name
COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
HEAD: Final = re.compile(r"([^{};]+)\{")
QUOTED: Final = re.compile(r'"[^"]*"')
NAMES: Final = re.compile(r"[.#](-?[A-Za-z_][\w-]*)|\[([\w-]+)")
WORD: Final = re.compile(rf"[\w{FILLED}-]+")
TAG: Final = re.compile(r"\{%.*?%\}", re.DOTALL)
PLACE: Final = re.compile(r"\{\{.*?\}\}", re.DOTALL)
ATTRIBUTES: Final = re.compile(r'([\w-]+)(?:="([^"]*)")?')
SCRIPT_TEXT: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
SCRIPT_NAMES: Final = re.compile(r"dataset\.(\w+)")
# Values that no rule has of its own. A clamp or a sum is made of several.
MADE: Final = re.compile(r"(?:clamp|calc|min|max|minmax)\((?:[^()]|\([^()]*\))*\)")
OWN_VALUES: Final = {
    "a colour": re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(", re.IGNORECASE),
    "a size of type": re.compile(r"\bfont(?:-size)?: [^;}]*\d(?:rem|pt)"),
    "a space": re.compile(r"(?<![\w-])(?:padding|margin|gap)[\w-]*: [^;}]*\d(?:rem)"),
    "a corner": re.compile(r"border-radius: [^;}]*\d(?:rem|px)"),
    "a time": re.compile(r"(?:animation|transition): [^;}]*\d(?:ms|s)\b"),
}


def style(sheet: Path) -> str:
    return COMMENT.sub("", sheet.read_text())


def names(sheet: Path) -> set[str]:
    """Return the classes, ids and attributes that the sheet's rules are for."""
    heads = (QUOTED.sub("", head) for head in HEAD.findall(style(sheet)) if not head.strip().startswith("@"))
    return {name for head in heads for pair in NAMES.findall(head) for name in pair if name}


@cache
def written() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return the names that pages, scripts and drawings have, and a pattern of those that are put together."""
    words = {word for text in texts() for word in WORD.findall(text)}
    parts = [re.escape(word).replace(re.escape(FILLED), r"[\w-]+") for word in words if is_made(word)]
    return frozenset(word for word in words if FILLED not in word), re.compile("|".join(parts))


def is_made(word: str) -> bool:
    """Return whether the name begins with words, as `seat-` does (but not `data-`), and the rest is filled in."""
    return bool(re.match(rf"(?!data-{FILLED})[A-Za-z][\w-]*-{FILLED}", word))


def texts() -> Iterator[str]:
    for package in ("bots", "tournaments"):
        for path in (ROOT / package).rglob("*.html"):
            yield from markup(path.read_text())
        for path in (ROOT / package).rglob("*.js"):
            yield from script(path.read_text())
    for module, tree in trees().items():
        if module.startswith(("bots.", "tournaments.")) and ".migrations" not in module:
            yield from literals(tree)


def markup(source: str) -> Iterator[str]:
    """Yield the names and values of attributes."""
    for tag in TAG.findall(source):
        yield from re.findall(r'"([^"]*)"', tag)
    for name, value in ATTRIBUTES.findall(PLACE.sub(FILLED, TAG.sub(" ", source))):
        yield from (name, value) if "-" in name or value else ()


def script(source: str) -> Iterator[str]:
    for name in SCRIPT_NAMES.findall(source):
        yield "data-" + re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", name)
    for plain, made in SCRIPT_TEXT.findall(source):
        yield plain or re.sub(r"\$\{[^}]*\}", FILLED, made)


def literals(tree: ast.Module) -> Iterator[str]:
    """Yield the strings of a module, but no docstring."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else FILLED for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg.strip("_").replace("_", "-")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_every_rule_is_for_something_that_a_page_has(sheet: Path) -> None:
    words, made = written()
    assert sorted(name for name in names(sheet) if name not in words and not made.fullmatch(name)) == []


def test_a_rule_for_nothing_is_found(tmp_path: Path) -> None:
    sheet = tmp_path / "odd.css"
    sheet.write_text(
        '.card .nowhere-at-all, [data-nothing="x"] { color: red }\n@media print { #none-of-us { gap: 0 } }'
    )
    words, made = written()
    odd = {name for name in names(sheet) if name not in words and not made.fullmatch(name)}
    assert odd == {"nowhere-at-all", "data-nothing", "none-of-us"}


@pytest.mark.parametrize("sheet", OTHERS, ids=lambda sheet: sheet.name)
def test_every_value_is_a_token(sheet: Path) -> None:
    on_screen = MADE.sub("", style(sheet).split("@media print")[0])
    assert [(what, match[0]) for what, pattern in OWN_VALUES.items() for match in pattern.finditer(on_screen)] == []


def test_every_token_is_used_and_every_name_is_a_token() -> None:
    text = "".join(map(style, SHEETS))
    tokens = set(re.findall(r"(--[\w-]+):", style(TOKENS)))
    used = set(re.findall(r"var\((--[\w-]+)", text))
    assert sorted(tokens - used) == []
    assert sorted(used - set(re.findall(r"(--[\w-]+):", text))) == []


def test_layouts_change_at_few_widths_which_the_docs_name() -> None:
    text = (ROOT / "docs" / "design.md").read_text()
    named = set(re.findall(r"\d+", re.findall(r"Layouts change at ([^:]+) rem", text)[0]))
    widths = re.findall(r"(?:min|max)-width: ([\d.]+)rem\)", "".join(map(style, SHEETS)))
    assert {str(round(float(width))) for width in widths} == named


def test_the_sheets_are_short() -> None:
    assert sum(len(sheet.read_text().splitlines()) for sheet in SHEETS) <= MOST


def test_the_browser_frames_a_page_in_the_colour_of_its_paper() -> None:
    paper = re.findall(r"--paper: light-dark\((#\w+), (#\w+)\)", TOKENS.read_text())[0]
    head = (ROOT / "tournaments" / "templates" / "base.html").read_text()
    assert tuple(re.findall(r'name="theme-color" content="(#\w+)"', head)) == paper
