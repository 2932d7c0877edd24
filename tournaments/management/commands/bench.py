"""`manage.py bench`: runs the modules of tests/bench and prints what they measured, side by side."""

import importlib
import json
import traceback
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tests.bench import Row
from tests.bench.guard import baseline, load
from tournaments.ops.launcher.subprocess_group import ROOT
from tournaments.ops.launcher.up_options import new_file

FOLDER = ROOT / "tests" / "bench"
HEAD = ("what", "ours", "", "beside it", "", "ratio", "aim")
Measured = dict[str, list[Row]]  # by bench


class Command(BaseCommand):
    help = "Measure speed and size, each beside a peer or a physical floor."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="*", help="all, or some of: " + ", ".join(names()))
        parser.add_argument("--json", type=new_file, metavar="FILE", help="also write the numbers there")
        parser.add_argument("--compare", action="store_true", help="beside the kept ratios: which are worse")
        parser.add_argument("--keep", action="store_true", help="keep these ratios for --compare")
        parser.add_argument("--beside-load", action="store_true", help="measure although the machine has other work")

    def handle(self, *_: Any, **options: Any) -> None:
        chosen = options["name"] or names()
        if unknown := set(chosen) - set(names()):
            raise CommandError(f"There is no bench {unknown.pop()!r}; there are: {', '.join(names())}.", returncode=2)
        measured: Measured = {}
        for name in chosen:
            self.measure(name, measured, beside_load=options["beside_load"])
        rows = [row for taken in measured.values() for row in taken]
        self.stdout.write("\n".join(bench_table(rows)))
        self.leave(measured, rows, options)
        if missing := set(chosen) - set(measured):
            raise CommandError(f"Not measured: {', '.join(sorted(missing))}. Why is said above.")

    def measure(self, name: str, measured: Measured, *, beside_load: bool) -> None:
        """One bench into `measured`. What it raises is told, and the next has its turn."""
        module = importlib.import_module(f"tests.bench.{name}")
        self.stderr.write(f"{name}: {first_line(module.__doc__)}")
        busy = load.cores_busy()
        if (why := load.refusal(busy)) and not beside_load:
            self.stderr.write(f"{name} is not measured: {why}.")
            return
        self.stderr.write(f"  {busy:.2f} cores are busy with other work")
        try:
            measured[name] = module.run()
        except Exception:  # noqa: BLE001  whatever one bench raises, the others are measured
            self.stderr.write(f"{name} failed:\n{traceback.format_exc()}")

    def leave(self, measured: Measured, rows: Sequence[Row], options: Mapping[str, Any]) -> None:
        """Write what was measured to the places asked for."""
        if options["json"]:
            options["json"].write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
        if options["compare"]:
            self.stdout.write("\n".join(baseline.compared(measured)))
        if options["keep"]:
            baseline.keep(measured)


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")


def first_line(text: str | None) -> str:
    return (text or "").strip().splitlines()[0]


def bench_table(rows: Sequence[Row]) -> list[str]:
    """Columns, then how the numbers were taken; the same note appears once."""
    cells = [HEAD, *map(bench_cells, rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    taken: dict[str, list[str]] = {}
    for row in rows:
        taken.setdefault(row.how, []).append(row.name)
    return [*lines, "", *(f"{names_together(names)}: {how}" for how, names in taken.items())]


def names_together(names: Sequence[str]) -> str:
    return names[0] if len(set(names)) == 1 else f"{names[0]} ... {names[-1]}"


def bench_cells(row: Row) -> tuple[str, ...]:
    verdict = {True: "met", False: "MISSED", None: ""}[row.met()]
    aim = f"{row.aim} {verdict}".strip()
    return (row.name, figure_text(row.ours), row.unit, row.peer_name, figure_text(row.peer), f"{row.ratio:.2f}x", aim)


def figure_text(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
