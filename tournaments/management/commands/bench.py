"""`manage.py bench`: runs the modules of tests/bench and prints what they measured, side by side."""

import importlib
import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tests.bench import Row
from tournaments.launcher.subprocess_group import ROOT

FOLDER = ROOT / "tests" / "bench"
HEAD = ("what", "ours", "", "beside it", "", "ratio", "aim")


class Command(BaseCommand):
    help = "Measure speed and size, each beside a peer or a physical floor."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="one of: " + ", ".join(names()))
        parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers there")

    def handle(self, *_: Any, **options: Any) -> None:
        wanted = [options["name"]] if options["name"] else names()
        if unknown := set(wanted) - set(names()):
            raise CommandError(f"There is no bench {unknown.pop()!r}; there are: {', '.join(names())}.", returncode=2)
        rows: list[Row] = []
        for name in wanted:
            self.stderr.write(f"measuring {name} ...")
            rows += importlib.import_module(f"tests.bench.{name}").run()
        self.stdout.write("\n".join(table(rows)))
        if options["json"]:
            options["json"].write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")


def table(rows: Sequence[Row]) -> list[str]:
    """Columns, then how the numbers were taken; the same note appears once."""
    cells = [HEAD, *map(cells_of, rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    taken: dict[str, list[str]] = {}
    for row in rows:
        taken.setdefault(row.how, []).append(row.name)
    return [*lines, "", *(f"{together(names)}: {how}" for how, names in taken.items())]


def together(names: Sequence[str]) -> str:
    return names[0] if len(set(names)) == 1 else f"{names[0]} ... {names[-1]}"


def cells_of(row: Row) -> tuple[str, ...]:
    verdict = {True: "met", False: "MISSED", None: ""}[row.met()]
    aim = f"{row.aim} {verdict}".strip()
    return (row.name, number(row.ours), row.unit, row.peer_name, number(row.peer), f"{row.ratio:.2f}x", aim)


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
