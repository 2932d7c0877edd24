"""Reports into the ledger, each once.

A report counts only if it carries the present lease of its match. Anything else, and anything that does not hold when
it is played again, is refused with a reason and changes nothing.
"""

import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat, Now

from engine.records import RecordError, from_plain, show
from engine.referee import Fault
from engine.replay import Player, Replay, ReplayError, read, verify, write
from tournaments.broker.queues import changed
from tournaments.broker.worker_identity import author, heard_of
from tournaments.competitors.upload_check import conclude
from tournaments.dispatch.leases import end_attempt, knows, release, renew
from tournaments.matchmaking.spot_checks import choose
from tournaments.matchmaking.trials import admit, judge
from tournaments.models import Attempt, FaultEvidence, Ladder, Match, MatchSet, Result, Seat, Worker
from tournaments.notices import triggers
from tournaments.recording.late_reports import compare_late
from workers.orders import VERSION, Report
from workers.pulse import SILENT_AFTER

RECORDED, ALREADY = "recorded", "already recorded"
# Of a match, its set and its seats, what a report is held against. To read the rest takes longer than to write all.
ORDERED = (
    *("status", "lease", "set__game", "set__rules", "set__options", "set__seed"),
    *("set__ladder__strikes", "set__ladder__division", "set__ladder__slug", "set__event__slug"),
)
HELD = ("status", "lease", "set__status", "set__checks", "set__trial")
SEATED = ("number", "match", "version__number", "version__bundle", "version__bot__name")
UNSIGNED = "refused: the report is not signed; a worker signs with the key in its WORKER_TOKEN"
UNPROVEN = "refused: the report is not signed by the worker that it names, or was changed on the way"
RUNTIME_MB = 1024  # of what a language brings along, shared or not
LONGEST_STDERR, LONGEST_TEXT, LONGEST_QUESTION = 66_000, 2000, 64_000  # the first is more than any ladder has kept

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Most:
    """What a match can have taken, with room for what is measured late."""

    cpu_ms: float
    memory_mb: float
    seconds: float = 2 * SILENT_AFTER  # a worker gives no sign of life for as long


def _most(match_set: MatchSet, replay: Replay) -> Most:
    ladder = match_set.ladder or Ladder()
    clock, limits = ladder.clock, ladder.limits
    by_clock = clock.start_ms + clock.bank_ms + clock.increment_ms * len(replay.answers)
    return Most(2.0 * max(by_clock, 1000 * limits.cpu_s), 2.0 * limits.memory_mb + RUNTIME_MB)


class NotCurrent(Exception):
    """The report's lease is over; the message is the outcome."""


def receive(data: object, signature: object = None) -> str:
    """Take in a report as it came over the wire, whatever that is, and say what became of it.

    It is believed to be of whom its signature proves, and of nobody else; a blocked worker is not believed at all.
    """
    outcome = _believe(data, signature)
    if outcome.startswith("refused"):
        log.warning("%s", outcome)
    return outcome


def _believe(data: object, signature: object) -> str:
    if not (name := author(data, signature)):
        return UNPROVEN if signature else UNSIGNED
    try:
        report: Report = from_plain(Report, data, "report")
    except RecordError as error:
        return f"refused: {error}"
    worker = heard_of(name)
    return _of_a_blocked_worker(report, worker) if worker.blocked else record(report)


def _of_a_blocked_worker(report: Report, blocked: Worker) -> str:
    """Another worker is to play what this one holds, at once, and it does not count against the match."""
    reason = blocked.rests_because
    with transaction.atomic(), suppress(NotCurrent):
        match = _held(report)
        worker = _clean(report.worker, 120)
        if knows(report.match, report.lease, report.secret):
            release(match=match, outcome=Attempt.Outcome.REFUSED, reason=reason, failed=False, worker=worker)
    return f"refused: {reason}, and nothing that it says is believed"


def record(report: Report) -> str:
    """Enter a report in the ledger: "recorded", "already recorded", "noted", or "refused: " and why."""
    if report.version != VERSION:
        return f"refused: a report of version {report.version}; this site reads version {VERSION}"
    if not knows(report.match, report.lease, report.secret):
        return f"refused: {report.worker} was not sent lease {report.lease} of match {report.match}"
    report.worker = _clean(report.worker, 120)
    try:
        if report.outcome == "playing":
            return _sign_of_life(report)
        if report.outcome == "played":
            return _played(report)
        return _given_back(report)
    except NotCurrent as late:
        return _late(report, str(late))


