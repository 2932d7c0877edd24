"""The input and output of a format: plain values, exact numbers.

Points are whole 1680ths of a set: the shares of opponents beaten at tables of 2 to 8, over as many games as there are
seats, ties as halves, are all whole numbers of these. So results can be added up in any order, and equal is equal.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bots.refusals import Refused

POINT = 1680


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part. `rating` and `sd` (Elo) seed it; `last_round` is the last that it plays, None while it stays.

    An entrant that withdraws or is disqualified leaves after the last round that was issued: what is issued is played.
    `last_sets` says how many sets of that round were issued to it when it left; None: as many as the format wants.
    """

    id: int
    rating: float = 1500.0
    sd: float = 350.0
    owner: int = 0  # 0: nobody's, and apart from nobody
    last_round: int | None = None
    disqualified: bool = False
    last_sets: int | None = None


@dataclass(frozen=True, slots=True)
class SetResult:
    """A finished set: the places in each game, in the order of `entrants` (1 is best, equal is a tie).

    Without games it is void: cancelled, and counted for nobody. `crashes` counts the games that each forfeited;
    `margins` are thousandths, summed over the games, of the lead as the game defines it. Both may be left out.
    """

    entrants: tuple[int, ...]
    games: tuple[tuple[int, ...], ...] = ()
    crashes: tuple[int, ...] = ()
    margins: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        seats = len(self.entrants)
        even = all(
            len(row) == seats for row in (*self.games, self.crashes or self.entrants, self.margins or self.entrants)
        )
        if not even or seats < 2 or len(set(self.entrants)) < seats:
            raise Refused(
                "bad_result", "A result needs two different entrants or more, and in every game a place for each."
            )

    @property
    def void(self) -> bool:
        return not self.games

    def beaten(self, seat: int, other: int) -> int:
        """Half games: two for each in which `seat` was ahead of `other`, one where they were level."""
        return sum(1 + (game[seat] < game[other]) - (game[seat] > game[other]) for game in self.games)


def lead_over_others(scores: Sequence[int], seat: int) -> int:
    """Return the seat's score in a game over the mean of the others, in thousandths of what the game scores by."""
    return 1000 * (len(scores) * scores[seat] - sum(scores)) // (len(scores) - 1)


@dataclass(frozen=True, slots=True)
class Pairing:
    """One set to be played: one deal, as many matches as seats. Rounds are counted through the whole event."""

    stage: str
    round: int
    table: int
    rep: int
    entrants: tuple[int, ...]

    @property
    def key(self) -> str:
        return f"{self.stage}/{self.round}/{self.table}/{self.rep}"

    @property
    def matches(self) -> int:
        return len(self.entrants)


@dataclass(frozen=True, slots=True)
class Bye:
    """A round without a table. It scores the entrant's own mean, so it neither helps nor hurts."""

    stage: str
    round: int
    entrant: int


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table, best first; `marks` are the numbers that order it, `needs` says what is still open, and
    `spared` are the sets that were not played and score the mean of the others."""

    rank: int
    entrant: int
    points: float
    sets: int
    marks: dict[str, float] = field(default_factory=dict)
    needs: str = ""
    spared: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """The standings of one stage: a group, a division, the bracket."""

    stage: str
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class BracketSeat:
    """A place at a table of a fixed bracket. Until its entrant is known it is whoever comes `place`-th (from 1) at that
    `table` of the step before; where nobody comes it is of no table. `left`: its entrant does not sit down there."""

    entrant: int | None = None
    table: int = 0
    place: int = 0
    left: bool = False


Kind = Literal["match", "bye", "walkover", "empty", "third_place"]


@dataclass(frozen=True, slots=True)
class BracketTable:
    """A table of a fixed bracket. By a bye, and by a walkover where others have left, those who are there go on without
    playing; at an empty table nobody is."""

    step: int  # from 1, the first round of the bracket
    round: int  # of the event: the one that it has been issued in, or will be; 0 where nothing was played
    number: int
    seats: tuple[BracketSeat, ...]
    kind: Kind = "match"


@dataclass(frozen=True, slots=True)
class Plan:
    """Where an event stands. `pairings` are all that were ever issued; no later result removes one."""

    pairings: tuple[Pairing, ...]
    now: tuple[Pairing, ...]  # those among them without a result
    byes: tuple[Bye, ...]
    round: int  # the last that was issued
    done: bool
    table: tuple[Row, ...]  # the whole field
    stages: tuple[Table, ...]
    winners: tuple[int, ...]  # empty until done, and where all who could win left without playing
    bracket: tuple[BracketTable, ...] = ()  # step by step, where the format has a fixed one
    parts: Mapping[str, str] = field(default_factory=dict)  # titles of stages beside each other, groups or divisions

    @property
    def places(self) -> dict[int, int]:
        """The ranks by entrant; empty if nobody has won and nobody has played."""
        played = self.winners or any(row.sets for row in self.table)
        return {row.entrant: row.rank for row in self.table} if played else {}


Outcome = Callable[[Pairing], SetResult | None]
Performances = Callable[[tuple[SetResult, ...]], dict[int, int]]  # in thousandths of an Elo, so that equal is equal


def unrated(_: tuple[SetResult, ...]) -> dict[int, int]:
    """Return no performance ratings: without them all are level by ratings."""
    return {}


def ledger(results: Iterable[tuple[str, SetResult]]) -> dict[str, SetResult]:
    """Results by pairing. The same result twice is one; two that differ are refused, for the first has been seen."""
    kept: dict[str, SetResult] = {}
    for key, result in results:
        if kept.setdefault(key, result) != result:
            raise Refused(
                "two_results", "%(key)s has a result already, and this is another; the first stands.", key=key
            )
    return kept
