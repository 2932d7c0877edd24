"""The dispatcher: one process leads, any others wait to take its place."""

import logging
import time
from collections.abc import Callable
from threading import Event

from django.conf import settings
from django.db import connection

from tournaments.acts import final_run_course
from tournaments.broker import queues
from tournaments.broker.failing_items import FAILING_ITEMS, STEPS
from tournaments.broker.heartbeats import Heartbeats
from tournaments.broker.leader import take_lead
from tournaments.broker.news import News
from tournaments.dispatch.orders import dispatch, sweep, take_back_forgotten
from tournaments.events.lifecycle import advance
from tournaments.ladders.classic_elo import rate
from tournaments.ladders.match_luck import tell_luck
from tournaments.ladders.official_fit import refit_due
from tournaments.ladders.shadow_ratings import cast_shadows
from tournaments.matchmaking.ladder_sets import pair
from tournaments.matchmaking.promised_waits import keep_promises
from tournaments.matchmaking.spot_checks import assign_due
from tournaments.matchmaking.trials import go_on
from tournaments.practice import turns
from tournaments.recording.divergent_workers import block_diverging, conclude
from tournaments.recording.doubles import judge_stand_ins
from workers.isolation import apart, keep_on

BUSY = 0.1  # seconds between two rounds while there is work
TICK = 0.2  # seconds between two looks for news while there is none
SOON, QUIET = 0.25, 4.0  # the same after news, and at most: a round that finds nothing doubles the pause to the next
FOLLOWER = 2.0  # seconds between two tries to take the lead
LOOK_EVERY = 0.5  # seconds between two looks through every ladder, lease and rating; queues hold longer

log = logging.getLogger(__name__)


def recover_forgotten() -> int:
    """The broker lost what it held: its orders, and the turns of practices, are sent again. Returns how many."""
    if not queues.has_forgotten():
        return 0
    ended = take_back_forgotten() + turns.resend_all()
    queues.remember()
    return ended


LOOKING: dict[str, Callable[[], int]] = {
    "recover what the broker forgot": recover_forgotten,
    "take back leases": sweep,
    "practices": turns.sweep,
    "compare spot checks": conclude,
    "block diverging workers": block_diverging,
    "judge doubles": judge_stand_ins,
    "classic ratings": rate,
    "official ratings": refit_due,
    "luck": tell_luck,
    "shadow ratings": cast_shadows,
    "trials": go_on,
    "events": advance,
    "final runs": final_run_course.go_on,
    "pairing": pair,
    "spot checks": assign_due,
}
SENDING: dict[str, Callable[[], int]] = {"send orders": dispatch, "promised waits": keep_promises}


def run(stop: Event) -> None:
    """Lead until stopped, through any outage of the servers."""
    keep_on("dispatcher", Leader().turn, stop, FAILING_ITEMS)


class Leader:
    """Leads while it holds the lock. A connection that was lost took the lock with it."""

    def __init__(self) -> None:
        self._here = Heartbeats(settings.REDIS_URL, "dispatcher")
        self._leads = Heartbeats(settings.REDIS_URL, "dispatcher", "leader")
        self._connection: object = None
        self._news, self._rounds = News(), Rounds()

    def turn(self) -> float:
        """A look for news, and a round where one is due. Returns the seconds until the next."""
        try:
            return self._lead() if self._is_leader() else self._wait()
        except Exception:
            connection.close()  # a broken one would fail for ever
            raise

    def _is_leader(self) -> bool:
        if self._connection is None or self._connection is not connection.connection:
            self._connection = connection.connection if take_lead() else None
        return self._connection is not None

    def _wait(self) -> float:
        self._here.send()
        return FOLLOWER

    def _lead(self) -> float:
        began = time.monotonic()
        if not self._rounds.due(began, news=self._news.look()):
            return TICK
        worked = step(looking=self._rounds.looks(began)) > 0
        self._rounds.ended(began, worked=worked)
        self._leads.round(time.monotonic() - began)
        return BUSY if worked else TICK


class Rounds:
    """When the next round is due: at once after news or work, and ever later while nothing happens."""

    def __init__(self) -> None:
        self._pause, self._next, self._look_at = SOON, 0.0, 0.0

    def due(self, now: float, *, news: bool) -> bool:
        if news:
            self._pause, self._next = SOON, min(self._next, now)
        return now >= self._next

    def looks(self, now: float) -> bool:
        """Whether the round looks through everything, or only sends what was dealt."""
        looks = now >= self._look_at
        if looks:
            self._look_at = now + LOOK_EVERY
        return looks

    def ended(self, began: float, *, worked: bool) -> None:
        self._next = began + (BUSY if worked else self._pause)
        self._pause = SOON if worked else min(2 * self._pause, QUIET)


def step(*, looking: bool = True) -> int:
    """One round of all that keeps the ladders moving. Returns how much there was to do."""
    parts = {**(LOOKING if looking else {}), **SENDING}
    return sum(_do(name, part) for name, part in parts.items())


def _do(name: str, part: Callable[[], int]) -> int:
    """Each part does its own items apart; should one fail as a whole, the others are done all the same."""
    return apart("dispatcher", name, part, STEPS, seconds=0) or 0
