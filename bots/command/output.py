"""The output of results: tables and progress for people, one JSON document on stdout with `--json`."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from bots.command.errors import KitError


def to_stdout(document: object) -> None:
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))


def print_text(text: str) -> None:
    click.echo(text)


def print_note(text: str) -> None:
    """Print beside the results: never on stdout."""
    Console(stderr=True, soft_wrap=True).print(escape(text), style="dim", highlight=False)


def print_table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table whose first column is text and whose others are numbers."""
    shown = Table(box=None, header_style="bold", pad_edge=False)
    for number, head in enumerate(heads):
        shown.add_column(escape(head), justify="right" if number else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(escape(str(cell)) for cell in row))
    Console(soft_wrap=False).print(shown, highlight=False)


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Any]:
    """A bar on stderr with the time that is left, for a person; `advance(text)` moves it by one."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    left = (TextColumn("left"), TimeRemainingColumn(compact=True)) if total else ()
    console = Console(stderr=True)
    with Progress(*columns, *left, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)

        def advance(text: str = what, steps: int = 1) -> None:
            bar.update(task, advance=steps, description=escape(text))

        yield advance


def refuse(error: KitError, *, as_json: bool) -> int:
    """The error, told; the exit code of the command."""
    if as_json:
        to_stdout({"error": {"code": error.code, "detail": str(error)}})
    else:
        print(f"error: {error} [{error.code}]", file=sys.stderr)
    return error.exit_code
