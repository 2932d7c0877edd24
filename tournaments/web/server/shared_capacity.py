"""A limited capacity (bytes, downloads), shared fairly among addresses.

When it is exhausted, a new request takes some from the address that holds the most, if that is more than the request's
own address would hold: heavy use for a long time hurts no other address.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


class NoRoom(Exception):
    """Nothing is left; `own`: because the address itself is at its limit."""

    def __init__(self, *, own_share: bool) -> None:
        super().__init__()
        self.own_share = own_share


@dataclass(eq=False, slots=True)
class Holding:
    """What one request holds. `give_up` ends the request; without it, nothing is taken from it."""

    client: str
    size: int = 0
    give_up: Callable[[], None] | None = None


@dataclass(slots=True)
class Room:
    """`most` for all together, `each` for one address."""

    most: int
    most_each: int
    shares: dict[Holding, None] = field(default_factory=dict)
    by_client: dict[str, int] = field(default_factory=dict)
    taken: int = 0

    def take(self, share: Holding, size: int) -> None:
        """Add `size` to a share. Raises NoRoom."""
        if not size:
            return
        total = self.by_client.get(share.client, 0) + size
        if total > self.most_each:
            raise NoRoom(own_share=True)
        while self.taken + size > self.most:
            self._reclaim(total)
        self.shares[share] = None
        self._change(share, size)

    def free(self, share: Holding) -> None:
        """Release all that it holds. May be called again."""
        if share in self.shares:
            del self.shares[share]
            self._change(share, -share.size)

    def _reclaim(self, total: int) -> None:
        held = (share for share in self.shares if share.give_up and self.by_client[share.client] > total)
        largest = max(held, key=lambda share: (self.by_client[share.client], share.size), default=None)
        if largest is None or largest.give_up is None:
            raise NoRoom(own_share=False)
        self.free(largest)
        largest.give_up()

    def _change(self, share: Holding, size: int) -> None:
        share.size += size
        self.taken += size
        self.by_client[share.client] = self.by_client.get(share.client, 0) + size
        if not self.by_client[share.client]:
            del self.by_client[share.client]
