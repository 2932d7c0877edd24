"""Many matches at once, over several processes: the vectorised environment.

    with Batch("zaibatsu", 256, seed="training") as batch:
        now = batch.reset()
        while learning:
            now = batch.step(policy(now.observations, now.masks))

The matches are those of `engine.batch`: each follows from the batch's seed and its own number, whatever the number of
processes. A match that ends is followed by another at once: its row has the first decision of the next, `done` is set,
and `rewards` are those of the one that ended. The arrays are shared memory, and change with the next `step`: copy what
you keep. With `learners=[0]` the rows are decisions of that seat alone: the others answer at random where the match is
played, and nothing is written of what they observe.
"""

import importlib
import os
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final, Self

from bots.environments.course import Course, rewards
from bots.environments.encoding import EnvironmentRefused, encoding_of
from bots.environments.extras import missing
from bots.environments.tensors import MASKED, OBSERVED
from engine.batch import Deal
from engine.dice import Dice

try:
    import numpy as np
except ImportError as error:
    raise missing("gymnasium", error) from None

INTS: Final = 4  # bytes of a number
RESET, STEP, SHOW, TAKE = b"r", b"s", b"w", b"t"


@dataclass(frozen=True, slots=True)
class Row:
    """A match under way: how many were begun in its row, and the dice of those who answer at random."""

    begun: int
    dice: Dice
    course: Course


@dataclass(frozen=True, slots=True)
class Taken:
    """A batch in the middle of play, from which another one goes on: its matches, and how the last ones ended."""

    rows: dict[int, Row]
    rewards: bytes
    done: bytes


@dataclass(frozen=True, slots=True)
class Now:
    """A row for each match."""

    observations: Any  # int32
    masks: Any  # int8
    seats: Any  # int32: who decides
    rewards: Any  # float32, by seat: of the match that just ended, else 0
    done: Any  # int8: whether one just ended


class Rows:
    """The memory that all processes have in common."""

    def __init__(self, n: int, size: int, actions: int, players: int) -> None:
        shared = get_context("spawn").RawArray
        self.shape = (n, size, actions, players)
        self.observations, self.masks = shared("b", n * size * INTS), shared("b", n * actions)
        self.seats, self.rewards = shared("i", n), shared("f", n * players)
        self.done, self.actions = shared("b", n), shared("i", n)

    def seen(self) -> Now:
        n, size, actions, players = self.shape
        return Now(
            np.frombuffer(self.observations, OBSERVED).reshape(n, size),
            np.frombuffer(self.masks, MASKED).reshape(n, actions),
            np.frombuffer(self.seats, OBSERVED),
            np.frombuffer(self.rewards, np.float32).reshape(n, players),
            np.frombuffer(self.done, MASKED),
        )


