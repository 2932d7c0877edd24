"""The words and the size of the code: shares that `tests/test_words.py` lets only fall."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.imports import PACKAGES, ROOT, trees

PRODUCT = (".py", ".html", ".css", ".js")
LONGEST = 120  # characters of a template's line
# Names that say nothing of what they hold.
VAGUE_WORDS = """
    told said known found there here its whole wanted others many few own same such thus who whom whose it one each
    every way ways some none ours theirs else rest beside apart alike anew at
"""
# Words that begin a docstring which has no subject and says nothing that is done.
FRAGMENT_WORDS = """
    Of By With In For From As To At On Their Its Likewise Those These So Else Not Nor Who What Which Where When Only
    Before After Under Without Between Beside Behind None Until If Unless Both All Each Every Nobody Everybody Whoever
    His Whose Near Also Then Here There
"""
VAGUE, FRAGMENTS = frozenset(VAGUE_WORDS.split()), frozenset(FRAGMENT_WORDS.split())
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def measures() -> dict[str, float]:
    """Return each figure by its name: shares in percent, sizes in lines or words."""
    names, docstrings = list(bound_names()), list(first_words())
    lines = [line for path in files(".html") for line in path.read_text().splitlines()]
    return {
        "vague names, % of all": share(sum(name.strip("_") in VAGUE for name in names), len(names)),
        "docstrings without subject or verb, %": share(sum(word in FRAGMENTS for word in docstrings), len(docstrings)),
        "public functions named as another, %": share(len(repeated_functions()), len(public_functions())),
        "template lines over 120 characters, %": share(sum(len(line) > LONGEST for line in lines), len(lines)),
        "lines of product": sum(path.read_text().count("\n") for path in files(*PRODUCT)),
        "words of docs without the games": sum(len(path.read_text().split()) for path in docs()),
    }


def share(part: int, total: int) -> float:
    return round(100 * part / total, 2)


@cache
def files(*endings: str) -> list[Path]:
    """Return the product's files with these endings."""
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.suffix in endings)
    return sorted(path for path in paths if path.is_file())


def docs() -> list[Path]:
    folder = ROOT / "docs"
    return [path for path in folder.rglob("*.md") if path.relative_to(folder).parts[0] != "games"]


def modules() -> dict[str, ast.Module]:
    """Return each module of the product, parsed, but for migrations."""
    return {name: tree for name, tree in trees().items() if ".migrations" not in name}


def bound_names() -> Iterator[str]:
    """Yield every name that is bound: variables, fields, parameters."""
    for tree in modules().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.arg) and node.arg not in ("self", "cls"):
                yield node.arg


def first_words() -> Iterator[str]:
    """Yield the first word of every function's docstring."""
    for tree in modules().values():
        for node in ast.walk(tree):
            if isinstance(node, Function) and (text := ast.get_docstring(node)):
                yield text.split()[0].rstrip(".,:;")


@cache
def public_functions() -> dict[str, set[str]]:
    """Return the modules by the name of a public function that they define."""
    definers: defaultdict[str, set[str]] = defaultdict(set)
    for module, tree in modules().items():
        for node in tree.body:
            if isinstance(node, Function) and not node.name.startswith("_"):
                definers[node.name].add(module)
    return definers


def repeated_functions() -> list[str]:
    return [name for name, definers in public_functions().items() if len(definers) > 1]
