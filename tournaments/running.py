"""The dispatcher: one process leads, any others wait to take its place."""

import logging
import time
from threading import Event

from django.conf import settings
from django.db import connection

from tournaments.dispatching import dispatch, sweep
from tournaments.diverging import block_diverging, conclude
from tournaments.events import advance
from tournaments.fitting import refit_due
from tournaments.operations.signs import Signs
from tournaments.pairing import pair
from tournaments.patience import patiently
from tournaments.promises import keep_promises
from tournaments.rating import rate
from tournaments.trials import go_on

LEADER = 7_000  # the advisory lock; it ends with the database session, and so does the leader's right to write
BUSY, IDLE, FOLLOWER = 0.1, 0.25, 2.0  # seconds between two rounds
DEALING = 0.5  # seconds between two looks at what is to be dealt: they go through every ladder, and queues hold longer

log = logging.getLogger(__name__)


def run(stop: Event) -> None:
    """Lead until told to stop, whatever the servers do meanwhile."""
    patiently(lambda: lead(stop), stop.wait)


def lead(stop: Event) -> None:
    here, leads = Signs(settings.REDIS_URL, "dispatcher"), Signs(settings.REDIS_URL, "dispatcher", "leader")
    while not stop.is_set() and not _is_leader():
        here.give()
        stop.wait(FOLLOWER)
    if not stop.is_set():
        log.info("this process leads")
    due = 0.0
    while not stop.is_set():
        began = time.monotonic()
        done = step(dealing=began >= due)
        due = began + DEALING if began >= due else due
        leads.round(time.monotonic() - began)
        stop.wait(BUSY if done else IDLE)


def step(*, dealing: bool = True) -> int:
    """One round of all that keeps the ladders moving. Returns how much there was to do."""
    done = sweep() + conclude() + block_diverging() + rate() + refit_due()
    dealt = go_on() + advance() + pair() if dealing else 0
    return done + dealt + dispatch() + keep_promises()


def _is_leader() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LEADER])
        return bool(cursor.fetchone()[0])