class Matches:
    """The matches of one process: those whose numbers are in `mine`."""

    def __init__(
        self, rows: Rows, deal: Deal, mine: range, learners: frozenset[int], taken: dict[int, Row] | None = None
    ) -> None:
        n, size, actions, players = rows.shape
        self.learners = learners
        self.rows, self.deal, self.mine, self.n, self.players = rows, deal, mine, n, players
        self.encoding = encoding_of(deal.game, deal.options)  # type: ignore[arg-type]
        self.wide, self.actions = size * INTS, actions
        self.observations = memoryview(rows.observations).cast("B")
        self.masks = memoryview(rows.masks).cast("B")
        self.begun = {row: kept.begun for row, kept in (taken or {}).items()}
        self.dice = {row: kept.dice for row, kept in (taken or {}).items()}
        self.courses = {row: kept.course for row, kept in (taken or {}).items()}

    def reset(self) -> None:
        self.begun = dict.fromkeys(self.mine, 0)
        self.courses = {row: self._next(row) for row in self.mine}
        for row in self.mine:
            self._ended(row, [0.0] * self.players, 0)
        self.show()

    def show(self) -> None:
        """Write what is decided next in each match."""
        for row, course in self.courses.items():
            self._show(row, course)

    def take(self) -> dict[int, Row]:
        """Return copies of the matches as they stand."""
        dice = self.dice
        return {row: Row(self.begun[row], dice[row].copy(), course.copy()) for row, course in self.courses.items()}

    def step(self) -> None:
        given, was_done = self.rows.actions[:], self.rows.done[:]
        for row in self.mine:
            course = self.courses[row]
            course.act(given[row])
            if course.seat not in self.learners:
                self._until_asked(course, row)
            if was_done[row]:
                self._ended(row, [0.0] * self.players, 0)
            if course.over:
                self._ended(row, rewards(course.places()), 1)
                self.courses[row] = course = self._next(row)
            self._show(row, course)

    def _next(self, row: int) -> Course:
        """One in which a learner decides: a match in which none is ever asked is passed over."""
        while True:
            match, self.dice[row] = self.deal.begin(row + self.n * self.begun[row])
            self.begun[row] += 1
            course = Course(self.encoding, match)
            self._until_asked(course, row)
            if not course.over:
                return course

    def _until_asked(self, course: Course, row: int) -> None:
        """The others' answers, until the match is over or a learner is asked."""
        dice, learners = self.dice[row], self.learners
        while course.seat not in learners and not course.over:
            course.give(course.question.draw(dice))

    def _ended(self, row: int, earned: list[float], done: int) -> None:
        self.rows.done[row] = done
        self.rows.rewards[row * self.players : (row + 1) * self.players] = earned

    def _show(self, row: int, course: Course) -> None:
        seat, start = course.seat, row * self.actions
        self.rows.seats[row] = seat
        self.observations[row * self.wide : (row + 1) * self.wide] = course.observed(seat)
        self.masks[start : start + self.actions] = course.mask()


ORDERS: Final[dict[bytes, Callable[[Matches], Any]]] = {
    RESET: Matches.reset,
    STEP: Matches.step,
    SHOW: Matches.show,
    TAKE: Matches.take,
}


