"""Fair scheduling of Django's threads: waiting addresses are served in turn, and none gets all threads at once."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")
WAITING = 4000  # requests of all addresses together that wait for a thread
OF_ONE = 400  # of one address; a class of students shares it


class Crowded(Exception):
    """Too many wait already; `own`: of the same address."""

    def __init__(self, *, own_share: bool) -> None:
        super().__init__()
        self.own_share = own_share


@dataclass(slots=True)
class Turns:
    """All of it happens in the event loop, except the work."""

    threads: int
    pool: ThreadPoolExecutor = field(init=False)
    waiting: dict[str, deque["asyncio.Future[None]"]] = field(default_factory=dict)
    running: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.pool = ThreadPoolExecutor(self.threads, "django")

    def check(self, client: str) -> None:
        """Raises Crowded."""
        if len(self.waiting.get(client, ())) >= OF_ONE:
            raise Crowded(own_share=True)
        if sum(map(len, self.waiting.values())) >= WAITING:
            raise Crowded(own_share=False)

    async def run(self, client: str, work: Callable[[], T]) -> T:
        """The result of `work`, run in a thread when it is that address's turn."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self.waiting.setdefault(client, deque()).append(turn)
        self._begin()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn came at the same moment
                self._end(client)
            raise
        done = loop.run_in_executor(self.pool, work)
        done.add_done_callback(lambda _: self._end(client))  # not when the caller stops waiting
        return await asyncio.shield(done)

    def _begin(self) -> None:
        while self.running.total() < self.threads and (client := self._next()) is not None:
            turn = self.waiting[client].popleft()
            turns = self.waiting.pop(client)
            if turns:
                self.waiting[client] = turns  # behind the others
            if not turn.cancelled():
                self.running[client] += 1
                turn.set_result(None)

    def _next(self) -> str | None:
        """The address that has waited longest among those that may have another thread."""
        most = max(1, self.threads // 2)
        return next((client for client in self.waiting if self.running[client] < most), None)

    def _end(self, client: str) -> None:
        self.running -= Counter([client])
        self._begin()
