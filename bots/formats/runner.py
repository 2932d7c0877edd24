"""A run of an event: a format yields draws, the event issues them and looks up their results.

A format is a generator: every plan starts it again, it walks over the rounds that are played and
stops where a result is missing. So a format has no state to lose.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bots.formats.crosstable import Crosstable
from bots.formats.model import (
    BracketTable,
    Bye,
    Entrant,
    Outcome,
    Pairing,
    Performances,
    SetResult,
    Table,
    unrated,
)
from bots.refusals import Refused
from engine.dice import Dice


@dataclass(frozen=True, slots=True)
class Heat:
    """A table for `sets` sets; the first of them has the number `first`."""

    stage: str
    table: int
    entrants: tuple[int, ...]
    sets: int = 1
    first: int = 1


@dataclass(frozen=True, slots=True)
class Draw:
    """What is issued at once. `again`: more sets of the same round, for what it left undecided."""

    heats: Sequence[Heat]
    byes: Sequence[tuple[str, int]] = ()
    again: bool = False
    sets: int = 1  # that a bye is spared


@dataclass(slots=True)
class EventRun:
    name: str
    entrants: Mapping[int, Entrant]
    outcome: Outcome
    performances: Performances = unrated
    round: int = 0
    pairings: list[Pairing] = field(default_factory=list)
    now: list[Pairing] = field(default_factory=list)
    byes: list[Bye] = field(default_factory=list)
    tables: defaultdict[str, Crosstable] = field(default_factory=lambda: defaultdict(Crosstable))
    played: dict[str, SetResult] = field(default_factory=dict)
    outside: set[int] = field(default_factory=set)  # who plays and cannot win
    batches: list[list[Pairing]] = field(default_factory=list)  # what was issued at once
    bracket: list[BracketTable] = field(default_factory=list)  # as the stage that has a fixed one sees it now
    parts: dict[str, str] = field(default_factory=dict)  # the titles of stages that are played beside each other

    def dice(self, stage: str, purpose: str) -> Dice:
        """Return the dice for the draw of the next round."""
        return Dice.of(f"{self.name}/{stage}/{self.round + 1}/{purpose}")

    def staying(self, field: Iterable[int], ahead: int = 0) -> list[int]:
        """Return those who play in the next round, or so many rounds after it, in the same order."""
        last = {entrant: self.entrants[entrant].last_round for entrant in field}
        return [entrant for entrant, left in last.items() if left is None or left > self.round + ahead]

    def plays_extra(self, entrant: int, rep: int) -> bool:
        """Return whether it plays this further set of the round: one that left, only if it had been issued before."""
        sets = self.entrants[entrant].last_sets
        return sets is None or rep <= sets or bool(self.staying([entrant]))

    def seeded(self, field: Iterable[int]) -> list[int]:
        """Best rating first; lots where they are equal."""
        lots = lots_of(self.name, field)
        return sorted(lots, key=lambda entrant: (-self.entrants[entrant].rating, lots[entrant]))

    def walk(self, draws: Iterator[Draw]) -> bool:
        """Whether the format is finished."""
        return all(self._issue(draw) for draw in draws)

    def _issue(self, draw: Draw) -> bool:
        self.round += not draw.again
        for stage, entrant in draw.byes:
            self.byes.append(Bye(stage, self.round, entrant))
            self.tables[stage].spare(entrant, draw.sets)
        self.batches.append(
            [
                Pairing(heat.stage, self.round, heat.table, rep, heat.entrants)
                for heat in draw.heats
                for rep in range(heat.first, heat.first + heat.sets)
            ]
        )
        for pairing in self.batches[-1]:
            self._look(pairing)
        return not self.now

    def _look(self, pairing: Pairing) -> None:
        self.pairings.append(pairing)
        result = self.outcome(pairing)
        if result is None:
            return self.now.append(pairing)
        if sorted(result.entrants) != sorted(pairing.entrants):
            seated, counted = (", ".join(map(str, sorted(group))) for group in (pairing.entrants, result.entrants))
            raise Refused(
                "wrong_table",
                "%(key)s seats %(seated)s, but its result is of %(found)s.",
                key=pairing.key,
                seated=seated,
                found=counted,
            )
        self.played[pairing.key] = result
        return self.tables[pairing.stage].add(result)

    def may_win(self, entrant: int) -> bool:
        return entrant not in self.outside and not self.entrants[entrant].disqualified

    def owners_clash(self, first: int, second: int) -> bool:
        return self.entrants[first].owner == self.entrants[second].owner != 0


def lots_of(event: str, field: Iterable[int]) -> dict[int, int]:
    """A lot for each, by hash, which does not depend on who else takes part."""
    return {entrant: Dice.of(f"{event}/lot/{entrant}").below(1 << 60) for entrant in field}


class Stage(Protocol):
    """A format applied to a field. Its standings are those after the draws that were walked so far."""

    def draws(self) -> Iterator[Draw]:
        """The rounds, one after another; it is resumed when all results of a yielded draw are in."""

    def ranking(self) -> list[int]:
        """The whole field, best first."""

    def tables(self) -> list[Table]:
        """The stage's standings, and those of its parts."""
