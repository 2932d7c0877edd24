"""Messages from a worker: the reports of a set together, and the matches it still has to play."""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from kombu.exceptions import OperationalError

from workers import process_setup
from workers.app import app
from workers.examination_orders import EXAMINED, ExaminationReport
from workers.orders import RECORD_SET, REPORTS, SET_REPORTS, Held, InHand, MatchOrder, Sized
from workers.practice_orders import PRACTISED, PracticeReport
from workers.report_sizes import messages, sized
from workers.suggestion_orders import SUGGESTED, SuggestionReport
from workers.turn_orders import TurnReport

PATIENCE = 60  # seconds to get rid of a report while the broker is away; kombu itself gives up after four

TASKS = {PracticeReport: PRACTISED, ExaminationReport: EXAMINED, SuggestionReport: SUGGESTED}

log = logging.getLogger(__name__)


def hand_in(reports: Sequence[Sized], in_hand: Sequence[MatchOrder]) -> None:
    """Hand in reports, and renew the leases of the others. Raises OperationalError where the broker is away."""
    words = [*reports, *([sized(_named(in_hand))] if in_hand else [])]
    for message in messages(words):
        publish(RECORD_SET, [[word.plain for word in message]], SET_REPORTS)


def _named(matches: Sequence[MatchOrder]) -> InHand:
    return InHand(process_setup.kit().worker, [Held(match.match, match.lease, match.secret) for match in matches])


def hand_over(reports: Sequence[Sized]) -> None:
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


def hand_in_turn(report: TurnReport) -> None:
    until_sent(lambda: publish_turn(report), f"the report on turn {report.turn} of a {type(report).__name__}")


def publish_turn(report: TurnReport) -> None:
    """Raises OperationalError where the broker is away."""
    publish(TASKS[type(report)], [sized(report).plain], REPORTS)


def publish(task: str, given: list[Any], queue: str) -> None:
    """Raises OperationalError where the broker is away."""
    sent = {"sent_at": time.time()}  # how long it lies in the queue shows whether the recorders keep up
    app.send_task(task, given, queue=queue, headers=sent, retry=True, retry_policy={"max_retries": 0})
