"""Chance: draws that no bot can predict and that are the same on every Python version.

A draw is a keyed hash (BLAKE2b, RFC 7693) of a counter, so a copy is two fields and the n-th draw of a seed is
fixed. `below(n)` maps 64 hashed bits to 0..n-1 by multiplication; its bias is under n / 2**64.
"""

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from hashlib import blake2b, sha256
from typing import TypeVar

from engine.records import Record

T = TypeVar("T")


@dataclass(slots=True)
class Dice(Record):
    key: bytes  # 32 bytes
    drawn: int = 0

    @classmethod
    def of(cls, seed: str) -> "Dice":
        """The dice of a match's seed (any text)."""
        return cls(blake2b(seed.encode(), digest_size=32, person=b"boardroom seed").digest())

    def copy(self) -> "Dice":
        return Dice(self.key, self.drawn)

    def fork(self) -> "Dice":
        """New dice that reveal nothing about these."""
        self.drawn += 1
        return Dice(blake2b(self.drawn.to_bytes(8, "big"), digest_size=32, key=self.key).digest())

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        self.drawn += 1
        digest = blake2b(self.drawn.to_bytes(8, "big"), digest_size=8, key=self.key).digest()
        return int.from_bytes(digest, "big") * n >> 64

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Fisher-Yates, from the end."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def commitment(seed: str) -> str:
    """The public hash of a seed (SHA-256, hex), shown before the match; the seed itself is shown after it."""
    return sha256(seed.encode()).hexdigest()
