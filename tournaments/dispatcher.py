"""The dispatcher: one process leads, or one for each group of ladders; others stand by to take over."""

import time
from collections.abc import Callable, Collection
from math import inf
from threading import Event

from django.conf import settings
from django.db import connection

from tournaments.accounts import spending
from tournaments.acts import final_marks_progress, final_run_progress
from tournaments.broker import queues
from tournaments.broker.failing_items import FAILING_ITEMS, STEPS
from tournaments.broker.heartbeats import Heartbeats
from tournaments.broker.leader import EVERY, Leadership
from tournaments.broker.led_groups import LED
from tournaments.broker.news import News
from tournaments.competitors import examinations
from tournaments.dispatch.occasions import OCCASIONS, without_occasion
from tournaments.dispatch.orders import dispatch
from tournaments.dispatch.sweep import sweep, take_back_forgotten
from tournaments.dispatch.waiting_sets import QUEUES
from tournaments.dumps.season_prints import print_due
from tournaments.events.lifecycle import advance
from tournaments.ladders.classic_elo import rate
from tournaments.ladders.match_luck import tell_luck
from tournaments.ladders.official_fit import refit_due
from tournaments.ladders.rating_checks import check_due
from tournaments.ladders.shadow_ratings import cast_shadows
from tournaments.matchmaking.ladder_sets import pair
from tournaments.matchmaking.promised_waits import keep_promises
from tournaments.matchmaking.spot_checks import assign_due
from tournaments.matchmaking.trials import go_on
from tournaments.moderation.suspensions import end_due
from tournaments.own_data.erasure import erase_due
from tournaments.practice import slow_play, surveys, turns
from tournaments.recording.divergent_workers import block_diverging, conclude
from tournaments.recording.identical_play import judge_stand_ins
from tournaments.spaces import own_workers, retention
from workers.isolation import apart, keep_on

BUSY, CALM = 0.1, 0.4  # seconds between two rounds while there is work: if workers may be idle, and else
TICK, CALM_TICK = 0.2, 0.4  # seconds between two looks for news while there is none, and once there was none for long
SOON, QUIET = 0.25, 4.0  # the same after news, and at most: a round that finds nothing doubles the pause to the next
LOOK_EVERY = 0.5  # seconds between two turns of a part that looks through ladders or leases
SELDOM = {  # of those that nobody waits for so soon
    "recover what the broker forgot": 1.0,
    "take back leases": 1.0,
    "slow play": 2.0,
    "compare spot checks": 2.0,
    "block diverging workers": 2.0,
    "judge doubles": 2.0,
    "classic ratings": 2.0,
    "rating checks": 1.0,
    "official ratings": 4.0,
    "luck": 1.0,
    "shadow ratings": 2.0,
    "erased accounts": 1.0,
    "examinations": 1.0,
    "suspensions": 1.0,
    "seasons": 5.0,
    "workers of spaces": 5.0,
    "retention of spaces": 600.0,
    "ended budgets": 600.0,
}
DEALING, DEALS_EVERY = (
    ("trials", "events", "final runs", "pairing"),
    1.0,
)  # the same while all workers have enough to do

OF_THE_SITE = {  # done by the leader of the first group: they are of workers, of people, or of few matches
    "recover what the broker forgot",
    "take back leases",
    "practices",
    "slow play",
    "compare spot checks",
    "block diverging workers",
    "judge doubles",
    "spot checks",
    "erased accounts",
    "surveys",
    "examinations",
    "suspensions",
    "workers of spaces",
    "retention of spaces",
    "ended budgets",
}


def recover_forgotten() -> int:
    """The broker lost what it held: orders, turns of practices and examinations are sent again. Returns how many."""
    if not queues.has_forgotten():
        return 0
    ended = take_back_forgotten() + turns.resend_all() + examinations.resend_all()
    queues.remember()
    return ended


