"""Round robin: a design where the numbers allow one, else rounds that seat together those who have met least."""

from collections.abc import Sequence

from bots.formats.circle_schedule import Tables
from bots.formats.points import PointsStage
from bots.formats.rematch_swaps import Costs, swap_by_costs
from bots.formats.runner import EventRun
from bots.formats.schedule_length import design_of, rounds_by_itself
from bots.formats.seating import sizes, without_byes
from bots.formats.settings import RoundRobin, fewest_at

REACH = 6  # how many tables away a swap may be
OFTEN = 1000  # more than two ever meet


class RoundRobinStage(PointsStage):
    spec: RoundRobin

    def __init__(self, event: EventRun, spec: RoundRobin, name: str, field: Sequence[int]) -> None:
        self.whole, self.design = rounds_by_itself(spec, len(field)), balanced_design(spec, len(field))
        self.clashing = clashing(event, field) if spec.owners_apart else {}
        if self.clashing and spec.seats > 2:
            self.design = []  # it seats everybody with everybody
        super().__init__(event, spec, name, field, spec.rounds or self.whole)

    def tables_of(self, present: list[int]) -> list[list[int]]:
        """Two of one owner have a round without a table where they would meet alone."""
        tables = self.fixed_tables(self.drawn, present)
        if tables is None:
            tables = self._apart(self._least_met(present))
        self.byes.update(set(present) - {entrant for table in tables for entrant in table})
        return tables

    def fixed_tables(self, number: int, present: list[int]) -> list[list[int]] | None:
        return self._designed(number, present) if self._has_design(number, present) else None

    def _apart(self, tables: list[list[int]]) -> list[list[int]]:
        return [table for table in tables if len(table) > 2 or table[1] not in self.clashing.get(table[0], {})]

    def _has_design(self, number: int, present: list[int]) -> bool:
        """It holds as long as everybody stays. Circles hold anyway, and by the first edition all tables: they alone
        have all meet alike; since then, who is left at the table of somebody who went sits down elsewhere."""
        everybody = len(present) == len(self.field)
        if self.design and len(self.design) == self.whole:
            return everybody or self.spec.seats == 2 or self.spec.edition == 1
        return number < len(self.design) and everybody

    def _designed(self, number: int, present: list[int]) -> list[list[int]]:
        attending = set(present)
        tables = [[self.field[place] for place in table] for table in self.design[number % len(self.design)]]
        left = [[entrant for entrant in table if entrant in attending] for table in tables]
        return self._apart([table for table in left if len(table) >= fewest_at(self.spec)])

    def _least_met(self, present: list[int]) -> list[list[int]]:
        self.event.dice(self.name, "tables").shuffle(present)
        cuts = sizes(len(present), self.spec.seats, fewest_at(self.spec))
        playing, _ = without_byes(present, len(present) - sum(cuts), self.byes, first=True)
        return least_met(playing, cuts, self._costs(playing))

    def _costs(self, playing: Sequence[int]) -> Costs:
        """How often two have met; two of one owner as if they always had."""
        met = self.played.met
        if not self.clashing:
            return met
        return {entrant: {**met.get(entrant, {}), **self.clashing.get(entrant, {})} for entrant in playing}


def clashing(event: EventRun, field: Sequence[int]) -> dict[int, dict[int, int]]:
    """Return the entrants of the same owner for each entrant, unless all are of one owner."""
    clashes = {
        entrant: {other: OFTEN for other in field if other != entrant and event.owners_clash(entrant, other)}
        for entrant in field
    }
    alone = any(len(same_owner) == len(field) - 1 for same_owner in clashes.values())
    return {} if alone else {entrant: same_owner for entrant, same_owner in clashes.items() if same_owner}


def balanced_design(spec: RoundRobin, count: int) -> list[Tables]:
    """The rounds fixed beforehand; none where the settings want a part of all tables, which is not balanced."""
    complete, design = rounds_by_itself(spec, count), design_of(spec, count)
    part = len(design) == complete and complete and spec.rounds % complete
    return [] if part and min(spec.seats, count) > 2 else design


def sizes_by_round(spec: RoundRobin, count: int) -> list[list[int]]:
    """The sizes of the tables of every round, while everybody stays."""
    complete, design = rounds_by_itself(spec, count), balanced_design(spec, count)
    fixed = [[len(table) for table in tables if len(table) >= fewest_at(spec)] for tables in design]
    again = fixed * -(-spec.rounds // complete) if len(fixed) == complete and complete else fixed
    rounds = spec.rounds or complete
    return [*again, *[sizes(count, spec.seats, fewest_at(spec))] * max(0, rounds - len(again))][:rounds]


def least_met(playing: Sequence[int], cuts: Sequence[int], met: Costs) -> list[list[int]]:
    """Fill one table after another with the entrant who has met those at it least, then swap while that helps."""
    waiting = list(playing)
    tables = [_fill(waiting, size, met) for size in cuts]
    swap_by_costs(tables, met, reach=REACH)
    return tables


def _fill(waiting: list[int], size: int, met: Costs) -> list[int]:
    table = [waiting.pop()]
    encounters = dict.fromkeys(waiting, 0)
    while len(table) < size:
        for entrant in encounters.keys() & met.get(table[-1], {}).keys():
            encounters[entrant] += met[table[-1]][entrant]
        table.append(min(waiting, key=encounters.__getitem__))
        waiting.remove(table[-1])
    return table
