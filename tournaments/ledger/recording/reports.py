"""Recording reports in the ledger, each once. A report counts only if it carries the current lease of its match.
Anything else, and any replay that does not verify, is refused with a reason and changes nothing.
"""

import logging
from contextlib import suppress

from django.db import transaction
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Concat

from engine.records import RecordError, from_plain
from engine.replay import ReplayError
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.core.broker.queues import announce_change
from tournaments.core.broker.worker_identity import author, heard_of
from tournaments.core.config.plain_text import storable
from tournaments.ledger.dispatch.check_turns import count_check
from tournaments.ledger.dispatch.leases import knows_lease_secret, release, renew_lease
from tournaments.ledger.matchmaking.checks_elsewhere import UNCONFIRMED, is_unconfirmed, send_elsewhere
from tournaments.ledger.recording.broken_reports import count_broken
from tournaments.ledger.recording.entering import Entry, enter_results
from tournaments.ledger.recording.late_reports import compare_late
from tournaments.ledger.recording.ordered_matches import OrderedMatch, matches_ordered, worker_of_process
from tournaments.ledger.recording.report_checks import verified_replay
from tournaments.ledger.recording.results import LONGEST_TEXT
from tournaments.models import Attempt, Match, Worker
from workers.orders import VERSION, Report

RECORDED, ALREADY, NOTED = "recorded", "already recorded", "noted"
OF_SET = ("status", "checks", "trial", "ladder", "rechecks", "asked_by")
HELD = ("status", "lease", *(f"set__{name}" for name in OF_SET))
UNNAMED = "refused: the report names no worker"

log = logging.getLogger(__name__)


class NotCurrent(Exception):
    """The report's lease is over; the message is the outcome."""


def receive_report(data: object) -> str:
    """Process a report as it was received, in any shape. Returns the outcome. A blocked worker is not believed."""
    outcome = _believe(data)
    if outcome.startswith("refused"):
        log.warning("%s", outcome)
    return outcome


def _believe(data: object) -> str:
    if not (name := author(data)):
        return UNNAMED
    try:
        report: Report = from_plain(Report, data, "report")
    except RecordError as error:
        count_broken(name)
        return f"refused: {error}"
    worker = heard_of(name)
    return of_a_blocked_worker(report, worker) if worker.blocked else record_report(report)


def of_a_blocked_worker(report: Report, blocked: Worker) -> str:
    """Another worker is to play what this one holds, at once, and it does not count against the match."""
    reason = blocked.rests_because
    with transaction.atomic(), suppress(NotCurrent):
        match = _held(report)
        worker = storable(report.worker)[:120]
        if knows_lease_secret(report.match, report.lease, report.secret):
            release(match=match, outcome=Attempt.Outcome.REFUSED, reason=reason, failed=False, worker=worker)
    return f"refused: {reason}, and its reports are refused"


def record_report(report: Report) -> str:
    """Enter a report in the ledger: "recorded", "already recorded", "noted", or "refused: " and why."""
    if report.version != VERSION:
        return f"refused: a report of version {report.version}; this site reads version {VERSION}"
    if not knows_lease_secret(report.match, report.lease, report.secret):
        return f"refused: {report.worker} was not sent lease {report.lease} of match {report.match}"
    report.worker = storable(report.worker)[:120]
    try:
        if report.outcome == "playing":
            return _heartbeat(report)
        if report.outcome == "played":
            return _played(report)
        return _given_back(report)
    except NotCurrent as late:
        return _late(report, str(late))


def _heartbeat(report: Report) -> str:
    if renew_lease(match=report.match, lease=report.lease, worker=report.worker):
        return NOTED
    return f"refused: a heartbeat by {report.worker}, which does not hold lease {report.lease} of match {report.match}"


@transaction.atomic
def _given_back(report: Report) -> str:
    match, void = _held(report), report.outcome == "void"
    outcome = Attempt.Outcome.VOID if void else Attempt.Outcome.RETURNED
    reason = storable(report.reason)[:LONGEST_TEXT]
    release(match=match, outcome=outcome, reason=reason, failed=void, worker=report.worker)
    if match.set.checks_id:
        count_check(match.set.checks_id, report.seconds, report.worker)
    return NOTED


def _played(report: Report) -> str:
    if not (match := current_match(report)):
        return _lost(report)
    try:
        entry = Entry(report, match, verified_replay(report, match))  # without a lock: to play it again takes a while
    except ReplayError as error:
        return _refuse(report, error.detail)
    if match.is_check and entry.is_faulty and is_unconfirmed(report.match, worker_of_process(report.worker)):
        return _leave_to_others(report)
    if not enter_results([entry]):
        return _lost(report)
    announce_change(*match.topics)
    return RECORDED


def current_match(report: Report) -> OrderedMatch | None:
    """Return the report's match, if that is still leased as the report says."""
    match = matches_ordered([report.match]).get(report.match)
    return match if match and match.is_under(report) else None


@transaction.atomic
def _lost(report: Report) -> str:
    """Raises NotCurrent, with the reason."""
    match = _held(report)
    raise NotCurrent(f"refused: match {match.pk} was leased again meanwhile")


def _refuse(report: Report, reason: str) -> str:
    """The replay does not hold: that is the worker's doing, so the match waits to be played again."""
    reason = storable(reason)[:LONGEST_TEXT]
    with transaction.atomic():
        match = _held(report)
        release(match=match, outcome=Attempt.Outcome.REFUSED, reason=reason, failed=True, worker=report.worker)
    count_broken(worker_of_process(report.worker))
    return f"refused: {reason}"


@transaction.atomic
def _leave_to_others(report: Report) -> str:
    """A check failed, and only here so far."""
    match = _held(report)
    release(match=match, outcome=Attempt.Outcome.REFUSED, reason=UNCONFIRMED, failed=False, worker=report.worker)
    send_elsewhere(Match.objects.select_related("set__space", "set__checks").get(pk=match.pk), AvailableWorkers.here())
    if match.set.checks_id:
        count_check(match.set.checks_id, report.seconds, report.worker)
    return NOTED


def _held(report: Report) -> Match:
    """The match and its set, locked, under the report's lease. Raises NotCurrent."""
    holder = Attempt.objects.filter(match=OuterRef("pk"), lease=report.lease).values("worker")
    locked = Match.objects.select_for_update(of=("self", "set")).select_related("set").only(*HELD)
    row = locked.filter(pk=report.match).annotate(holder=Subquery(holder)).first()
    match = _under_lease(row, report)
    if row and row.holder and worker_of_process(row.holder) != worker_of_process(report.worker):
        raise NotCurrent(
            f"refused: lease {report.lease} of match {match.pk} is held by {worker_of_process(row.holder)}"
        )
    return match


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
    if report.outcome in ("played", "void"):
        attempt = Attempt.objects.filter(match=report.match, lease=report.lease, outcome=Attempt.Outcome.EXPIRED)
        attempt.update(
            outcome=Attempt.Outcome.REFUSED, reason=Concat("reason", Value(f"; then its report came, {outcome}"))
        )
    return outcome
