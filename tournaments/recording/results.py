"""Writing a result to the ledger: the outcome of each seat, and what follows when a set is complete."""

from collections.abc import Sequence

from django.db.models.functions import Now

from engine.records import show
from engine.referee import Fault
from engine.replay import Replay
from tournaments.competitors.upload_check import conclude
from tournaments.matchmaking.spot_checks import choose
from tournaments.matchmaking.trials import admit, judge
from tournaments.models import FaultEvidence, Match, MatchSet, Seat
from tournaments.notices import triggers
from workers.orders import Report

LONGEST_STDERR, LONGEST_TEXT = 66_000, 2000  # the first is more than any ladder has kept


def enter_seats(seats: Sequence[Seat], report: Report, replay: Replay) -> None:
    result, stderr = replay.result, {part.seat: part.text for part in report.stderr}
    for seat in seats:
        number = seat.number
        seat.score, seat.place = result.scores[number], result.places[number]
        seat.verdict, seat.forfeited = result.verdicts[number], result.forfeits[number]
        seat.memory_mb = report.memory_mb[number] if report.memory_mb else None
        seat.cpu_ms, seat.stderr = report.cpu_ms[number], clean(stderr.get(number, ""))[-LONGEST_STDERR:]
    outcome = ("score", "place", "verdict", "forfeited", "cpu_ms", "memory_mb", "stderr")
    # As an upsert: bulk_update takes five times as long to build its statement.
    Seat.objects.bulk_create(seats, update_conflicts=True, unique_fields=["id"], update_fields=outcome)
    FaultEvidence.objects.bulk_create(_evidence(fault, seats[fault.seat]) for fault in report.faults)


def _evidence(fault: Fault, seat: Seat) -> FaultEvidence:
    given = "" if fault.given is None else fault.given if isinstance(fault.given, str) else show(fault.given, 400)
    return FaultEvidence(
        seat=seat,
        answer=fault.answer,
        verdict=clean(fault.verdict)[:20],
        detail=clean(fault.detail)[:LONGEST_TEXT],
        asked=fault.asked,
        given=clean(given)[:LONGEST_TEXT],
    )


def complete(match: Match) -> None:
    match.set.status = MatchSet.Status.COMPLETE
    MatchSet.objects.filter(pk=match.set_id).update(status=match.set.status, ended_at=Now())
    if match.set.checks_id:
        if passed := conclude(match=match):
            admit(version=passed)
        triggers.checked(match.set.checks_id)
    choose(match.set)
    if match.set.trial:
        judge(trial=match.set.trial)
    triggers.set_is_over(match.set)


def clean(text: str) -> str:
    """The text as PostgreSQL can store it."""
    return text.replace("\0", "\ufffd")