def _sign_of_life(report: Report) -> str:
    if renew(match=report.match, lease=report.lease, worker=report.worker):
        return "noted"
    return (
        f"refused: a sign of life by {report.worker}, which does not hold lease {report.lease} of match {report.match}"
    )


@transaction.atomic
def _given_back(report: Report) -> str:
    match, void = _held(report), report.outcome == "void"
    outcome = Attempt.Outcome.VOID if void else Attempt.Outcome.RETURNED
    reason = _clean(report.reason, LONGEST_TEXT)
    release(match=match, outcome=outcome, reason=reason, failed=void, worker=report.worker)
    return "noted"


def _played(report: Report) -> str:
    found = Match.objects.select_related("set__ladder", "set__event").only(*ORDERED).filter(pk=report.match).first()
    match = _under_lease(found, report)  # without a lock at first: to play a replay again takes a while
    seats = list(match.seats.select_related("version__bot").only(*SEATED).order_by("number"))
    try:
        replay = _replay(report, match, seats)
        _check_evidence(report, replay)
        _check_numbers(report, _most(match.set, replay))
    except ReplayError as error:
        return _refuse(report, error.detail)
    outcome = _enter(report, replay, seats)
    changed(*_topics(match.set))
    return outcome


def _replay(report: Report, match: Match, seats: Sequence[Seat]) -> Replay:
    """The report's replay, which is of this match and holds when it is played again. Raises ReplayError."""
    replay = read(report.replay)
    ordered = {
        "game": match.set.game,
        "rules": match.set.rules,
        "options": match.set.options,
        "seed": match.set.seed,
        "strikes": match.set.strikes,
        "players": [Player(seat.version.bot.name, seat.version.number, seat.version.bundle_id) for seat in seats],
    }
    for name, wanted in ordered.items():
        if getattr(replay, name) != wanted:
            raise ReplayError("other_match", f"the replay is not of match {match.pk}: its {name} differ")
    by_fuel = match.set.ladder is not None and match.set.ladder.division == Ladder.Division.FUEL
    if bool(replay.terms) != by_fuel:
        raise ReplayError(
            "other_match", f"match {match.pk} is {'' if by_fuel else 'not '}of the deterministic division"
        )
    verify(replay)
    return replay


def _check_evidence(report: Report, replay: Replay) -> None:
    """What a worker says beside the replay need not be true, but it must fit in its place. Raises ReplayError."""
    seats = range(len(replay.players))
    if len(report.cpu_ms) != len(seats):
        raise ReplayError("bad_report", f"cpu_ms has {len(report.cpu_ms)} numbers for {len(seats)} seats")
    if report.memory_mb and len(report.memory_mb) != len(seats):
        raise ReplayError("bad_report", f"memory_mb has {len(report.memory_mb)} numbers for {len(seats)} seats")
    if not {*(fault.seat for fault in report.faults), *(part.seat for part in report.stderr)} <= set(seats):
        raise ReplayError(
            "bad_report", f"a fault or a stderr is of a seat that is not among the {len(seats)} of the match"
        )
    if len(report.faults) > replay.strikes * len(seats) or len(report.stderr) > len(seats):
        raise ReplayError("bad_report", "there are more faults than strikes, or more stderr than seats")
    for fault in report.faults:
        if not -1 <= fault.answer < len(replay.answers) or not _storable(fault.asked):
            raise ReplayError(
                "bad_report", f"the evidence for {show(fault.verdict)} of seat {fault.seat} cannot be kept"
            )


def _check_numbers(report: Report, most: Most) -> None:
    """What the worker alone measures must at least be possible. Raises ReplayError."""
    told = {"cpu_ms": report.cpu_ms, "memory_mb": report.memory_mb, "seconds": [report.seconds]}
    for name, values in told.items():
        highest = getattr(most, name)
        if not all(0 <= value <= highest for value in values):  # no comparison holds of a NaN
            raise ReplayError("bad_report", f"{name} is {values!s:.200}; it is from 0 to {highest:.0f} in this match")


def _storable(asked: object) -> bool:
    """Whether the database takes it as JSON."""
    try:
        text = json.dumps(asked, ensure_ascii=False, allow_nan=False)
        return len(text.encode()) <= LONGEST_QUESTION and "\\u0000" not in text
    except (ValueError, RecursionError):
        return False


