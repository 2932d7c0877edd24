"""Matches on all cores: a process for each core, which plays the match numbers that it is sent, one at a time.

A match and all its bots stay on one core, as on a match worker. Outcomes come in the order of their numbers, so that a
test sees the same sets whatever the machine. Leaving kills what still plays, and its bots.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Self

from bots.command.errors import FAILED, KitError
from bots.command.outcomes import Outcome, outcome_of
from bots.contest import Contestant, Match, play_noted, replay_of, surroundings
from bots.forked import forking
from bots.notes import Noted
from bots.process import OUTSIDE, share_one_core
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import PlatformFault
from engine.replay import write_replay

AHEAD = 8  # matches for each core that are played before the slowest is in
WITHOUT_SANDBOX = "bots run without a sandbox here, with all that you may do yourself: play only those you trust"
NO_WINDOWS = (
    "bots cannot be played on Windows itself, which has none of the clocks and pipes that matches need; "
    "install the kit in WSL 2 (wsl --install), which is Linux. What speaks to the site works here too."
)


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays what. `options` are plain, for they go to other processes. Of the match `kept` the replay is kept."""

    game: str
    options: dict[str, Any]
    contestants: Sequence[Contestant]
    seed: str
    kept: int = -1

    def number_of(self, order: Any) -> int:
        """Return the number of the match that is ordered. Subclasses order more than a number."""
        return int(order)

    def match(self, order: Any) -> Match:
        """Play a deal in one rotation of the seats, numbered as `bots.contest.contest` does. Raises PlatformFault."""
        players = len(self.contestants)
        deal, turn = divmod(int(order), players)
        return self.played([(seat + turn) % players for seat in range(players)], f"{self.seed}/{deal}")

    def played(self, seats: list[int], dealt: str) -> Match:
        """`seats`: the contestants' numbers."""
        game = GAMES[self.game]
        options = game.read_options(self.options)
        return Match(seats, dealt, *play_noted(game, options, dealt, [self.contestants[bot] for bot in seats]))

    def replay(self, match: Match) -> bytes:
        game = GAMES[self.game]
        return write_replay(replay_of(game, game.read_options(self.options), self.contestants, match))


@dataclass(frozen=True, slots=True)
class Done:
    outcome: Outcome
    replay: bytes | None
    notes: Sequence[Noted] = ()


def cores_here() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def refuse_windows() -> None:
    if sys.platform == "win32":
        raise KitError("no_windows", NO_WINDOWS)


class Cores:
    """A context manager, which leaves no process behind."""

    def __init__(self, contest: Contest, cores: int) -> None:
        self.contest, self.cores = contest, cores
        self.doors: dict[Connection, BaseProcess] = {}

    def __enter__(self) -> Self:
        refuse_windows()
        start: Any = multiprocessing.get_context("fork" if OUTSIDE else "spawn")  # a fork has all that it imports
        for core in range(self.cores):
            near_end, far_end = start.Pipe()
            copied = [*self.doors, near_end] if OUTSIDE else []
            process = start.Process(target=_serve, args=(far_end, self.contest, core, copied), daemon=True)
            process.start()
            far_end.close()
            self.doors[near_end] = process
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for door, process in self.doors.items():
            door.close()
            process.terminate()
        for process in self.doors.values():
            process.join()

    def play(self, orders: Iterable[Any]) -> Iterator[Done]:
        """Play the orders, which are numbers or what the contest takes, and return the matches in the same order.
        Raises PlatformFault and KitError."""
        todo, order, busy = iter(orders), list[int](), set[Connection]()
        finished: dict[int, Done] = {}
        while True:
            for door in [door for door in self.doors if door not in busy]:
                if len(order) < AHEAD * self.cores and (more := list(islice(todo, 1))):
                    door.send(more[0])
                    order += map(self.contest.number_of, more)
                    busy.add(door)
            if not order:
                return
            for door in readable(busy):
                busy.discard(door)
                done = _received(door)
                finished[done.outcome.number] = done
            while order and order[0] in finished:
                yield finished.pop(order.pop(0))


def readable(busy: Iterable[Connection]) -> list[Connection]:
    """Return the connections with something to read; waits for the first."""
    return [door for door in wait(list(busy)) if isinstance(door, Connection)]


def _received(door: Connection) -> Done:
    try:
        message = door.recv()
    except (EOFError, ConnectionResetError):
        raise KitError("player_ended", "a process that plays matches was killed; is memory short?", FAILED) from None
    if isinstance(message, Exception):
        raise message
    assert isinstance(message, Done)
    return message


def _serve(door: Connection, contest: Contest, core: int, copied: Sequence[Connection]) -> None:
    """Play in this process what is asked for, until the door is closed. `copied`: the command's ends of doors."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, which ends us
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that a table is left in order, and no bot stays
    for end in copied:
        end.close()  # or no door would be closed when the command is gone
    share_one_core(core)
    with suppress(EOFError, OSError), forking(contest.game, surroundings()):
        while True:
            door.send(_answer(contest, door.recv()))


def _answer(contest: Contest, order: Any) -> Done | Exception:
    number = contest.number_of(order)
    try:
        match = contest.match(order)
        if number == contest.kept:
            return Done(outcome_of(number, match), contest.replay(match), match.notes)
        return Done(outcome_of(number, match), None)
    except PlatformFault as fault:
        return fault
    except OSError as error:
        return KitError("cannot_play", f"a match cannot be played: {error}", FAILED)


def contest_of(game: str, options: object, contestants: Sequence[Contestant], seed: str, kept: int = -1) -> Contest:
    return Contest(game, to_plain(options), contestants, seed, kept)
