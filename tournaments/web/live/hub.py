"""Live messages, read from the broker for all viewers of this process: eight rounds a second.

The broker is polled, without subscriptions: it keeps messages for a while, so a lost connection loses nothing.
An error of a board, a message or a viewer ends at that board or viewer and does not affect the others.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any

from redis.asyncio import Redis

from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.broker.queues import CHANGED
from tournaments.web.live.board_slots import make_board_room
from tournaments.web.live.drawing_thread import LONGEST, DrawingThread
from tournaments.web.live.loop_health import LIVE, Rounds
from tournaments.web.live.subscribers import ALIVE, RETRY, StreamViewer, give_each, server_sent_event
from tournaments.web.live.watched_match import WatchedMatch
from workers.isolation import keep_on_async
from workers.live import STREAM

TICK = 0.125  # seconds: the fastest pace at which a match is shown
CHANGES, KEEP_ALIVE = 1.0, 15.0  # seconds
AT_ONCE = 200  # messages of a match that are read in one round
SAMPLES = (
    100  # nodes of a stream that the broker measures, each of many messages: more than an honest worker's stream has
)
MOST_KEPT = 32 << 20  # bytes of a match's stream in the broker; a longer one is not shown


class Hangs(Exception):
    """A board that holds its thread; the message says for how long."""


@dataclass(slots=True)
class Hub:
    """Topics are "match N" in English, "match N LANGUAGE" in another one, and those of `queues.announce_change`:
    "ladder SLUG", "event SLUG", "site"."""

    redis_url: str
    rounds: Rounds = field(default_factory=lambda: LIVE)
    boards: dict[str, WatchedMatch] = field(default_factory=dict)
    followers: dict[str, set[StreamViewer]] = field(default_factory=dict)
    changes: dict[Any, Any] | None = None  # how many, by topic; None: not read yet
    thread: DrawingThread = field(init=False)
    task: "asyncio.Task[None] | None" = None
    checked: float = 0.0  # when the changes were read last
    alive: float = 0.0

    def __post_init__(self) -> None:
        self.thread = DrawingThread(self.rounds.hanging)

    def join(self, topic: str, client: str = "", last: str = "") -> StreamViewer:
        """A new viewer; `last` names the last event that it has seen. Raises Full."""
        viewer = StreamViewer(topic, client, last)
        viewer.give(RETRY)
        kind, _, name = topic.partition(" ")
        if kind == "match":
            make_board_room(self.boards, topic, client)
            number, _, language = name.partition(" ")
            self.boards.setdefault(topic, WatchedMatch(int(number), language)).join(viewer)
        else:
            self.followers.setdefault(topic, set()).add(viewer)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._run())
        return viewer

    def leave(self, viewer: StreamViewer) -> None:
        viewer.closed = True
        if board := self.boards.get(viewer.topic):
            board.leave(viewer)
        if viewers := self.followers.get(viewer.topic):
            viewers.discard(viewer)
            if not viewers:
                del self.followers[viewer.topic]

    async def _run(self) -> None:
        """Runs while there are viewers."""
        self.rounds.begin()
        async with Redis.from_url(self.redis_url, socket_timeout=2, socket_connect_timeout=2) as redis:
            await keep_on_async(
                "live", partial(self._turn, redis), lambda: bool(self.boards or self.followers), FAILING_ITEMS
            )
            self.rounds.end()
            self.task = None  # before anything is awaited: the next viewer starts another

    async def _turn(self, redis: Redis) -> float:
        began = monotonic()
        try:
            await self._round(redis)
        finally:
            self.rounds.finish()  # a failed one too: a server that is away is reported elsewhere
        return max(0.01, TICK - (monotonic() - began))

    async def _round(self, redis: Redis) -> None:
        self.boards = {topic: board for topic, board in self.boards.items() if not board.deserted}
        if monotonic() - self.alive >= KEEP_ALIVE:
            self._keep_alive()
        if self.followers and monotonic() - self.checked >= CHANGES:
            await self._check_changes(redis)
        if self.boards:
            await self._read(redis)
            await self._show()

    async def _read(self, redis: Redis) -> None:
        """Read workers' messages since the last round, for each match, and the broker's clock, which dates them."""
        seconds, micros = await redis.time()
        for board in self.boards.values():
            board.now = seconds + micros / 1e6
        waiting = [board for board in self.boards.values() if board.is_open]
        async with redis.pipeline(transaction=False) as sizes:
            for board in waiting:
                sizes.memory_usage(STREAM.format(board.number), samples=SAMPLES)
            kept = await sizes.execute(raise_on_error=False)
        bounded = [board for board, size in zip(waiting, kept, strict=True) if board.may_read(size, MOST_KEPT)]
        async with redis.pipeline(transaction=False) as reads:
            for board in bounded:
                reads.xread({STREAM.format(board.number): board.last_id}, count=AT_ONCE)
            answers = await reads.execute(raise_on_error=False)
        for board, messages in zip(bounded, answers, strict=True):
            board.receive_all(messages)

    async def _show(self) -> None:
        """Draw the next moment of each in a separate thread: it takes milliseconds, in which streams go on."""
        boards = list(self.boards.values())
        if stuck := await self.thread.work(boards):
            self._replace(stuck)
        for board in boards:
            if board is not stuck:
                board.send()

    def _replace(self, stuck: WatchedMatch) -> None:
        """Give its viewers another board, which fails; the one whose thread hangs is not touched again."""
        fresh = WatchedMatch(stuck.number, stuck.language, fault=Hangs(f"it did not come back within {LONGEST:.0f} s"))
        for viewer in stuck.viewers:
            fresh.join(viewer)
        if self.boards.get(str(stuck)) is stuck:
            self.boards[str(stuck)] = fresh

    async def _check_changes(self, redis: Redis) -> None:
        self.checked, before = monotonic(), self.changes
        self.changes = changes = await redis.hgetall(CHANGED)
        for topic, viewers in self.followers.items():
            name = topic.encode()
            if before is not None and changes.get(name) != before.get(name):
                give_each(viewers, server_sent_event("changed", {}))

    def _keep_alive(self) -> None:
        self.alive = monotonic()
        everybody: Iterable[set[StreamViewer]] = (
            *(board.viewers for board in self.boards.values()),
            *self.followers.values(),
        )
        for viewers in everybody:
            give_each(viewers, ALIVE)
