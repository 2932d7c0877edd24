"""How long nothing moved for anybody else: the standstills between two movements of one kind."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

KINDS = ("match", "page", "notice", "picture", "upload")
SOON, LONG, NEVER = 3.0, 10.0, 30.0  # seconds: the aims for p95 and the longest, and what no standstill may reach
BEFORE = 5.0  # seconds before a standstill, in which its cause is looked for


@dataclass(frozen=True, slots=True)
class Figure:
    """Of a moment of the run drawn at random: how long the standstill lasts that it falls in. So many short ones make
    no long one look rare."""

    p50: float
    p95: float
    longest: float
    since: float  # seconds into the run, when the longest began

    def covers(self, moment: float) -> bool:
        """Whether what happened then may have to do with it."""
        return self.since - BEFORE <= moment <= self.since + self.longest


@dataclass(slots=True)
class Waits:
    """When something moved, by the time of day."""

    began: float
    ended: float = 0.0
    moved: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def figure(self, kind: str) -> Figure:
        within = sorted(when for when in self.moved[kind] if self.began < when < self.ended)
        spans = list(pairwise([self.began, *within, self.ended]))
        gaps = sorted(until - since for since, until in spans)
        since, _ = max(spans, key=lambda span: span[1] - span[0])
        return Figure(_at(gaps, 0.5), _at(gaps, 0.95), gaps[-1], since - self.began)

    def figures(self) -> dict[str, Figure]:
        return {kind: self.figure(kind) for kind in KINDS}


def _at(gaps: Sequence[float], share: float) -> float:
    """The gap in which so large a share of the whole time has gone by, the short ones first."""
    left = share * sum(gaps)
    for gap in gaps:
        left -= gap
        if left <= 0:
            return gap
    return gaps[-1]


def rows(figures: dict[str, Figure]) -> list[str]:
    head = f"{'nothing moved, s':<24} {'p50':>6} {'p95':>6} {'max':>6}"
    return [head, *(_row(kind, figure) for kind, figure in figures.items())]


def _row(kind: str, seen: Figure) -> str:
    missed = "" if seen.p95 <= SOON else f"; p95 is above the aim of {SOON:g} s"
    missed += "" if seen.longest <= LONG else f"; the longest is above the aim of {LONG:g} s"
    numbers = f"{seen.p50:>6.2f} {seen.p95:>6.2f} {seen.longest:>6.2f}"
    return f"{kind:<24} {numbers}  the longest from {seen.since:.0f} s{missed}"


def stopped(figures: dict[str, Figure]) -> list[str]:
    return [
        f"nobody else's {kind} moved for {seen.longest:.1f} s, from {seen.since:.0f} s on: {NEVER:g} s is too long"
        for kind, seen in figures.items()
        if seen.longest >= NEVER
    ]
