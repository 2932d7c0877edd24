"""The tasks of the site: a report came in, with a signature of a worker of v0.2.0. Features have tasks of their own.

Whatever a report raises ends with it (`workers.isolation`): the recorder continues with the next one, and what was not
recorded is played again when its lease expires. In between it notes unreadable messages.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any, TypeVar

from django.db import OperationalError, connection

from tournaments.core.broker.celery_app import app
from tournaments.core.broker.failing_items import FAILING_ITEMS, server_is_away
from tournaments.core.broker.retry import AWAY, retry_while_unavailable
from tournaments.core.broker.unreadable_messages import LOOP, note_undecodable
from tournaments.core.broker.worker_identity import author
from tournaments.core.config.tracing import span
from tournaments.ledger.recording.reports import ALREADY, RECORDED, receive_report
from tournaments.ledger.recording.set_reports import OneByOne, receive_hand, receive_set
from workers.broker import Regularly
from workers.isolation import ITEM_SECONDS, apart, time_limit
from workers.logs import log_about
from workers.orders import RECORD, RECORD_SET

LONGEST = 120  # characters of each claim of a report
FAILED = "refused: it could not be taken in; the desk shows why"
T = TypeVar("T")
ROLLED_BACK, TRIES = "40", 3  # PostgreSQL's class of errors that go away by themselves, such as a deadlock

log = logging.getLogger(__name__)


@app.task(name=RECORD)
def record_match(report: object, *_: object) -> str:
    claimed = claims(report)
    with log_about(**claimed), span(RECORD, **claimed):
        outcome = process("match", report, receive_report)
        if outcome in (RECORDED, ALREADY):
            log.info("%s", outcome)
    return outcome


@app.task(name=RECORD_SET)
def record_set(words: object) -> list[str]:
    """The reports of a set, and what its worker still has of it: together, or else one by one."""
    reports = [_unsigned(word) for word in words] if isinstance(words, list) else [words]
    claimed = claims(reports[0], "worker") if reports else {}
    tries = count()
    with log_about(**claimed), span(RECORD_SET, **claimed):
        together = retry_while_unavailable(lambda: _together(reports) if next(tries) < TRIES else None)
        outcomes = together or [_by_itself(report) for report in reports]
        log.info("%s", ", ".join(outcomes))
    return outcomes


def _together(reports: list[object]) -> list[str] | None:
    """Process reports together; None if that fails because of one of them. Raises the errors of an absent server."""
    try:
        with time_limit(ITEM_SECONDS):
            return _again(lambda: receive_set(reports))
    except OneByOne as reason:
        log.warning("reports are taken in one by one: %s", reason)
    except Exception as error:
        if server_is_away(error):
            raise
        log.exception("reports are taken in one by one")
    return None


def _unsigned(word: object) -> object:
    """Return the report. Workers of v0.2.0 send each with a signature."""
    return word[0] if isinstance(word, list) and word else word


def _by_itself(report: object) -> str:
    in_hand = isinstance(report, dict) and "held" in report
    return process("hand" if in_hand else "match", report, receive_hand if in_hand else receive_report)


def process(what: str, report: object, act: Callable[[object], str]) -> str:
    item = item_of(what, report)
    return (
        retry_while_unavailable(lambda: apart(LOOP, item, partial(_again, partial(act, report)), FAILING_ITEMS))
        or FAILED
    )


def item_of(what: str, report: object) -> str:
    """The key by which it is retried and set aside."""
    with suppress(Exception):
        if name := author(report):
            claimed, outcome = claims(report, what).get(what), claims(report, "outcome").get("outcome")
            kind = outcome if outcome in ("played", "void", "returned", "playing", "asked", "begun") else "odd"
            return f"{kind} {what} {claimed if _is_number(claimed) else '?'} of {name}"
    return "odd report"


def _again(act: Callable[[], T]) -> T:
    for _ in range(TRIES - 1):
        try:
            return act()
        except OperationalError as error:
            if not (getattr(error.__cause__, "sqlstate", None) or "").startswith(ROLLED_BACK):
                raise
    return act()


def claims(report: object, *names: str) -> dict[str, str | int]:
    """The ids that a report, in any shape, claims to be about."""
    fields = report if isinstance(report, Mapping) else {}
    claimed = {name: fields[name] for name in names or ("match", "lease", "worker") if name in fields}
    return {name: value if _is_number(value) else str(value)[:LONGEST] for name, value in claimed.items()}


def _is_number(value: object) -> bool:
    """Whether it is a number that fits into a database column."""
    return type(value) is int and 0 <= value < 1 << 63


class Notes(Regularly):
    """Notes messages that were set aside, between two reports."""

    def do(self, consumer: Any) -> None:  # noqa: ARG002  Celery gives it
        try:
            note_undecodable()
        except AWAY as error:
            log.warning("what was set aside is not noted: %s", error)
            connection.close()


app.steps["consumer"].add(Notes)
