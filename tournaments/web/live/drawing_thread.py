"""The thread in which boards are drawn. A board that hangs is abandoned with its thread, and the others continue."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Generic, Protocol, TypeVar

from django.db import close_old_connections, connections

from tournaments.core.broker.failing_items import FAILING_ITEMS
from workers.isolation import apart

LONGEST = 10.0  # seconds of one board in one round
MOST_HANGING = 4  # threads that may be abandoned; with more the boards stand still, and /readyz reports it
CHECK_EVERY = 0.5  # seconds between two checks of a slow board


class Drawn(Protocol):
    """The part of a board that drawing needs."""

    @property
    def ended(self) -> bool: ...

    def work(self) -> object: ...

    def fail(self) -> None: ...


Board = TypeVar("Board", bound=Drawn)


@dataclass(slots=True)
class DrawingRound(Generic[Board]):
    """One round of all boards."""

    boards: Sequence[Board]
    board: Board | None = None  # at work now
    since: float = 0.0
    given_up: bool = False

    def run(self) -> None:
        """Draw the boards, in the thread."""
        close_old_connections()
        for board in self.boards:
            if self.given_up:
                connections.close_all()  # this thread's: it ends here
                return
            if not board.ended:
                self._draw(board)

    def _draw(self, board: Board) -> None:
        self.since, self.board = monotonic(), board
        if apart("live", str(board), board.work, FAILING_ITEMS) is None:
            board.fail()
        self.board = None

    @property
    def hangs(self) -> bool:
        return self.board is not None and monotonic() - self.since > LONGEST


@dataclass(slots=True)
class DrawingThread:
    hanging: list[str]
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "live"))

    async def work(self, boards: Sequence[Board]) -> Board | None:
        """Draw the next moment of each. Returns the board that hangs, if one does: it must not be touched again."""
        round_ = DrawingRound(boards)
        done = asyncio.get_running_loop().run_in_executor(self.thread, round_.run)
        while not done.done():
            await asyncio.wait({done}, timeout=CHECK_EVERY)
            if (stuck := round_.board) and round_.hangs and len(self.hanging) < MOST_HANGING and not done.done():
                round_.given_up = True
                self._abandon(str(stuck), done)
                return stuck
        done.result()
        return None

    def _abandon(self, name: str, done: "asyncio.Future[None]") -> None:
        self.hanging.append(name)
        done.add_done_callback(partial(self._came_back, name))
        self.thread.shutdown(wait=False)
        self.thread = ThreadPoolExecutor(1, "live")

    def _came_back(self, name: str, done: "asyncio.Future[None]") -> None:
        self.hanging.remove(name)
        done.exception()  # retrieved, so that asyncio does not warn about it