LOOKING: dict[str, Callable[[], int]] = {
    "recover what the broker forgot": recover_forgotten,
    "take back leases": sweep,
    "practices": turns.sweep,
    "slow play": slow_play.let_pass,
    "compare spot checks": conclude,
    "block diverging workers": block_diverging,
    "judge doubles": judge_stand_ins,
    "classic ratings": rate,
    "rating checks": check_due,
    "official ratings": refit_due,
    "luck": tell_luck,
    "shadow ratings": cast_shadows,
    "trials": go_on,
    "events": advance,
    "final runs": final_run_progress.go_on,
    "courses": final_marks_progress.go_on,
    "pairing": pair,
    "spot checks": assign_due,
    "erased accounts": erase_due,
    "surveys": surveys.go_on,
    "examinations": examinations.go_on,
    "suspensions": end_due,
    "seasons": print_due,
    "workers of spaces": own_workers.watch,
    "retention of spaces": retention.go_on,
    "ended budgets": spending.forget_ended_periods,
}
SENDING: dict[str, Callable[[], int]] = {"send orders": dispatch, "promised waits": keep_promises}


def run(stop: Event) -> None:
    """Lead until stopped, through any outage of the servers."""
    keep_on("dispatcher", Leader().turn, stop, FAILING_ITEMS)


class Leader:
    """Leads those groups whose locks it holds."""

    def __init__(self) -> None:
        self._here = Heartbeats(settings.REDIS_URL, "dispatcher")
        self._leads = Heartbeats(settings.REDIS_URL, "dispatcher", "leader")
        self._leadership = Leadership(settings.LEADER_GROUPS)
        self._news, self._rounds = News(), Rounds()

    def turn(self) -> float:
        """A look for news, and a round where one is due. Returns the seconds until the next."""
        try:
            self._look_after(self._leadership.slots(time.monotonic()))
            return self._lead() if LED.slots else self._wait()
        except Exception:
            connection.close()  # a broken one would fail for ever
            raise

    def _look_after(self, slots: frozenset[int]) -> None:
        if slots != LED.slots:
            LED.slots, self._rounds = slots, Rounds()

    def _wait(self) -> float:
        self._here.send()
        return EVERY

    def _lead(self) -> float:
        began = time.monotonic()
        calm = self._rounds.calm
        if self._rounds.rests(began) or not self._rounds.due(began, news=self._news.look(calm=calm)):
            return CALM_TICK if calm else TICK
        worked = step(self._rounds.turns(began, hurry=QUEUES.ran_dry)) > 0
        self._rounds.ended(began, worked=worked, pause=BUSY if QUEUES.ran_dry else CALM)
        self._leads.round(time.monotonic() - began)
        return BUSY if worked else TICK


class Rounds:
    """When the next round is due: soon after news or work, and ever later while nothing happens."""

    def __init__(self) -> None:
        self._pause, self._next, self._earliest = SOON, 0.0, 0.0
        self._taken: dict[str, float] = {}  # when each part had its last turn

    @property
    def calm(self) -> bool:
        """Whether nothing has happened for so long that pauses grow no more."""
        return self._pause >= QUIET

    def due(self, now: float, *, news: bool) -> bool:
        if news:
            self._pause, self._next = SOON, min(self._next, max(now, self._earliest))
        return now >= self._next

    def rests(self, now: float) -> bool:
        """Whether no news could make a round due yet."""
        return now < min(self._next, self._earliest)

    def turns(self, now: float, *, hurry: bool = True) -> list[str]:
        """The parts besides sending that have their turn in this round. `hurry`: workers may be idle."""
        calm = {} if hurry else dict.fromkeys(DEALING, DEALS_EVERY)
        due = [name for name in LOOKING if now >= self._taken.get(name, -inf) + (SELDOM | calm).get(name, LOOK_EVERY)]
        self._taken.update(dict.fromkeys(due, now))
        return due

    def ended(self, began: float, *, worked: bool, pause: float = BUSY) -> None:
        self._earliest = began + pause
        self._next = began + (pause if worked else self._pause)
        self._pause = SOON if worked else min(2 * self._pause, QUIET)


def step(looking: Collection[str] | None = None) -> int:
    """One round: of these parts, or all, those that may find something to do, and sending. Returns how much there was
    to do."""
    wanted = set(LOOKING if looking is None else looking) - (set() if LED.first else OF_THE_SITE)
    skipped = without_occasion() if OCCASIONS.keys() & wanted else set()
    parts = {name: part for name, part in LOOKING.items() if name in wanted and name not in skipped} | SENDING
    return sum(_do(name, part) for name, part in parts.items())


def _do(name: str, part: Callable[[], int]) -> int:
    """Each part does its own items apart; should one fail as a whole, the others are done all the same."""
    where = "" if LED.whole else f" of slot {min(LED.slots)}"  # one leader's trouble holds up no other
    return apart("dispatcher", name + where, part, STEPS, seconds=0) or 0
