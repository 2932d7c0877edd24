"""Look-ahead from now: each answer is tried on the same futures, which go on by the policy.

After a half of the futures only the better half of the answers goes on, so that most is spent on the best.
"""

from collections.abc import Sequence
from typing import Any

from bots.imagine import AnyMatch, Imagination, rollout, step
from bots.rungs.knowledge import Knowledge
from engine.core import Event, Seat
from engine.records import Record


class Flat:
    """`futures` for each answer at most, `ahead` answers long (0: to the end), of the first `width` answers."""

    def __init__(self, knows: Knowledge, futures: float = 1, ahead: float = 0, width: float = 99) -> None:
        self.knows, self.mind = knows, Imagination(knows.game)
        self.futures, self.ahead, self.width = int(futures), int(ahead), int(width)

    def hear(self, events: Sequence[Event]) -> None:
        self.mind.hear(events)

    def choose(self, view: Any, question: Any) -> Record:
        seat, now = view.seat, self.mind.imagine(view)
        left = [(0.0, answer) for answer in self.knows.answers(now, seat, question)[: self.width]]
        half = self.futures - self.futures // 2
        for count in (half, self.futures - half):
            futures = [self.mind.imagine(view) for _ in range(count if len(left) > 1 else 0)]
            left = [
                (worth + sum(self.worth(future, seat, answer) for future in futures), answer) for worth, answer in left
            ]
            left = sorted(left, key=lambda tried: -tried[0])[: (len(left) + 1) // 2 if self.futures > 1 else None]
        return left[0][1]

    def worth(self, now: AnyMatch, seat: Seat, answer: Record) -> float:
        ahead = now.copy()
        step(ahead, {seat: answer}, self.knows.policy)
        rollout(ahead, self.knows.policy, self.ahead or None)
        return self.knows.lead(ahead, seat)
