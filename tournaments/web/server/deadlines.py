"""How long a client may take: some time at first, and more with every byte, so that a slow connection is served and
a stalled one is closed."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class Pace:
    """The deadline of one body or answer: `grace` seconds, one more for `slowest` bytes each, `most` in all."""

    grace: float
    slowest: int
    most: float
    limit: asyncio.Timeout = field(init=False)
    began: float = field(init=False)
    moved: int = 0  # bytes
    ended: bool = False

    def __post_init__(self) -> None:
        self.began = asyncio.get_running_loop().time()
        self.limit = asyncio.timeout_at(self.began + self.grace)

    def move(self, size: int) -> None:
        self.moved += size
        if self.ended or self.limit.expired():
            return
        self.limit.reschedule(self.began + min(self.most, self.grace + self.moved / self.slowest))

    def end(self) -> None:
        """Expire now: the block within `limit` raises TimeoutError."""
        if not self.limit.expired():
            self.ended = True
            self.limit.reschedule(0)
