"""What happens, gathered from the broker for all who watch in this process: eight rounds a second.

The broker is asked and not listened to: it keeps what was said for a while, so a lost connection loses nothing.
"""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from django.db import DatabaseError, close_old_connections
from redis.asyncio import Redis
from redis.exceptions import RedisError

from tournaments.bell import CHANGED
from tournaments.front.boards import Board
from tournaments.front.viewers import ALIVE, RETRY, Viewer, event
from workers.live import STREAM

TICK = 0.125  # seconds: a match is shown at that pace at most, however fast it is played
CHANGES, KEEP_ALIVE = 1.0, 15.0  # seconds
AFTER_FAILURE = 1.0
BOARDS = 24  # matches that one process shows at once
AT_ONCE = 200  # words that are read of a match in one round

log = logging.getLogger(__name__)


class Full(Exception):
    """As many different matches are being shown as this process can."""


@dataclass(slots=True)
class Hub:
    """Topics are "match N", and what `bell.changed` is told: "ladder SLUG", "event SLUG", "site"."""

    redis_url: str
    boards: dict[str, Board] = field(default_factory=dict)
    bells: dict[str, set[Viewer]] = field(default_factory=dict)
    rung: dict[Any, Any] | None = None  # how often, by topic; not known yet
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "live"))
    task: "asyncio.Task[None] | None" = None
    looked: float = 0.0  # at the bells
    alive: float = 0.0

    def join(self, topic: str, last: str = "") -> Viewer:
        """One more who watches. Raises Full."""
        viewer = Viewer(topic, last)
        viewer.give(RETRY)
        kind, _, name = topic.partition(" ")
        if kind == "match":
            self._board(topic, int(name)).join(viewer)
        else:
            self.bells.setdefault(topic, set()).add(viewer)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._run())
        return viewer

    def leave(self, viewer: Viewer) -> None:
        viewer.closed = True
        if board := self.boards.get(viewer.topic):
            board.leave(viewer)
        if viewers := self.bells.get(viewer.topic):
            viewers.discard(viewer)
            if not viewers:
                del self.bells[viewer.topic]

    def _board(self, topic: str, number: int) -> Board:
        if topic not in self.boards:
            idle = [name for name, board in self.boards.items() if not board.viewers]
            if len(self.boards) >= BOARDS and not idle:
                raise Full
            if len(self.boards) >= BOARDS:
                del self.boards[idle[0]]
            self.boards[topic] = Board(number)
        return self.boards[topic]

    async def _run(self) -> None:
        """As long as anybody watches. Whatever goes wrong in one round, there is a next one."""
        async with Redis.from_url(self.redis_url, socket_timeout=2, socket_connect_timeout=2) as redis:
            while self.boards or self.bells:
                began, pause = monotonic(), TICK
                try:
                    await self._round(redis)
                except (RedisError, OSError, DatabaseError) as error:
                    log.warning("the live pages wait: %s", error)
                    pause = AFTER_FAILURE
                except Exception:
                    log.exception("the live pages failed")
                    pause = AFTER_FAILURE
                await asyncio.sleep(max(0.01, pause - (monotonic() - began)))
            self.task = None  # before anything is awaited: whoever comes now begins another

    async def _round(self, redis: Redis) -> None:
        self.boards = {topic: board for topic, board in self.boards.items() if not board.deserted}
        if self.boards:
            await self._read(redis)
            await self._show()
        if self.bells and monotonic() - self.looked >= CHANGES:
            await self._listen(redis)
        if monotonic() - self.alive >= KEEP_ALIVE:
            self._keep_alive()

    async def _read(self, redis: Redis) -> None:
        """What workers said since the last round, of all matches at once; and the broker's clock, which dates it."""
        waiting = {STREAM.format(board.number): board for board in self.boards.values() if board.listens}
        seconds, micros = await redis.time()
        now = seconds + micros / 1e6
        for board in self.boards.values():
            board.now = now
        if not waiting:
            return
        found: Any = await redis.xread({key: board.heard_up_to for key, board in waiting.items()}, count=AT_ONCE)
        for key, words in found.items() if isinstance(found, dict) else found:
            board = waiting[key.decode()]
            for name, fields in words[0] if isinstance(found, dict) else words:
                board.hear(name, fields)

    async def _show(self) -> None:
        """A moment more of each, drawn in a thread of its own: it takes milliseconds, in which streams go on."""
        boards = list(self.boards.values())
        await asyncio.get_running_loop().run_in_executor(self.thread, _work, boards)
        for board in boards:
            board.tell()

    async def _listen(self, redis: Redis) -> None:
        self.looked, before = monotonic(), self.rung
        self.rung = await redis.hgetall(CHANGED)
        assert self.rung is not None
        for topic, viewers in self.bells.items():
            name = topic.encode()
            if before is not None and self.rung.get(name) != before.get(name):
                chunk = event("changed", {})
                for viewer in viewers:
                    viewer.give(chunk)

    def _keep_alive(self) -> None:
        self.alive = monotonic()
        for viewers in (*(board.viewers for board in self.boards.values()), *self.bells.values()):
            for viewer in viewers:
                viewer.give(ALIVE)


def _work(boards: list[Board]) -> None:
    close_old_connections()
    for board in boards:
        board.work()
