"""What searching families know of a game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

from bots.imagine import AnyMatch, Policy
from engine.core import Question, Seat
from engine.records import Record


@dataclass(frozen=True, slots=True)
class Knowledge:
    """`answers`: what is worth a try, the likely best first. `policy`: how all go on in a play-out.

    `lead`: how far a seat is ahead of the best other one; `scale`: a lead that wins three times of four.
    """

    game: str
    answers: Callable[[AnyMatch, Seat, Question[Any]], Sequence[Record]]
    policy: Policy
    lead: Callable[[AnyMatch, Seat], float]
    scale: float

    def share(self, match: AnyMatch, seat: Seat) -> float:
        """How often a seat that leads by so much wins, from 0 to 1."""
        return 1 / (1 + exp(-max(-50.0, min(50.0, self.lead(match, seat) / self.scale))))


def lead_of(scores: Sequence[float], seat: Seat) -> float:
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
