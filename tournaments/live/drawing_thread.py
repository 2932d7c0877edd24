"""The thread in which boards are drawn. A board that does not come back from it is left there, and the others go on."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Generic, Protocol, TypeVar

from django.db import close_old_connections, connections

from tournaments.broker.failing_items import BOOK
from workers.isolation import apart

LONGEST = 10.0  # seconds of one board in one round
MOST_HANGING = 4  # threads that may be left behind; with more, the boards stand still, and /readyz says so
LOOK = 0.5  # seconds between two looks at a slow one


class Drawn(Protocol):
    """A board as far as its drawing is concerned."""

    @property
    def ended(self) -> bool: ...

    def work(self) -> object: ...

    def fail(self) -> None: ...


Board = TypeVar("Board", bound=Drawn)


@dataclass(slots=True)
class Act(Generic[Board]):
    """One round of all boards."""

    boards: Sequence[Board]
    board: Board | None = None  # at work now
    since: float = 0.0
    given_up: bool = False

    def perform(self) -> None:
        """In the thread."""
        close_old_connections()
        for board in self.boards:
            if self.given_up:
                connections.close_all()  # this thread's: it ends here
                return
            if not board.ended:
                self._perform(board)

    def _perform(self, board: Board) -> None:
        self.since, self.board = monotonic(), board
        if apart("live", str(board), board.work, BOOK) is None:
            board.fail()
        self.board = None

    @property
    def hangs(self) -> bool:
        return self.board is not None and monotonic() - self.since > LONGEST


@dataclass(slots=True)
class Stage:
    hanging: list[str]
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "live"))

    async def work(self, boards: Sequence[Board]) -> Board | None:
        """A moment more of each. The board that hangs, if one does: it must not be touched again."""
        act = Act(boards)
        done = asyncio.get_running_loop().run_in_executor(self.thread, act.perform)
        while not done.done():
            await asyncio.wait({done}, timeout=LOOK)
            if (stuck := act.board) and act.hangs and len(self.hanging) < MOST_HANGING and not done.done():
                act.given_up = True
                self._leave_behind(str(stuck), done)
                return stuck
        done.result()
        return None

    def _leave_behind(self, name: str, done: "asyncio.Future[None]") -> None:
        self.hanging.append(name)
        done.add_done_callback(partial(self._came_back, name))
        self.thread.shutdown(wait=False)
        self.thread = ThreadPoolExecutor(1, "live")

    def _came_back(self, name: str, done: "asyncio.Future[None]") -> None:
        self.hanging.remove(name)
        done.exception()  # looked at, so that nobody complains of it
