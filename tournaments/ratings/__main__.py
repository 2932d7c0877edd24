"""python3 -m tournaments.ratings EXPORT.jsonl: the table of an exported ladder, computed from its results."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tournaments.ratings.export import read
from tournaments.ratings.ledger import BadLedger
from tournaments.ratings.table import Row, Table, table_of
from tournaments.ratings.transitivity import Transitivity

HEAD = (
    "rank",
    "each",
    "all at once",
    "bot",
    "elo",
    "",
    "better than next",
    "sets",
    "win %",
    "place",
    "crash %",
    "classic",
    "",
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python3 -m tournaments.ratings", description="Compute a ladder's table from its export."
    )
    parser.add_argument("export", type=Path, metavar="EXPORT.jsonl")
    parser.add_argument("--json", action="store_true", help="every number of every line, as the site publishes them")
    options = parser.parse_args(arguments)
    try:
        with options.export.open(encoding="utf-8") as lines:
            table = table_of(read(lines))
    except (BadLedger, OSError, UnicodeDecodeError) as error:
        sys.stderr.write(f"{options.export}: {error}\n")
        return 2
    sys.stdout.write(json.dumps(asdict(table), indent=1) + "\n" if options.json else text_of(table))
    return 0


def text_of(table: Table) -> str:
    cells = [HEAD, *map(_cells, table.rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    title = (
        f"{table.ladder}: {table.sets} sets, dispersion {table.phi:.3f}, clash {table.clash:.1f}, rules {table.rules}"
    )
    strangers = [row.bot for row in table.rows if not row.comparable]
    note = [f"Not comparable with the rest, for no games connect them: {', '.join(strangers)}."] if strangers else []
    return "\n".join([title, "", *lines, *note, "", line_of(table.transitivity), ""])


def line_of(found: Transitivity) -> str:
    """Whether a line is enough."""
    return (
        f"{found.pairs} pairs met enough to be looked at; {found.straying} stray from the ratings beyond luck. "
        f"Cycles of three: {found.cycles}; by luck {found.by_chance:.2f}, as many in {100 * found.as_many:.1f} %."
    )


def _cells(row: Row) -> tuple[str, ...]:
    return (
        "-" if row.rank is None else str(row.rank),
        f"{row.rank_lo}-{row.rank_hi}",
        f"{row.all_lo}-{row.all_hi}",
        f"{row.bot} v{row.number}",
        f"{row.elo:.1f}{'?' if row.provisional else ''}",
        "held" if row.anchor else f"±{row.ci95:.1f}",
        "" if row.los_next is None else f"{row.los_next:.3f}",
        str(row.sets),
        f"{row.win_pct:.1f}",
        "" if row.place_mean is None else f"{row.place_mean:.2f}",
        f"{row.crash_pct:.1f}",
        f"{row.elo_classic:.1f}",
        f"{row.delta:+.1f}",
    )


if __name__ == "__main__":
    sys.exit(main())
