"""The parts of a commentary: lines and chapters."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from bots.viewer.language import say


@dataclass(slots=True)
class Line:
    """A sentence. `kind`: a key moment, a minor one, or a fault. `seat`: whose doing it is, if it is one seat's.

    `deed`: what was done, as a clause in the past tense for the headline ("Ada took pile 2 for 9"); "" where it could
    not decide a match. Only names, numbers and sentences are filled in, and only what all seats hear.
    """

    text: str
    kind: Literal["", "key", "minor", "bad"] = ""
    seat: int | None = None
    deed: str = ""


@dataclass(slots=True)
class Chapter:
    title: str
    lines: list[Line] = field(default_factory=list)


def join_with_and(things: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return say(" and ").join(filter(None, (", ".join(things[:-1]), *things[-1:])))
