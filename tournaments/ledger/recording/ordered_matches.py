"""The match as it was ordered, to check a report against; one statement for all matches of a message."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.replay import Player
from tournaments.models import Ladder, Match
from tournaments.models.prepared_statements import run_prepared
from workers.orders import Report

LOOK = """
SELECT match.id, match.status, match.lease, coalesce(attempt.worker, ''),
    match.set_id, played.game, played.rules, played.options::text, played.seed,
    ladder.slug, event.slug, ladder.division, ladder.strikes,
    ladder.bank_ms, ladder.start_ms, ladder.increment_ms, ladder.memory_mb,
    seats.numbers, seats.bots, seats.versions, seats.bundles,
    worker.status, worker.seen_at > statement_timestamp() - interval '10 seconds'
FROM tournaments_match match
JOIN tournaments_matchset played ON played.id = match.set_id
LEFT JOIN tournaments_ladder ladder ON ladder.id = played.ladder_id
LEFT JOIN tournaments_event event ON event.id = played.event_id
LEFT JOIN tournaments_attempt attempt ON attempt.match_id = match.id AND attempt.lease = match.lease
LEFT JOIN tournaments_worker worker ON worker.name = %s
CROSS JOIN LATERAL (
    SELECT array_agg(seat.id ORDER BY seat.number) AS numbers, array_agg(bot.name ORDER BY seat.number) AS bots,
        array_agg(version.number ORDER BY seat.number) AS versions,
        array_agg(version.bundle_id ORDER BY seat.number) AS bundles
    FROM tournaments_seat seat
    JOIN tournaments_version version ON version.id = seat.version_id
    JOIN tournaments_bot bot ON bot.id = version.bot_id
    WHERE seat.match_id = match.id
) AS seats
WHERE match.id = ANY(%s)
"""


class _Row(NamedTuple):
    match: int
    status: str
    lease: int
    holder: str
    set: int
    game: str
    rules: int
    options: str
    seed: str
    ladder: str | None
    event: str | None
    division: str | None
    strikes: int | None
    bank_ms: int
    start_ms: int
    increment_ms: int
    memory_mb: int
    seats: list[int]
    bots: list[str]
    versions: list[int]
    bundles: list[str]
    worker: str | None
    fresh: bool | None


@dataclass(frozen=True, slots=True)
class OrderedMatch:
    """A match and its set, as far as a report is held against them."""

    row: _Row
    options: Any
    players: list[Player]
    settings: Ladder  # of the match; a check has those that a ladder has by default

    @property
    def strikes(self) -> int:
        """Faults that a bot may make in a match, as `MatchSet.strikes`."""
        return 1 if self.row.strikes is None else self.row.strikes

    @property
    def by_fuel(self) -> bool:
        return self.row.division == Ladder.Division.FUEL

    @property
    def is_check(self) -> bool:
        """Whether it is the check of an upload: everything else has the settings of a ladder."""
        return self.row.ladder is None

    @property
    def topics(self) -> list[str]:
        """Topics of the pages that show the match."""
        ladder, event = self.row.ladder, self.row.event
        return ["site", *([f"ladder {ladder}"] if ladder else []), *([f"event {event}"] if event else [])]

    def is_under(self, report: Report) -> bool:
        """Whether it is leased as the report says, and no other worker has been heard of under that lease."""
        current = self.row.status == Match.Status.LEASED and self.row.lease == report.lease
        return current and worker_of_process(self.row.holder) in ("", worker_of_process(report.worker))


def worker_of_process(process: str) -> str:
    """The worker whose process it is."""
    return process.partition("/")[0]


def matches_ordered(matches: Iterable[int], worker: str = "") -> dict[int, OrderedMatch]:
    """Return those of these matches that exist, by id."""
    rows = map(_Row._make, run_prepared(LOOK, [worker, [match for match in matches if 0 < match < 1 << 63]]))
    return {row.match: _ordered(row) for row in rows}


def _ordered(row: _Row) -> OrderedMatch:
    players = [Player(*player) for player in zip(row.bots, row.versions, row.bundles, strict=True)]
    names = ("bank_ms", "start_ms", "increment_ms", "memory_mb")
    settings = Ladder() if row.ladder is None else Ladder(**{name: getattr(row, name) for name in names})
    return OrderedMatch(row, json.loads(row.options), players, settings)
