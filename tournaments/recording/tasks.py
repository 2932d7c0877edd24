"""The tasks of the site: a report came in, on a match or on a turn of a practice.

Whatever a report raises ends with it (`workers.isolation`): the recorder goes on with the next one, and what was not
recorded is played again when its lease runs out. Meanwhile messages that nobody could read are noted.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from django.db import OperationalError, connection

from tournaments.broker.celery_app import app
from tournaments.broker.failing_items import FAILING_ITEMS
from tournaments.broker.retry import AWAY, retry_while_unavailable
from tournaments.broker.unreadable_messages import LOOP, note_undecodable
from tournaments.broker.worker_identity import author
from tournaments.config.tracing import span
from tournaments.practice import reports
from tournaments.recording.reports import ALREADY, RECORDED, receive
from workers.broker import Regularly
from workers.isolation import apart
from workers.logs import about
from workers.orders import RECORD
from workers.practice_orders import PRACTISED

LONGEST = 120  # characters of each claim of a report
FAILED = "refused: it could not be taken in; the desk shows why"
ROLLED_BACK, TRIES = "40", 3  # PostgreSQL's class of errors that go away by themselves, such as a deadlock

log = logging.getLogger(__name__)


@app.task(name=RECORD)
def record(report: object, signature: object = None) -> str:
    claimed = claims(report)
    with about(**claimed), span(RECORD, **claimed):
        outcome = process("match", report, signature, receive)
        if outcome in (RECORDED, ALREADY):
            log.info("%s", outcome)
    return outcome


@app.task(name=PRACTISED)
def practised(report: object, signature: object = None) -> str:
    with span(PRACTISED):
        return process("practice", report, signature, reports.receive)


def process(what: str, report: object, signature: object, act: Callable[[object, object], str]) -> str:
    item = item_of(what, report, signature)
    return (
        retry_while_unavailable(
            lambda: apart(LOOP, item, partial(_again, partial(act, report, signature)), FAILING_ITEMS)
        )
        or FAILED
    )


def item_of(what: str, report: object, signature: object) -> str:
    """The key by which it is retried and set aside: only its author can spoil a report, or use up its tries."""
    with suppress(Exception):
        if name := author(report, signature):
            claimed, outcome = claims(report, what).get(what), claims(report, "outcome").get("outcome")
            kind = outcome if outcome in ("played", "void", "returned", "playing") else "odd"
            return f"{kind} {what} {claimed if _is_number(claimed) else '?'} of {name}"
    return "unsigned report"


def _again(act: Callable[[], str]) -> str:
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
    found = {name: fields[name] for name in names or ("match", "lease", "worker") if name in fields}
    return {name: value if _is_number(value) else str(value)[:LONGEST] for name, value in found.items()}


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
