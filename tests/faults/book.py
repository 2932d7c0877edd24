"""What was seen in a run while it went on, and how it is told at the end."""

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import quantiles

from tests.faults.crowd import Visitors
from tests.faults.plan import POISON, Fault
from tournaments.models import Result

OVERLAP = 500  # results that may be committed after later ones


@dataclass(slots=True)
class Book:
    happened: Counter[str] = field(default_factory=Counter)
    recoveries: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    not_met: Counter[str] = field(default_factory=Counter)
    results: dict[int, str] = field(default_factory=dict)  # match -> digest
    timeline: list[tuple[float, str]] = field(default_factory=list)  # when which fault happened, by the time of day

    def enter(self, fault: Fault) -> None:
        """Count a fault that happened just now. Poison has a timeline of its own."""
        self.happened[str(fault)] += 1
        if fault.kind != POISON:
            self.timeline.append((time.time(), str(fault)))

    @property
    def faults(self) -> int:
        return sum(self.happened.values())

    def look(self) -> None:
        """Keep in mind which results there are: none of them may ever change."""
        latest = Result.objects.order_by("-pk").values_list("match", "digest")
        self.results |= dict(latest if not self.results else latest[:OVERLAP])

    def lines(self, again: Sequence[str], visitors: Visitors) -> list[str]:
        lines = [f"{'fault':<24} {'times':>5} {'recovery, s: p50':>17} {'p95':>6} {'max':>6}"]
        all_taken = [seconds for taken in self.recoveries.values() for seconds in taken]
        lines += [_row(kind, taken) for kind, taken in [*sorted(self.recoveries.items()), ("all", all_taken)]]
        lines += ["", *(f"{times:>4} {name}" for name, times in sorted(self.happened.items()))]
        lines += ["", "nobody came to: " + "; ".join(sorted(self.not_met))] if self.not_met else []
        lines += ["", f"reports delivered again: {dict(Counter(again))}", f"the site answered: {visitors.answers}"]
        return [*lines, f"uploads accepted: {len(visitors.promised)}"]


def _row(kind: str, taken: list[float]) -> str:
    parts = quantiles(taken * 2, n=20, method="inclusive")  # twice, for it takes two numbers at least
    return f"{kind:<24} {len(taken):>5} {parts[9]:>17.2f} {parts[18]:>6.2f} {max(taken):>6.2f}"
