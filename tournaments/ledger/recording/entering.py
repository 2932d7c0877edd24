"""Entering results in the ledger: those of one message in one transaction, with one statement for all rows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction

from engine.referee import Verdict
from engine.replay import Replay, write_replay
from tournaments.core.config.plain_text import storable
from tournaments.core.notices import triggers
from tournaments.ledger.recording.ordered_matches import OrderedMatch, worker_of_process
from tournaments.ledger.recording.results import LONGEST_STDERR, OverSet, conclude_set, enter_faults
from tournaments.models import Match, SeatNotes
from tournaments.models.documents import REPLAY, check_document_size
from tournaments.models.prepared_statements import run_prepared
from workers.orders import Report

# Locked in one order by all, so that recorders wait for each other and do not block each other.
HOLD = """
SELECT match.id
FROM unnest(%s::bigint[], %s::int[], %s::text[]) AS told (match, lease, name)
JOIN tournaments_match match ON match.id = told.match AND match.lease = told.lease AND match.status = 'leased'
JOIN tournaments_matchset played ON played.id = match.set_id
LEFT JOIN tournaments_attempt attempt ON attempt.match_id = match.id AND attempt.lease = match.lease
WHERE coalesce(attempt.worker, '') = '' OR split_part(attempt.worker, '/', 1) = told.name
ORDER BY match.set_id, match.id
FOR UPDATE OF match, played
"""
# In a statement after the lock: what other recorders have entered of these sets is seen.
ENTER = """
WITH told AS (
    SELECT * FROM unnest(%s::bigint[], %s::int[], %s::text[], %s::text[], %s::float8[], %s::bytea[], %s::text[])
    AS told (match, lease, worker, tier, seconds, replay, digest)
), results AS (
    INSERT INTO tournaments_result (match_id, lease, worker, tier, seconds, replay, digest, recorded_at)
    SELECT match, lease, worker, tier, seconds, replay, digest, statement_timestamp() FROM told
), seats AS (
    UPDATE tournaments_seat seat
    SET score = sat.score, place = sat.place, verdict = sat.verdict, forfeited = sat.forfeited,
        cpu_ms = sat.cpu_ms, took_ms = sat.took_ms, memory_mb = sat.memory_mb, stderr = sat.stderr
    FROM unnest(
        %s::bigint[], %s::int[], %s::int[], %s::text[], %s::bool[], %s::float8[], %s::float8[], %s::float8[], %s::text[]
    ) AS sat (seat, score, place, verdict, forfeited, cpu_ms, took_ms, memory_mb, stderr)
    WHERE seat.id = sat.seat
), attempts AS (
    UPDATE tournaments_attempt attempt
    SET outcome = 'recorded', reason = '', failed = false, worker = told.worker, ended_at = statement_timestamp()
    FROM told WHERE attempt.match_id = told.match AND attempt.lease = told.lease
), matches AS (
    UPDATE tournaments_match match SET status = 'done', lease_until = NULL FROM told WHERE match.id = told.match
)
UPDATE tournaments_matchset played SET status = 'complete', ended_at = statement_timestamp()
WHERE played.id = ANY(%s) AND NOT EXISTS (
    SELECT FROM tournaments_match other
    WHERE other.set_id = played.id AND other.status <> 'done' AND other.id NOT IN (SELECT match FROM told)
)
RETURNING played.id,
    num_nonnulls(played.checks_id, played.trial_id, played.asked_by_id) > 0,
    played.ladder_id IS NOT NULL AND played.rechecks_id IS NULL,
    ARRAY(SELECT each.id FROM tournaments_match each WHERE each.set_id = played.id)
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A report whose replay holds, with its match."""

    report: Report
    match: OrderedMatch
    replay: Replay

    @property
    def is_faulty(self) -> bool:
        """Whether a bot failed in it."""
        return any(verdict != Verdict.OK for verdict in self.replay.result.verdicts)


@transaction.atomic
def enter_results(entries: Sequence[Entry]) -> list[Entry]:
    """Write results. Returns the entries written: those under the present lease, which no other worker holds."""
    reports = [entry.report for entry in entries]
    leases = _columns((report.match, report.lease, worker_of_process(report.worker)) for report in reports)
    held = {match for (match,) in run_prepared(HOLD, leases)}
    entered = list({entry.report.match: entry for entry in entries if entry.report.match in held}.values())
    if entered:
        _write(entered)
    return entered


def _write(entries: Sequence[Entry]) -> None:
    sets = sorted({entry.match.row.set for entry in entries})
    over = run_prepared(ENTER, [*_results(entries), *_seats(entries), sets])
    for entry in entries:
        _faults(entry)
    SeatNotes.objects.bulk_create(row for entry in entries for row in _notes(entry))
    for row in over:
        conclude_set(OverSet._make(row))


def _results(entries: Sequence[Entry]) -> list[list[object]]:
    return _columns(
        (
            report.match,
            report.lease,
            report.worker,
            storable(report.tier)[:20],
            report.seconds,
            _packed(entry.replay),
            entry.replay.digest,
        )
        for entry in entries
        for report in [entry.report]
    )


def _packed(replay: Replay) -> bytes:
    """Return the replay as it is stored. Raises Refused: over_budget."""
    packed = write_replay(replay)
    check_document_size(len(packed), REPLAY)
    return packed


def _seats(entries: Sequence[Entry]) -> list[list[object]]:
    return _columns(row for entry in entries for row in _seats_of(entry))


def _notes(entry: Entry) -> Iterator[SeatNotes]:
    """A row for each seat whose bot wrote anything; many bots are silent."""
    for number, seat in enumerate(entry.match.row.seats):
        if pages := [[note.answer, storable(note.text)] for note in entry.report.notes if note.seat == number]:
            yield SeatNotes(seat_id=seat, pages=pages)


def _columns(rows: Iterable[tuple[object, ...]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _seats_of(entry: Entry) -> list[tuple[object, ...]]:
    result, report = entry.replay.result, entry.report
    stderr = {part.seat: storable(part.text)[-LONGEST_STDERR:] for part in report.stderr}
    seats = entry.match.row.seats
    unknown: list[float | None] = [None] * len(seats)
    outcomes = zip(
        *(seats, result.scores, result.places, result.verdicts, result.forfeits, report.cpu_ms),
        *(report.took_ms or unknown, report.memory_mb or unknown),
        strict=True,
    )
    return [(*outcome, stderr.get(number, "")) for number, outcome in enumerate(outcomes)]


def _faults(entry: Entry) -> None:
    """Rare: most bots make none."""
    if entry.report.faults or entry.is_faulty:
        match = Match.objects.select_related("set__event").get(pk=entry.report.match)
        seats = list(match.seats.select_related("version__bot").order_by("number"))
        enter_faults(seats, entry.report)
        triggers.notify_of_faults(match, seats)
