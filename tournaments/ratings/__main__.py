"""python3 -m tournaments.ratings EXPORT: the table of a ladder's ledger or a season's file, computed from its results.

For a season's file (a zip) the table is compared with the one that the site showed: exit code 1 if they differ.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from engine.output import end_when_unread
from engine.season_file import Season, SeasonError, is_season, open_season
from engine.season_fingerprint import fingerprint
from tournaments.ratings.event_season import EventTable
from tournaments.ratings.export import read
from tournaments.ratings.final_table import final_of
from tournaments.ratings.ledger import BadLedger
from tournaments.ratings.season import table_in
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
    files = "a ladder's ledger, or the zip of a season"
    parser.add_argument("export", type=Path, metavar="EXPORT", help=files)
    parser.add_argument("--json", action="store_true", help="every number of every line, as the site publishes them")
    options = parser.parse_args(arguments)
    try:
        table, note = _of_season(options.export) if is_season(options.export) else (_of_ledger(options.export), "")
    except (BadLedger, SeasonError, OSError, UnicodeDecodeError) as error:
        sys.stderr.write(f"{options.export}: {error}\n")
        return 1 if isinstance(error, SeasonError) else 2
    sys.stdout.write(json.dumps(asdict(table), indent=1) + "\n" if options.json else _text(table) + note)
    return 0


def _of_ledger(path: Path) -> Table:
    with path.open(encoding="utf-8") as lines:
        return table_of(read(lines))


def _of_season(path: Path) -> tuple[Table | EventTable, str]:
    """Return the table of a season's file, and the sentences below it."""
    with path.open("rb") as file:
        season = open_season(file)
        table, mark = table_in(season), fingerprint(season)
        final = final_text(season) if isinstance(table, Table) else ""
    held = "This is the table that the site showed, to the last digit."
    logged = f"An entry of the site's log, of the kind season, has its fingerprint: {mark}"
    return table, f"{final}\n{held} The season is {season.print}.\n{logged}\n"


def final_text(season: Season) -> str:
    """Return the final table, by the sets dealt after the freeze; nothing of a season that had none."""
    after = season.head.get("final_after")
    if type(after) is not int:
        return ""
    ledger = read(season.text("ledger.jsonl"))
    final = final_of(ledger, after)
    if not final.sets:
        return ""
    lines = [
        f"{'-' if row.place is None else row.place:>4}  {ledger.versions[row.version].bot}  {row.elo:.1f}  "
        f"±{row.ci95:.1f}  {row.sets}"
        for row in final.rows
    ]
    return "\n".join([f"\nThe final table, by the {final.sets} sets after set {after}:", "", *lines, ""])


def _text(table: Table | EventTable) -> str:
    return table_text(table) if isinstance(table, Table) else places_text(table)


def places_text(table: EventTable) -> str:
    lines = [f"{'-' if row.place is None else row.place:>4}  {row.name}" for row in table.places]
    return "\n".join([f"{table.event}: {table.sets} sets", "", *lines, ""])


def table_text(table: Table) -> str:
    cells = [HEAD, *map(_cells, table.rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    title = (
        f"{table.ladder}: {table.sets} sets, dispersion {table.phi:.3f}, clash {table.clash:.1f}, rules {table.rules}"
    )
    strangers = [row.bot for row in table.rows if not row.comparable]
    note = [f"Not comparable with the rest, for no games connect them: {', '.join(strangers)}."] if strangers else []
    return "\n".join([title, "", *lines, *note, "", transitivity_sentence(table.transitivity), ""])


def transitivity_sentence(result: Transitivity) -> str:
    """Return a sentence that says how well one rating for each version explains the results."""
    return (
        f"Pairs that met enough to be looked at: {result.pairs}; {result.straying} stray from the ratings beyond luck. "
        f"Cycles of three: {result.cycles}; by luck {result.by_chance:.2f}, as many in {100 * result.as_many:.1f} %."
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
    end_when_unread()
    sys.exit(main())
