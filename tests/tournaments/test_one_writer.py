"""One writer for each thing, found in the source."""

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from tests.imports import trees

WRITING = {"update", "create", "bulk_create", "get_or_create", "update_or_create"}
MAKING_SETS = {f"{model}.objects.{verb}" for model in ("MatchSet", "Match") for verb in WRITING - {"update"}}
QUERYING = {"objects", "filter", "exclude", "select_for_update"}


@pytest.mark.parametrize(
    ("model", "called", "writer"),
    [
        ("Version", {"version", "versions", "candidate"}, "tournaments.ledger.competitors.version_states"),
        ("Entry", {"entry", "entries"}, "tournaments.ledger.competitors.entry_states"),
    ],
)
def test_the_status_of_a_row_has_one_writer(model: str, called: set[str], writer: str) -> None:
    writers = {
        module
        for module, writes in all_status_writes().items()
        for row, value in writes
        if row in {model, *called} or f"{model}.Status" in value
    }
    assert writers == {writer}


@cache
def all_status_writes() -> dict[str, list[tuple[str, str]]]:
    return {module: list(status_writes(tree)) for module, tree in site_modules().items()}


def site_modules() -> dict[str, ast.Module]:
    return {module: tree for module, tree in trees().items() if module.startswith("tournaments.")}


def test_sets_are_made_with_their_matches_and_seats_in_one_place() -> None:
    makers = {
        module
        for module, tree in site_modules().items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) in MAKING_SETS
    }
    assert makers == {"tournaments.models.set_creation"}


def status_writes(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names of rows whose status is set, by attribute or by column; and to what."""
    for part in ast.walk(tree):
        if isinstance(part, ast.Assign):
            targets = [
                attribute
                for target in part.targets
                for attribute in ast.walk(target)
                if isinstance(attribute, ast.Attribute)
            ]
            yield from (
                (named(attribute.value), ast.unparse(part.value)) for attribute in targets if attribute.attr == "status"
            )
        elif isinstance(part, ast.Call) and (rows := written(part)):
            yield from ((rows, ast.unparse(word.value)) for word in part.keywords if word.arg == "status")


def written(call: ast.Call) -> str:
    """The name whose rows the call writes: a manager's, or a model's by its constructor; else nothing."""
    if isinstance(call.func, ast.Attribute):
        return named(call.func.value) if call.func.attr in WRITING else ""
    return call.func.id if isinstance(call.func, ast.Name) and call.func.id in {"Version", "Entry"} else ""


def named(rows: ast.expr) -> str:
    """The last name before what narrows a query: `entries` of `ladder.entries.filter(...)`."""
    while isinstance(rows, ast.Call) or (isinstance(rows, ast.Attribute) and rows.attr in QUERYING):
        rows = rows.func if isinstance(rows, ast.Call) else rows.value
    return rows.attr if isinstance(rows, ast.Attribute) else getattr(rows, "id", "")
