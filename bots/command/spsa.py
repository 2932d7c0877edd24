"""Simultaneous perturbation stochastic approximation (Spall, 1998): all parameters are varied at once, two ways.

In step k each parameter goes by c(k) up or down by lot, and the opposite way; sets between the two tell which way is
better, and all of them go there by a(k). Both become smaller by the usual powers of k. The result is the mean over the
later half of the steps, which has less luck in it than the last one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from bots.command.parameters import Parameter

SHIFT, SHIFT_POWER = 0.15, 0.101  # c, as a part of the bounds' distance
STEP, STEP_POWER = 0.1, 0.602  # a: how far a step goes if one of the two takes everything, times 1 / (2 c)
CALM: Final = 0.1  # of the steps, by which the first ones are held back


@dataclass(slots=True)
class Spsa:
    """Simultaneous perturbation. `point`: where it stands, a part of the bounds for each parameter."""

    parameters: Sequence[Parameter]
    steps: int
    seed: str
    point: list[float] = field(init=False)
    path: list[list[float]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.point = [parameter.first for parameter in self.parameters]

    def pair(self) -> tuple[list[float], list[float]]:
        """Return the two points that meet in the next step."""
        shifts = self._shifts()
        plus = [_within(part + shift) for part, shift in zip(self.point, shifts, strict=True)]
        minus = [_within(part - shift) for part, shift in zip(self.point, shifts, strict=True)]
        return plus, minus

    def learn(self, share: float) -> None:
        """Take a step. `share`: what the first of the pair took from the second."""
        number = len(self.path)
        calm = CALM * self.steps
        rate = STEP * ((1 + calm) / (number + 1 + calm)) ** STEP_POWER
        slopes = [(2 * share - 1) / (2 * shift) for shift in self._shifts()]
        self.point = [_within(part + rate * slope) for part, slope in zip(self.point, slopes, strict=True)]
        self.path.append(self.point)

    def best(self) -> list[float]:
        """The mean over the later half of the steps."""
        later = self.path[len(self.path) // 2 :] or [self.point]
        return [sum(parts) / len(later) for parts in zip(*later, strict=True)]

    def _shifts(self) -> list[float]:
        dice = Random(f"{self.seed}/{len(self.path)}")  # the same when a journal is gone on from
        shift = SHIFT / (len(self.path) + 1) ** SHIFT_POWER
        return [dice.choice((-1, 1)) * max(shift, parameter.least) for parameter in self.parameters]


def _within(part: float) -> float:
    return min(1.0, max(0.0, part))