@transaction.atomic
def _enter(report: Report, replay: Replay, seats: Sequence[Seat]) -> str:
    match = _held(report)
    Result.objects.create(
        match=match,
        lease=report.lease,
        worker=report.worker,
        tier=_clean(report.tier, 20),
        seconds=report.seconds,
        replay=write(replay),
        digest=replay.digest,
    )
    _enter_seats(seats, report, replay)
    triggers.faults(match, seats)
    end_attempt(match=match, outcome=Attempt.Outcome.RECORDED, worker=report.worker)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.DONE, lease_until=None)
    if not match.set.matches.exclude(status=Match.Status.DONE).exists():
        _complete(match)
    return RECORDED


def _topics(played: MatchSet) -> list[str]:
    """What pages have news of it."""
    ladder, event = played.ladder, played.event
    return ["site", *([f"ladder {ladder.slug}"] if ladder else []), *([f"event {event.slug}"] if event else [])]


def _enter_seats(seats: Sequence[Seat], report: Report, replay: Replay) -> None:
    result, last_words = replay.result, {part.seat: part.text for part in report.stderr}
    for seat in seats:
        number = seat.number
        seat.score, seat.place = result.scores[number], result.places[number]
        seat.verdict, seat.forfeited = result.verdicts[number], result.forfeits[number]
        seat.memory_mb = report.memory_mb[number] if report.memory_mb else None
        seat.cpu_ms, seat.stderr = report.cpu_ms[number], _clean(last_words.get(number, ""), -LONGEST_STDERR)
    outcome = ("score", "place", "verdict", "forfeited", "cpu_ms", "memory_mb", "stderr")
    # As an upsert: bulk_update takes five times as long to word its statement.
    Seat.objects.bulk_create(seats, update_conflicts=True, unique_fields=["id"], update_fields=outcome)
    FaultEvidence.objects.bulk_create(_evidence(fault, seats[fault.seat]) for fault in report.faults)


def _evidence(fault: Fault, seat: Seat) -> FaultEvidence:
    given = "" if fault.given is None else fault.given if isinstance(fault.given, str) else show(fault.given, 400)
    return FaultEvidence(
        seat=seat,
        answer=fault.answer,
        verdict=_clean(fault.verdict, 20),
        detail=_clean(fault.detail, LONGEST_TEXT),
        asked=fault.asked,
        given=_clean(given, LONGEST_TEXT),
    )


def _complete(match: Match) -> None:
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


@transaction.atomic
def _refuse(report: Report, reason: str) -> str:
    """The replay does not hold: that is the worker's doing, so the match waits to be played again."""
    match = _held(report)
    reason = _clean(reason, LONGEST_TEXT)
    release(match=match, outcome=Attempt.Outcome.REFUSED, reason=reason, failed=True, worker=report.worker)
    return f"refused: {reason}"


def _held(report: Report) -> Match:
    """The match and its set, locked, under the report's lease. Raises NotCurrent."""
    locked = Match.objects.select_for_update(of=("self", "set")).select_related("set").only(*HELD)
    match = _under_lease(locked.filter(pk=report.match).first(), report)
    holder = match.attempts.get(lease=report.lease).worker
    if holder and proven(holder) != proven(report.worker):
        raise NotCurrent(f"refused: lease {report.lease} of match {match.pk} is held by {proven(holder)}")
    return match


def proven(process: str) -> str:
    """The worker whose process it is."""
    return process.partition("/")[0]


def _under_lease(match: Match | None, report: Report) -> Match:
    if match is None:
        raise NotCurrent(f"refused: there is no match {report.match}")
    if match.status == Match.Status.DONE and match.result.lease == report.lease:
        raise NotCurrent(ALREADY)
    if match.status != Match.Status.LEASED or match.lease != report.lease:
        raise NotCurrent(
            f"refused: lease {report.lease} of match {match.pk} is over; it is {match.status} now, lease {match.lease}"
        )
    return match


def _late(report: Report, outcome: str) -> str:
    """Keep the outcome where the match's attempts are looked at, if there was such an attempt."""
    if report.outcome == "played":
        compare_late(report)
    if outcome != ALREADY and report.outcome in ("played", "void"):
        attempt = Attempt.objects.filter(match=report.match, lease=report.lease, outcome=Attempt.Outcome.EXPIRED)
        attempt.update(
            outcome=Attempt.Outcome.REFUSED, reason=Concat("reason", Value(f"; then its report came, {outcome}"))
        )
    return outcome


def _clean(text: str, most: int) -> str:
    """What PostgreSQL can store of a text; a negative `most` keeps its end."""
    text = text.replace("\0", "\ufffd")
    return text[:most] if most > 0 else text[most:]
