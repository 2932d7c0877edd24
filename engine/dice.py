"""Chance: draws that no bot can predict and that are the same on every Python version.

A draw is a keyed hash (BLAKE2b, RFC 7693) of a counter, so a copy is two fields and the n-th draw of a seed is
fixed. `below(n)` maps 64 hashed bits to 0..n-1 by multiplication; its bias is under n / 2**64.

`QuickDice` are for play-outs: a hash gives sixteen draws, at a third of the cost. They are the same everywhere too, but
not those of a recorded match.
"""

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha256
from struct import Struct
from typing import Any, Final, Self, TypeVar

from engine.records import Record

T = TypeVar("T")
_WORD: Final = Struct(">Q")
_pack, _unpack = _WORD.pack, _WORD.unpack
END: Final = 1 << 512


@lru_cache(maxsize=256)
def _keyed(key: bytes) -> Any:
    """The hash before the counter: a copy of it costs less than to begin with the key again."""
    return blake2b(digest_size=8, key=key)


@dataclass(slots=True)
class Dice(Record):
    key: bytes  # 32 bytes
    drawn: int = 0

    @classmethod
    def of(cls, seed: str) -> Self:
        """Return the dice of a match's seed (any text)."""
        return cls(blake2b(seed.encode(), digest_size=32, person=b"boardroom seed").digest())

    def copy(self) -> Self:
        return type(self)(self.key, self.drawn)

    def fork(self) -> Self:
        """Return new dice that reveal nothing about these."""
        self.drawn += 1
        return type(self)(blake2b(self.drawn.to_bytes(8, "big"), digest_size=32, key=self.key).digest())

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, all as likely."""
        self.drawn = drawn = self.drawn + 1
        keyed = _keyed(self.key).copy()
        keyed.update(_pack(drawn))
        return _unpack(keyed.digest())[0] * n >> 64  # type: ignore[no-any-return]

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle `items` where they are, by Fisher and Yates, from the end."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


@dataclass(slots=True)
class QuickDice(Dice):
    """Sixteen draws of 32 bits out of one hash. `ahead` are those not yet taken, above them a 1 as the end."""

    ahead: int = 1

    def copy(self) -> Self:
        return type(self)(self.key, self.drawn, self.ahead)

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, of which there may be some millions."""
        ahead = self.ahead
        if ahead == 1:
            self.drawn = drawn = self.drawn + 1
            ahead = int.from_bytes(blake2b(_pack(drawn), key=self.key).digest()) | END
        self.ahead = ahead >> 32
        return (ahead & 0xFFFFFFFF) * n >> 32


def commitment(seed: str) -> str:
    """Return the public hash of a seed (SHA-256, hex), shown before the match; the seed itself is shown after it."""
    return sha256(seed.encode()).hexdigest()