class Batch:
    """`n` matches of a game, a share of them in this process; leaving the `with` ends the others."""

    def __init__(
        self,
        game: str,
        n: int,
        *,
        processes: int | None = None,
        seed: str = "batch",
        learners: Collection[int] | None = None,
        **options: Any,
    ) -> None:
        """Begin with as many `processes` as there are cores, and all seats as `learners`, if none are named.

        Raises EnvironmentRefused.
        """
        self.encoding = encoding_of(game, options)
        if n < 1:
            raise EnvironmentRefused("bad_size", f"a batch has at least 1 match, not {n}")
        self.n, self.processes = n, min(n, processes or os.cpu_count() or 1)
        self.learners = _learners(learners, self.encoding.options.players)
        self.rows = Rows(n, self.encoding.size, self.encoding.actions.size, self.encoding.options.players)
        self.now = self.rows.seen()
        self._given, self._begun = np.frombuffer(self.rows.actions, OBSERVED), False
        self._taken: Taken | None = None
        self._made_again = partial(Batch, game, n, processes=processes, seed=seed, learners=self.learners, **options)
        self._deal = Deal(game, dict(options), seed, None)
        self._own: Matches | None = None
        self._doors: list[Connection] = []
        self._started: list[Any] = []

    def __enter__(self) -> Self:
        """A share is played here: of one process more than there are cores, some would wait for a core at each step."""
        for first in range(1, self.processes):
            self._start(range(first, self.n, self.processes))
        self._own = Matches(*self._share(range(0, self.n, self.processes)))
        self._begun = False
        if self._taken:
            self._resume(self._taken)
        return self

    def _share(self, mine: range) -> tuple[Rows, Deal, range, frozenset[int], dict[int, Row] | None]:
        """Return what `Matches` of these numbers are made of."""
        taken = {row: self._taken.rows[row] for row in mine} if self._taken else None
        return self.rows, self._deal, mine, self.learners, taken

    def _resume(self, taken: Taken) -> None:
        self.now.rewards[:] = np.frombuffer(taken.rewards, np.float32).reshape(self.now.rewards.shape)
        self.now.done[:] = np.frombuffer(taken.done, MASKED)
        self._all(SHOW)
        self._taken = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the matches as they stand; the copy goes on with them in a `with` of its own."""
        return self._made_again, (), {"_taken": self._take()}

    def _take(self) -> Taken | None:
        if not (self._own and self._begun):
            return self._taken
        rows = {row: kept for share in self._all(TAKE) for row, kept in share.items()}
        return Taken(rows, self.now.rewards.tobytes(), self.now.done.tobytes())

    def _start(self, mine: range) -> None:
        start = get_context("spawn")
        near_end, far_end = start.Pipe()
        process = start.Process(target=_serve, args=(far_end, *self._share(mine)), daemon=True)
        process.start()
        far_end.close()
        self._doors.append(near_end)
        self._started.append(process)

    def __exit__(self, *_: object) -> None:
        for door in self._doors:
            door.close()
        for process in self._started:
            process.terminate()
            process.join()
        self._doors, self._started, self._own = [], [], None

    def reset(self) -> Now:
        """Begin every match anew, the same ones each time, and return what is observed."""
        self._all(RESET)
        return self.now

    def step(self, actions: Any) -> Now:
        """An action for each match. Raises EnvironmentRefused, before anything is done, if one of them is masked."""
        given = np.asarray(actions)
        if not self._begun:
            raise EnvironmentRefused("not_begun", "no match is under way: call reset")
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise EnvironmentRefused("bad_actions", f"give {self.n} whole numbers, not {given.dtype} {given.shape}")
        inside = (given >= 0) & (given < self.encoding.actions.size)
        legal = inside & (self.now.masks[np.arange(self.n), np.where(inside, given, 0)] == 1)
        if not legal.all():
            row = int(np.argmin(legal))
            raise EnvironmentRefused("illegal_action", f"match {row} may not be given {int(given[row])}: it is masked")
        self._given[:] = given
        self._all(STEP)
        return self.now

    def _all(self, order: bytes) -> list[Any]:
        """Return what each process answers. Raises the first error."""
        if self._own is None:
            raise EnvironmentRefused("not_begun", "use a batch in a `with`")
        self._begun = True
        for door in self._doors:
            _send(door, order)
        answers = [_answered(self._own, order), *map(_said, self._doors)]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers


def _learners(named: Collection[int] | None, players: int) -> frozenset[int]:
    seats = frozenset(range(players))
    learners = seats if named is None else frozenset(named)
    if not learners or not learners <= seats:
        listed = sorted(learners) or "none"
        raise EnvironmentRefused(
            "unknown_seat", f"learners are seats from 0 to {players - 1}, one at least, not {listed}"
        )
    return learners


def _send(door: Connection, order: bytes) -> None:
    with suppress(BrokenPipeError):  # of a process that was killed: its answer says so
        door.send_bytes(order)


def _said(door: Connection) -> Any:
    try:
        return door.recv()
    except (EOFError, ConnectionResetError):
        return EnvironmentRefused("player_ended", "a process that plays matches was killed; is memory short?")


def _serve(door: Connection, *share: Any) -> None:
    """Serve in this process until the door is closed."""
    signals = importlib.import_module("signal")
    signals.signal(signals.SIGINT, signals.SIG_IGN)  # Ctrl-C is for who steps, who ends us
    matches = Matches(*share)
    try:
        while True:
            door.send(_answered(matches, door.recv_bytes()))
    except (EOFError, OSError):
        return


def _answered(matches: Matches, order: bytes) -> Any:
    """Return what an order gives, or the error."""
    try:
        return ORDERS[order](matches)
    except Exception as error:  # noqa: BLE001  it is raised where the step was asked for
        return error
