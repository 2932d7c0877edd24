"""Prints every claim beside its figure on these seeds; fails unless all that we state holds. `--write` puts them into
docs/measurements/claims.csv."""

import argparse
import csv
import importlib
import os
import pkgutil
import sys
import time
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path

import django

import tests.ratings.claims as claims

TABLE = Path(__file__).parents[3] / "docs" / "measurements" / "claims.csv"
HEAD = ["part", "figure", "claimed", "stated", "measured", "", "seed"]


def parts() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(claims.__path__) if module.name != "__main__"]


def main(words: list[str]) -> int:
    """Print the rows of the named parts, or of all; return 1 if what is stated does not hold."""
    parser = argparse.ArgumentParser(prog="python3 -m tests.ratings.claims", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(parts())}; all without one")
    options = parser.parse_args(words)
    failed = 0
    for name in options.names or parts():
        began = time.process_time()
        rows: list[claims.Row] = importlib.import_module(f"{claims.__name__}.{name}").claim(options.seed)
        print(f"\n### {name}, seed {options.seed}, {time.process_time() - began:.0f} s\n")
        print("| | claimed | stated | measured | |\n|---|---|---|---|---|")
        for row in rows:
            print(f"| {' | '.join(cells(row))} |", flush=True)
        failed += sum(not row.holds for row in rows)
        if options.write:
            write(TABLE, name, [[*cells(row), str(options.seed)] for row in rows])
    return int(failed > 0)


def cells(row: claims.Row) -> list[str]:
    return [row.name, row.claimed, row.stated, row.measured, row.mark]


def stored(path: Path) -> list[list[str]]:
    """Return the rows of the table, without its head."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def write(path: Path, part: str, rows: Sequence[Sequence[str]]) -> None:
    """Put these rows in place of what the table had of the part."""
    every = [row for row in (stored(path) if path.exists() else []) if row[0] != part]
    every += [[part, *row] for row in rows]
    every.sort(key=itemgetter(0))
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(HEAD)
        table.writerows(every)


if __name__ == "__main__":
    os.environ |= {"DJANGO_SETTINGS_MODULE": "tournaments.settings", "SECRET_KEY": "unused"}
    django.setup()  # for features, of which some is measured
    sys.exit(main(sys.argv[1:]))
