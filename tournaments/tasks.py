"""The tasks of the site: a report came in, on a match or on a turn of a practice."""

import logging
from collections.abc import Mapping

from tournaments.celery import app
from tournaments.operations.telling import span
from tournaments.patience import patiently
from tournaments.practices import reports
from tournaments.recording import ALREADY, RECORDED, receive
from workers.logs import about
from workers.orders import RECORD
from workers.practice_orders import PRACTISED

LONGEST = 120  # characters of what a report says that it is about

log = logging.getLogger(__name__)


@app.task(name=RECORD)
def record(report: object, signature: object = None) -> str:
    claimed = claims(report)
    with about(**claimed), span(RECORD, **claimed):
        outcome = patiently(lambda: receive(report, signature))
        if outcome in (RECORDED, ALREADY):
            log.info("%s", outcome)
    return outcome


@app.task(name=PRACTISED)
def practised(report: object, signature: object = None) -> str:
    with span(PRACTISED):
        return patiently(lambda: reports.receive(report, signature))


def claims(report: object) -> dict[str, str | int]:
    """What a report, whatever it is, says that it is about."""
    said = report if isinstance(report, Mapping) else {}
    told = {name: said[name] for name in ("match", "lease", "worker") if name in said}
    return {name: value if _is_number(value) else str(value)[:LONGEST] for name, value in told.items()}


def _is_number(value: object) -> bool:
    """Of those that fit wherever they are told."""
    return type(value) is int and 0 <= value < 1 << 63
