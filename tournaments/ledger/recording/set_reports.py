"""Recording the reports of one message together: with one query for their matches, and in one transaction.

Only ordinary reports are handled here. A report that is stale, void, given back, or whose replay does not verify is
handled separately (`tournaments.ledger.recording.reports`), so that it stops none of the others.
"""

import logging
from collections.abc import Mapping, Sequence

from engine.records import RecordError, from_plain
from engine.replay import ReplayError
from tournaments.core.broker.queues import announce_change, note_leases_over
from tournaments.core.broker.worker_identity import author, heard_of
from tournaments.core.config.plain_text import storable
from tournaments.ledger.dispatch.leases import knows_lease_secret, leases_over, renew_in_hand
from tournaments.ledger.recording.entering import Entry, enter_results
from tournaments.ledger.recording.ordered_matches import OrderedMatch, matches_ordered
from tournaments.ledger.recording.report_checks import verified_replay
from tournaments.ledger.recording.reports import (
    NOTED,
    RECORDED,
    UNNAMED,
    of_a_blocked_worker,
    record_report,
)
from tournaments.models import Worker
from workers.orders import VERSION, Held, InHand, Report

MOST = 1000  # in one message; a worker sends a few

log = logging.getLogger(__name__)


class OneByOne(Exception):
    """What came is no message of one worker: each part of it is read by itself."""


def receive_set(words: object) -> list[str]:
    """Process a worker's messages about a set: a list of reports and of matches in hand. Returns the outcomes. Raises
    OneByOne."""
    name, messages = _read(words)
    reports = [message for message in messages if isinstance(message, Report)]
    held = [message.match for hand in messages if isinstance(hand, InHand) for message in hand.held]
    ordered = matches_ordered(
        [report.match for report in reports] or held[:1], name
    )  # the worker's row comes with any match
    worker = _worker(name, ordered)
    if worker is not None:
        return [outcome for message in messages for outcome in _of_blocked(message, worker)]
    entered = _enter(reports, ordered)
    return [_outcome(message, entered) for message in messages]


def receive_hand(data: object) -> str:
    """Process a worker's message about the matches in its hands, sent by itself. Returns the outcome."""
    try:
        return receive_set([data])[0]
    except OneByOne as reason:
        log.warning("refused: %s", reason)
        return f"refused: {reason}"


def _read(words: object) -> tuple[str, list[Report | InHand]]:
    """Return the worker's name and its messages. Raises OneByOne if they cannot be read or are of several workers."""
    if not isinstance(words, list) or not 0 < len(words) <= MOST:
        raise OneByOne("it is no list of reports")
    names = {author(plain) for plain in words}
    name = names.pop()
    if name is None or names:
        raise OneByOne(UNNAMED)
    try:
        return name, [_one(plain) for plain in words]
    except RecordError as error:
        raise OneByOne(str(error)) from None


def _one(plain: Mapping[str, object]) -> Report | InHand:
    """Raises RecordError."""
    kind = InHand if "held" in plain else Report
    message: Report | InHand = from_plain(kind, plain, "report")
    if message.version != VERSION:
        raise RecordError(f"a report of version {message.version}; this site reads version {VERSION}")
    message.worker = storable(message.worker)[:120]
    return message


def _worker(name: str, ordered: Mapping[int, OrderedMatch]) -> Worker | None:
    """Return the worker if it is blocked. Its row came with its matches, and is written to now and then."""
    row = next((match.row for match in ordered.values()), None)
    if row and row.fresh and row.worker != Worker.Status.BLOCKED:
        return None
    worker = heard_of(name)
    return worker if worker.blocked else None


def _enter(reports: Sequence[Report], ordered: Mapping[int, OrderedMatch]) -> set[int]:
    """The reports, by their identity, whose results are in the ledger now."""
    entries = [entry for report in reports if (entry := _entry(report, ordered.get(report.match)))]
    entered = enter_results(entries) if entries else []
    if entered:
        announce_change(*sorted({topic for entry in entered for topic in entry.match.topics}))
    return {id(entry.report) for entry in entered}


def _entry(report: Report, match: OrderedMatch | None) -> Entry | None:
    """Return the entry of a report, or None if something about it is unusual."""
    usual = report.outcome == "played" and match is not None and match.is_under(report)
    if not usual or match is None or not knows_lease_secret(report.match, report.lease, report.secret):
        return None
    try:
        entry = Entry(report, match, verified_replay(report, match))
    except ReplayError:
        return None
    return None if match.is_check and entry.is_faulty else entry  # another worker may have to see it too


def _outcome(message: Report | InHand, entered: set[int]) -> str:
    if isinstance(message, InHand):
        return _renewed(message)
    outcome = RECORDED if id(message) in entered else record_report(message)
    if outcome.startswith("refused"):
        log.warning("%s", outcome)
    return outcome


def _renewed(in_hand: InHand) -> str:
    issued = [played for played in in_hand.held if knows_lease_secret(played.match, played.lease, played.secret)]
    held = [(played.match, played.lease) for played in issued]
    renewed = renew_in_hand(held=held, worker=in_hand.worker) if held else set()
    if len(renewed) < len(in_hand.held):
        _note_ended(issued)
        log.warning("of %s matches in the hand of %s it holds %s", len(in_hand.held), in_hand.worker, len(renewed))
    return NOTED if renewed else f"refused: {in_hand.worker} holds none of the matches that it says it has in hand"


def _note_ended(held: Sequence[Held]) -> None:
    """Note leases that are over, so that the worker ends these matches: their set was cancelled, or sent to another."""
    note_leases_over(leases_over([(lease.match, lease.lease) for lease in held]))


def _of_blocked(message: Report | InHand, worker: Worker) -> list[str]:
    if isinstance(message, Report):
        return [of_a_blocked_worker(message, worker)]
    held = [
        Report(played.match, played.lease, message.worker, "playing", secret=played.secret) for played in message.held
    ]
    outcomes = [of_a_blocked_worker(report, worker) for report in held]
    _note_ended([played for played in message.held if knows_lease_secret(played.match, played.lease, played.secret)])
    return outcomes
