"""The dispatcher: one process leads, and others stand by to take over."""

import time
from collections.abc import Callable, Collection
from math import inf
from threading import Event

from django.conf import settings
from django.db import connection

from tournaments.core.accounts import spending
from tournaments.core.broker import queues
from tournaments.core.broker.failing_items import FAILING_ITEMS, STEPS
from tournaments.core.broker.heartbeats import Heartbeats
from tournaments.core.broker.leader import EVERY, Leadership
from tournaments.core.broker.news import News
from tournaments.core.feature import Step, features
from tournaments.ledger.dispatch.orders import dispatch
from tournaments.ledger.dispatch.sweep import sweep_leases, take_back_forgotten
from tournaments.ledger.dispatch.waiting_sets import QUEUES
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.official_fit import refit_due
from tournaments.ledger.ladders.rating_checks import check_due
from tournaments.ledger.matchmaking.ladder_sets import pair
from tournaments.ledger.matchmaking.spot_checks import assign_due
from tournaments.ledger.recording.divergent_workers import block_diverging, conclude_spot_checks
from tournaments.models.prepared_statements import run_prepared
from workers.isolation import apart, keep_on

BUSY, CALM = 0.1, 0.4  # seconds between two rounds while there is work: if workers may be idle, and else
TICK, CALM_TICK = 0.2, 1.0  # seconds between two looks for news while there is none, and once there was none for long
SOON, QUIET = 0.25, 10.0  # the same after news, and at most: a round that finds nothing doubles the pause to the next
DEALS_EVERY = 1.0  # seconds between two turns of a step that deals sets, while all workers have enough to do


def recover_forgotten() -> int:
    """Send again what the broker held and lost: orders, and what features sent. Return how many."""
    if not queues.has_forgotten():
        return 0
    ended = take_back_forgotten() + sum(feature.resend() for feature in features())
    queues.note_epoch()
    return ended


LOOKING: dict[str, Step] = {
    step.name: step
    for step in (
        Step(name="recover what the broker forgot", run=recover_forgotten, every=1.0),
        Step(name="take back leases", run=sweep_leases, every=1.0),
        Step(
            name="compare spot checks",
            run=conclude_spot_checks,
            every=2.0,
            pending=(
                "SELECT FROM tournaments_matchset WHERE rechecks_id IS NOT NULL AND status = 'complete' AND reason = ''"
            ),
        ),
        Step(
            name="block diverging workers",
            run=block_diverging,
            every=2.0,
            pending="SELECT FROM tournaments_act WHERE kind IN ('worker_diverged', 'worker_timed_out_alone')",
        ),
        Step(
            name="classic ratings",
            run=rate,
            every=2.0,
            pending=(
                "SELECT FROM tournaments_matchset WHERE status = 'complete' AND NOT rated "
                "AND number IS NOT NULL AND counts"
            ),
        ),
        Step(name="rating checks", run=check_due, every=1.0),
        Step(name="official ratings", run=refit_due, every=4.0),
        *(step for feature in features() for step in feature.steps if not step.after_sending),
        Step(
            name="pairing",
            run=pair,
            deals=True,
            pending="SELECT FROM tournaments_ladder WHERE status IN ('open', 'frozen')",
        ),
        Step(
            name="spot checks",
            run=assign_due,
            pending="SELECT FROM tournaments_matchset WHERE line IN ('again', 'check') AND status = 'open'",
        ),
        Step(name="ended budgets", run=spending.forget_ended_periods, every=600.0),
    )
}
SENDING: dict[str, Callable[[], int]] = {
    "send orders": dispatch,
    **{step.name: step.run for feature in features() for step in feature.steps if step.after_sending},
}


def lead_until_stopped(stop: Event) -> None:
    """Lead until stopped, through any outage of the servers."""
    keep_on("dispatcher", Leader().turn, stop, FAILING_ITEMS)


class Leader:
    """Leads while it holds the lock."""

    def __init__(self) -> None:
        self._here = Heartbeats(settings.REDIS_URL, "dispatcher")
        self._leads = Heartbeats(settings.REDIS_URL, "dispatcher", "leader")
        self._leadership, self._is_leading = Leadership(), False
        self._news, self._rounds = News(), Rounds()

    def turn(self) -> float:
        """A look for news, and a round where one is due. Returns the seconds until the next."""
        try:
            self._begin_or_end(self._leadership.leads(time.monotonic()))
            return self._lead() if self._is_leading else self._wait()
        except Exception:
            connection.close()  # a broken one would fail for ever
            raise

    def _begin_or_end(self, leads: bool) -> None:
        """Start anew when the lead changes: what happened while another led is not known here."""
        if leads != self._is_leading:
            self._is_leading, self._rounds = leads, Rounds()
            for feature in features():
                feature.lead_changed()

    def _wait(self) -> float:
        self._here.send()
        return EVERY

    def _lead(self) -> float:
        began = time.monotonic()
        calm = self._rounds.calm
        if self._rounds.rests(began) or not self._rounds.due(began, news=self._news.look(calm=calm)):
            return CALM_TICK if calm else TICK
        worked = dispatch_round(self._rounds.turns(began, hurry=QUEUES.ran_dry)) > 0
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
        due = [
            step.name
            for step in LOOKING.values()
            if now >= self._taken.get(step.name, -inf) + pause_after(step, hurry=hurry)
        ]
        self._taken.update(dict.fromkeys(due, now))
        return due

    def ended(self, began: float, *, worked: bool, pause: float = BUSY) -> None:
        self._earliest = began + pause
        self._next = began + (pause if worked else self._pause)
        self._pause = SOON if worked else min(2 * self._pause, QUIET)


def pause_after(step: Step, *, hurry: bool) -> float:
    """Return the seconds until the step's next turn. `hurry`: workers may be idle."""
    return DEALS_EVERY if step.deals and not hurry else step.every


def dispatch_round(looking: Collection[str] | None = None) -> int:
    """Do one round: of these parts, or all, those that may find work, and sending. Returns how much there was to do."""
    names = LOOKING if looking is None else looking
    chosen = [part for part in LOOKING.values() if part.name in names]
    idle = without_work() if any(part.pending for part in chosen) else set()
    parts = {part.name: part.run for part in chosen if part.name not in idle} | SENDING
    return sum(_do(name, part) for name, part in parts.items())


def without_work() -> set[str]:
    """Return the names of the steps that have nothing to do now: one statement asks for all, always the same."""
    asked = [part for part in LOOKING.values() if part.pending]
    [held] = run_prepared(f"SELECT {', '.join(f'EXISTS ({part.pending})' for part in asked)}", [])
    return {part.name for part, holds in zip(asked, held, strict=True) if not holds}


def _do(name: str, part: Callable[[], int]) -> int:
    """Do a part, which handles failures of its items; should it fail as a whole, the others are done all the same."""
    return apart("dispatcher", name, part, STEPS, seconds=0) or 0
