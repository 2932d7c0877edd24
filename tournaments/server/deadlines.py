"""How long a client may take: some time to begin with, and more with every byte, so that a slow line is served and
one that stands still is let go."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class Pace:
    """Of one body or answer: `grace` seconds, one more for `slowest` bytes each, and `most` of all."""

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
        """Now: the block within `limit` is left by a TimeoutError."""
        if not self.limit.expired():
            self.ended = True
            self.limit.reschedule(0)
