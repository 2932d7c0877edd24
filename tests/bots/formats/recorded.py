"""Plans recorded by an earlier edition; `python3 -m tests.bots.formats.recorded` records what `CASES` names.

A case is settings as a site of then stored them, without what has been added since, and a field; its record is a digest
of all that was drawn and of how it ended. Record again only what a new edition is to keep from then on.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from bots.formats import settings
from bots.formats.model import Plan
from tests.bots.formats.playing import by_dice, field, final_plan

RECORD = Path(__file__).with_name("recorded.json")
SINGLE: list[dict[str, Any]] = [
    {"t": "round_robin"},
    {"t": "round_robin", "seats": 4},
    {"t": "round_robin", "seats": 4, "fewest": 3, "rounds": 5},
    {"t": "round_robin", "seats": 4, "fewest": 2},
    {"t": "swiss"},
    {"t": "swiss", "seats": 4, "fewest": 2, "rounds": 4, "first": "lot"},
    {"t": "swiss", "seats": 3, "owners_apart": True},
    {"t": "knockout", "sets": [1, 2]},
    {"t": "knockout", "lives": 2},
    {"t": "knockout", "seats": 4, "fewest": 2, "owners_apart": True},
    {"t": "knockout", "seats": 4, "fewest": 2, "lives": 2, "advance": 1},
    {"t": "king_of_the_hill", "seats": 3},
    {"t": "gauntlet", "panel": [100, 101, 102], "seats": 3},
]
STAGED: list[dict[str, Any]] = [
    {"t": "groups", "groups": 2, "qualify": 4, "first": first, "then": then}
    for first in (SINGLE[0], SINGLE[2], SINGLE[4])
    for then in (SINGLE[7], SINGLE[8], SINGLE[9], SINGLE[3])
]
STAGED += [{"t": "league", "season": season, "size": 6, "seasons": 2} for season in (SINGLE[0], SINGLE[5])]
CASES = [(spec, count) for spec in SINGLE + STAGED for count in (9, 14, 23)]


def digest(plan: Plan) -> str:
    """Return a digest of the pairings, the byes, and the tables of all stages."""
    drawn = [(pairing.key, pairing.entrants) for pairing in plan.pairings]
    byes = [(bye.stage, bye.round, bye.entrant) for bye in plan.byes]
    rows = [(table.stage, [(row.entrant, row.points, row.sets) for row in table.rows]) for table in plan.stages]
    ranks = [row.entrant for row in plan.table]
    return hashlib.sha256(json.dumps([drawn, byes, rows, ranks, plan.winners]).encode()).hexdigest()[:16]


def record() -> None:
    read = getattr(settings, "read_stored", settings.read_spec)
    lines = [json.dumps([spec, count, digest(final_plan(read(spec), field(count), by_dice))]) for spec, count in CASES]
    RECORD.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    record()
