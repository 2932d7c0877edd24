"""How a series at home stands, the new version against the old, by the test that the site uses as its gate."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bots.results_table import Tally
from bots.sequential_test import INFORMATION, LEAST, Evidence, elo_of, share_of
from engine.records import to_plain

NEW, OLD = 0, 1  # the order in which they are named
ACCEPTED, REFUSED = 0, 3  # exit codes


@dataclass(slots=True)
class Series:
    """What was played of a series so far: no match is kept, for there may be thousands."""

    names: Sequence[str]
    evidence: Evidence
    tallies: list[Tally] = field(init=False)
    results: set[tuple[tuple[int, ...], ...]] = field(default_factory=set)  # of its sets, the distinct ones

    def __post_init__(self) -> None:
        self.tallies = [Tally(name, [0] * len(self.names)) for name in self.names]

    @property
    def exit_code(self) -> int:
        return ACCEPTED if self.evidence.accepted else REFUSED

    def sentences(self) -> list[str]:
        test, evidence, (low, high) = self.evidence.test, self.evidence, self.evidence.interval
        new, old = self.names[NEW], self.names[OLD]
        lines = [
            f"{new} against {old}, {test.elo1:+g} Elo or {test.elo0:+g}: {self._verdict()}",
            f"{self.ratio()}; information {evidence.spent:.1f} of {INFORMATION:g}",
            f"share {evidence.mean:.3f}, 95 % from {low:.3f} to {high:.3f}",
            f"in Elo {elo_of(evidence.mean):+.0f}, 95 % from {elo_of(low):+.0f} to {elo_of(high):+.0f}",
        ]
        if self.repeats:
            lines.append(
                f"only {len(self.results)} of {evidence.sets} sets differ: the same games are counted again and again, "
                "so this decides less than it seems; choose options that leave more to luck"
            )
        return lines if evidence.sets else lines[:1]

    @property
    def repeats(self) -> bool:
        """Return whether less than half of the sets had results of their own."""
        return self.evidence.sets >= LEAST and 2 * len(self.results) < self.evidence.sets

    def _verdict(self) -> str:
        after = f"{self.evidence.sets} sets, {sum(tally.games for tally in self.tallies[:1])} games"
        if self.evidence.accepted is None:
            return f"not decided after {after}{f'; {LEAST} sets are the least' if self.evidence.sets < LEAST else ''}"
        return f"{'accepted' if self.evidence.accepted else 'refused'} after {after}"

    def ratio(self) -> str:
        test = self.evidence.test
        return f"llr {self.evidence.llr:+.2f} (accepted at {test.upper:+.2f}, refused at {test.lower:+.2f})"

    def document(self, head: dict[str, object]) -> dict[str, object]:
        evidence, test = self.evidence, self.evidence.test
        says = {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "lower": test.lower,
            "upper": test.upper,
            "llr": evidence.llr,
            "llrs": evidence.llrs,
            "sets": evidence.sets,
            "distinct_sets": len(self.results),
            "spent": evidence.spent,
            "accepted": evidence.accepted,
            "outcomes": evidence.outcomes,
            "share": evidence.mean,
            "interval": evidence.interval,
            "elo": elo_of(evidence.mean),
            "elo_interval": [elo_of(share) for share in evidence.interval],
        }
        return {**head, "bots": [to_plain(tally) for tally in self.tallies], "test": says}


def share_in(seats: Sequence[int], places: Sequence[int]) -> float:
    """Return what the new bot took from the old one in a match."""
    return share_of([places[seats.index(NEW)]], [places[seats.index(OLD)]])
