"""What a season is known by for good: a hash of its results, and of nothing that may change after its end.

It is the SHA-256 of lines of canonical JSON (keys sorted, no spaces, ASCII): what the season is (kind, address, ladder,
game and rules; of an event its format and lot), the table of a ladder or the entrants of an event, and every deal with
its seed, its commitment and the results of its matches. Names are left out, since people rename and are erased; so are
digests of replays, which hold names, proofs, which later links add to, and settings that a closed ladder may still
change. So it is the same with replays and without.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from engine.season_file import Season

WHAT = ("kind", "slug", "ladder", "game", "rules", "event")
NAMED = {"ladder": ("bot",), "event": ("name", "by")}  # in a line of the table, and of the entrants
UNSETTLED = ("proof",)  # of a deal


def fingerprint(season: Season) -> str:
    """Return the fingerprint of a file. Raises SeasonError: bad_table, bad_line."""
    is_event = season.head["kind"] == "event"
    lines = season.rows("entrants.jsonl", dict) if is_event else season.table()
    deals = (deal for name in season.names("sets") for deal in season.rows(name, dict))
    return fingerprint_of(season.head, lines, deals)


def fingerprint_of(
    head: Mapping[str, Any], lines: Iterable[Mapping[str, Any]], deals: Iterable[Mapping[str, Any]]
) -> str:
    digest = sha256()
    for line in ({name: head.get(name) for name in WHAT}, *(_without(line, NAMED[head["kind"]]) for line in lines)):
        digest.update(_canonical(line))
    for deal in deals:
        matches = [_without(match, ("digest",)) for match in deal["matches"]]
        digest.update(_canonical({**_without(deal, UNSETTLED), "matches": matches}))
    return digest.hexdigest()


def _without(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def _canonical(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n"
