"""Round robin: a design where the numbers allow one, else rounds that seat together those who have met least."""

from collections import Counter
from collections.abc import Sequence

from tournaments.formats.circle_schedule import designed
from tournaments.formats.points import PointsStage
from tournaments.formats.rematch_swaps import Cost, swap_across_tables
from tournaments.formats.runner import EventRun
from tournaments.formats.schedule_length import rounds_by_itself
from tournaments.formats.seating import sizes, without_byes
from tournaments.formats.settings import RoundRobin, fewest_at

REACH = 6  # how many tables away a swap may be


class RoundRobinStage(PointsStage):
    def __init__(self, event: EventRun, spec: RoundRobin, name: str, field: Sequence[int]) -> None:
        seats, self.whole = min(spec.seats, len(field)), rounds_by_itself(spec, len(field))
        self.design = designed(len(field), seats) if self.whole else []
        if seats > 2 and len(self.design) == self.whole and self.whole and spec.rounds % self.whole:
            self.design = []  # a part of all tables is not balanced
        self.byes: Counter[int] = Counter()
        super().__init__(event, spec, name, field, spec.rounds or self.whole)

    def tables_of(self, there: list[int]) -> list[list[int]]:
        tables = self._designed(there) if self._has_design(there) else self._least_met(there)
        self.byes.update(set(there) - {entrant for table in tables for entrant in table})
        return tables

    def _has_design(self, there: list[int]) -> bool:
        """It holds as long as everybody stays. Circles and all tables hold anyway: they alone have all meet alike."""
        if self.design and len(self.design) == self.whole:
            return True
        return self.drawn < len(self.design) and len(there) == len(self.field)

    def _designed(self, there: list[int]) -> list[list[int]]:
        tables = [[self.field[place] for place in table] for table in self.design[self.drawn % len(self.design)]]
        left = [[entrant for entrant in table if entrant in there] for table in tables]
        return [table for table in left if len(table) >= fewest_at(self.spec)]

    def _least_met(self, there: list[int]) -> list[list[int]]:
        self.event.dice(self.name, "tables").shuffle(there)
        cuts = sizes(len(there), self.spec.seats, fewest_at(self.spec))
        playing, _ = without_byes(there, len(there) - sum(cuts), self.byes, first=True)
        met = self.played.met
        return least_met(playing, cuts, lambda one, other: met[one][other])


def least_met(playing: Sequence[int], cuts: Sequence[int], cost: Cost) -> list[list[int]]:
    """Fill one table after another with the entrant who has met those at it least, then swap while that helps."""
    waiting = list(playing)
    tables = [_fill(waiting, size, cost) for size in cuts]
    swap_across_tables(tables, cost, reach=REACH)
    return tables


def _fill(waiting: list[int], size: int, cost: Cost) -> list[int]:
    table = [waiting.pop()]
    known = dict.fromkeys(waiting, 0)
    while len(table) < size:
        for entrant in waiting:
            known[entrant] += cost(entrant, table[-1])
        table.append(min(waiting, key=known.__getitem__))
        waiting.remove(table[-1])
    return table
