"""What happens, gathered from the broker for all who watch in this process: eight rounds a second.

The broker is asked and not listened to: it keeps what was said for a while, so a lost connection loses nothing.
Whatever a board, a message or a viewer raises ends at that board or viewer: the others do not notice.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any

from redis.asyncio import Redis

from tournaments.broker.failing_items import BOOK
from tournaments.broker.queues import CHANGED
from tournaments.live.board_slots import place_for
from tournaments.live.drawing_thread import LONGEST, Stage
from tournaments.live.loop_health import LIVE, Rounds
from tournaments.live.subscribers import ALIVE, RETRY, Viewer, event, give_each
from tournaments.live.watched_match import Board
from workers.isolation import keep_on_async
from workers.live import STREAM

TICK = 0.125  # seconds: a match is shown at that pace at most, however fast it is played
CHANGES, KEEP_ALIVE = 1.0, 15.0  # seconds
AT_ONCE = 200  # words that are read of a match in one round
SAMPLES = 100  # parts of it that the broker measures, each of many words: more than an honest worker's
MOST_KEPT = 32 << 20  # bytes that the broker may keep of one match, for it to be shown


class Hangs(Exception):
    """A board that holds its thread; the message says for how long."""


@dataclass(slots=True)
class Hub:
    """Topics are "match N", and what `queues.changed` is told: "ladder SLUG", "event SLUG", "site"."""

    redis_url: str
    rounds: Rounds = field(default_factory=lambda: LIVE)
    boards: dict[str, Board] = field(default_factory=dict)
    bells: dict[str, set[Viewer]] = field(default_factory=dict)
    rung: dict[Any, Any] | None = None  # how often, by topic; not known yet
    stage: Stage = field(init=False)
    task: "asyncio.Task[None] | None" = None
    looked: float = 0.0  # at the bells
    alive: float = 0.0

    def __post_init__(self) -> None:
        self.stage = Stage(self.rounds.hanging)

    def join(self, topic: str, client: str = "", last: str = "") -> Viewer:
        """One more who watches, and the name of the last event that was seen before. Raises Full."""
        viewer = Viewer(topic, client, last)
        viewer.give(RETRY)
        kind, _, name = topic.partition(" ")
        if kind == "match":
            place_for(self.boards, topic, client)
            self.boards.setdefault(topic, Board(int(name))).join(viewer)
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

    async def _run(self) -> None:
        """As long as anybody watches."""
        self.rounds.begin()
        async with Redis.from_url(self.redis_url, socket_timeout=2, socket_connect_timeout=2) as redis:
            await keep_on_async("live", partial(self._turn, redis), lambda: bool(self.boards or self.bells), BOOK)
            self.rounds.end()
            self.task = None  # before anything is awaited: whoever comes now begins another

    async def _turn(self, redis: Redis) -> float:
        began = monotonic()
        try:
            await self._round(redis)
        finally:
            self.rounds.finish()  # a failed one too: what is away is another part's sentence
        return max(0.01, TICK - (monotonic() - began))

    async def _round(self, redis: Redis) -> None:
        self.boards = {topic: board for topic, board in self.boards.items() if not board.deserted}
        if monotonic() - self.alive >= KEEP_ALIVE:
            self._keep_alive()
        if self.bells and monotonic() - self.looked >= CHANGES:
            await self._listen(redis)
        if self.boards:
            await self._read(redis)
            await self._show()

    async def _read(self, redis: Redis) -> None:
        """What workers said since the last round, of each match; and the broker's clock, which dates it."""
        seconds, micros = await redis.time()
        for board in self.boards.values():
            board.now = seconds + micros / 1e6
        waiting = [board for board in self.boards.values() if board.listens]
        async with redis.pipeline(transaction=False) as sizes:
            for board in waiting:
                sizes.memory_usage(STREAM.format(board.number), samples=SAMPLES)
            kept = await sizes.execute(raise_on_error=False)
        bounded = [board for board, size in zip(waiting, kept, strict=True) if board.may_read(size, MOST_KEPT)]
        async with redis.pipeline(transaction=False) as reads:
            for board in bounded:
                reads.xread({STREAM.format(board.number): board.heard_up_to}, count=AT_ONCE)
            found = await reads.execute(raise_on_error=False)
        for board, words in zip(bounded, found, strict=True):
            board.hear_all(words)

    async def _show(self) -> None:
        """A moment more of each, drawn in a thread of its own: it takes milliseconds, in which streams go on."""
        boards = list(self.boards.values())
        if stuck := await self.stage.work(boards):
            self._replace(stuck)
        for board in boards:
            if board is not stuck:
                board.tell()

    def _replace(self, stuck: Board) -> None:
        """Its viewers get another board, which fails; nobody touches the one whose thread does not come back."""
        fresh = Board(stuck.number, fault=Hangs(f"it did not come back within {LONGEST:.0f} s"))
        for viewer in stuck.viewers:
            fresh.join(viewer)
        if self.boards.get(str(stuck)) is stuck:
            self.boards[str(stuck)] = fresh

    async def _listen(self, redis: Redis) -> None:
        self.looked, before = monotonic(), self.rung
        self.rung = rung = await redis.hgetall(CHANGED)
        for topic, viewers in self.bells.items():
            name = topic.encode()
            if before is not None and rung.get(name) != before.get(name):
                give_each(viewers, event("changed", {}))

    def _keep_alive(self) -> None:
        self.alive = monotonic()
        everybody: Iterable[set[Viewer]] = (*(board.viewers for board in self.boards.values()), *self.bells.values())
        for viewers in everybody:
            give_each(viewers, ALIVE)
