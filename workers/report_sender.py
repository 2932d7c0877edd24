"""Signed messages from a worker: the reports of a set together, and the matches it still has to play."""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from kombu.exceptions import OperationalError

from engine.records import canonical, to_plain
from engine.sentences import as_data
from workers import process_setup
from workers.app import app
from workers.envelopes import LARGEST
from workers.examination_orders import EXAMINED, ExaminationReport
from workers.orders import RECORD_SET, REPORTS, SET_REPORTS, Held, InHand, MatchOrder, Report, Signed
from workers.practice_orders import PRACTISED, PracticeReport
from workers.suggestion_orders import SUGGESTED, SuggestionReport

PATIENCE = 60  # seconds to get rid of a report while the broker is away; kombu itself gives up after four
LONGEST = LARGEST * 3 // 4 - 10_000  # characters of a report, which travels in base64
TOGETHER = 256_000  # characters of the reports in one message, but for one that is longer

TurnReport = PracticeReport | ExaminationReport | SuggestionReport  # of what goes on turn by turn
TASKS = {PracticeReport: PRACTISED, ExaminationReport: EXAMINED, SuggestionReport: SUGGESTED}

log = logging.getLogger(__name__)


def hand_in(reports: Sequence[Signed], in_hand: Sequence[MatchOrder]) -> None:
    """Hand in reports, and renew the leases of the others. Raises OperationalError where the broker is away."""
    words = [*reports, *([sign_message(_named(in_hand))] if in_hand else [])]
    for message in messages(words):
        publish(RECORD_SET, [[[word.plain, word.signature] for word in message]], SET_REPORTS)


def _named(matches: Sequence[MatchOrder]) -> InHand:
    return InHand(process_setup.kit().worker, [Held(match.match, match.lease, match.secret) for match in matches])


def messages(words: Iterable[Signed]) -> list[list[Signed]]:
    """Together as long as they are short: a message has an upper bound, and is lost or repeated as a whole."""
    made: list[list[Signed]] = []
    for word in words:
        if not made or sum(other.size for other in made[-1]) + word.size > TOGETHER:
            made.append([])
        made[-1].append(word)
    return made


def hand_over(reports: Sequence[Signed]) -> None:
    """The reports that are left at the end of a set."""
    if reports:
        until_sent(lambda: hand_in(reports, []), f"the reports of {len(reports)} matches")


def until_sent(act: Callable[[], None], what: str) -> None:
    """Try for a minute. If the broker stays away, the site sees the leases run out and sends the matches again."""
    for second in range(PATIENCE):
        with suppress(OperationalError):
            return act()
        if not second:
            log.warning("the broker is away; kept for %s s: %s", PATIENCE, what)
        time.sleep(1)
    return log.error("given up: %s", what)


def sign_message(message: Report | TurnReport | InHand) -> Signed:
    """Raises ValueError if it is not plain data."""
    plain: dict[str, Any] = fit_report(message) if isinstance(message, Report | PracticeReport) else to_plain(message)
    return Signed(plain, process_setup.worker_identity().sign(plain), len(canonical(plain)))


def fit_report(report: Report | PracticeReport) -> dict[str, Any]:
    """The report as plain data. If it is too long, it goes without what only the owners of its bots may see."""
    plain = _plain(replace(report, faults_data=[as_data(fault.detail) for fault in report.faults]))
    if len(canonical(plain)) <= LONGEST:
        return plain
    faults = [replace(fault, asked=None, given=None) for fault in report.faults]
    slim = replace(report, stderr=[], faults=faults)
    if isinstance(slim, Report):
        slim.notes = []
    return _plain(slim)


def _plain(report: Report | PracticeReport) -> dict[str, Any]:
    """Return the report as plain data; without faults, it is one that recorders of v0.1.0 read as well."""
    plain: dict[str, Any] = to_plain(report)
    if not report.faults_data:
        del plain["faults_data"]
    return plain


def hand_in_turn(report: TurnReport) -> None:
    until_sent(lambda: publish_turn(report), f"the report on turn {report.turn} of a {type(report).__name__}")


def publish_turn(report: TurnReport) -> None:
    """Raises OperationalError where the broker is away."""
    word = sign_message(report)
    publish(TASKS[type(report)], [word.plain, word.signature], REPORTS)


def publish(task: str, given: list[Any], queue: str) -> None:
    """Raises OperationalError where the broker is away."""
    sent = {"sent_at": time.time()}  # how long it lies in the queue shows whether the recorders keep up
    app.send_task(task, given, queue=queue, headers=sent, retry=True, retry_policy={"max_retries": 0})
