"""The results of a contest, bot by bot: places, wins, scores, faults, time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt

from bots.contest import Match
from engine.records import Record

SURE = 1.96  # standard deviations: 95 %
HEADS = ("bot", "places", "wins", "95 % interval", "score", "faults", "ms/answer")


@dataclass(slots=True)
class Tally(Record):
    """One bot's results. `places[0]` counts first places; `wins` shares a first place among those who tie."""

    name: str
    places: list[int]
    games: int = 0
    wins: float = 0.0
    interval: list[float] = field(default_factory=lambda: [0.0, 1.0])  # of the share of wins
    mean_score: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)
    ms_per_answer: float = 0.0
    answers: int = 0

    def add(self, match: Match, seat: int) -> None:
        result = match.played.result
        self.end(result.places, result.scores, seat)
        for fault in match.played.faults:
            if fault.seat == seat:
                self.faults[fault.verdict] = self.faults.get(fault.verdict, 0) + 1
        for answer in match.played.answers:
            if answer.seat == seat and not answer.fault:
                self.answers += 1
                self.ms_per_answer += (answer.ms - self.ms_per_answer) / self.answers

    def end(self, places: Sequence[int], scores: Sequence[int], seat: int) -> None:
        """How one more match ended."""
        self.games += 1
        self.places[places[seat] - 1] += 1
        self.wins += 1 / places.count(1) if places[seat] == 1 else 0
        self.interval = wilson(self.wins, self.games)
        self.mean_score += (scores[seat] - self.mean_score) / self.games


def wilson(wins: float, games: int) -> list[float]:
    """The 95 % interval of a share of wins (Wilson's score interval)."""
    share, z2 = wins / games, SURE * SURE
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = SURE / (1 + z2 / games) * sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    return [max(0.0, middle - half), min(1.0, middle + half)]


def tally_rows(tallies: Iterable[Tally]) -> list[tuple[str, ...]]:
    return [_row(line) for line in sorted(tallies, key=lambda line: (-line.wins, -line.mean_score))]


def _row(line: Tally) -> tuple[str, ...]:
    low, high = line.interval
    return (
        line.name,
        "-".join(map(str, line.places)),
        f"{line.wins / line.games:.0%}",
        f"{low:.0%} to {high:.0%}",
        f"{line.mean_score:.1f}",
        str(sum(line.faults.values())),
        f"{line.ms_per_answer:.2f}",
    )
