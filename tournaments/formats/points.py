"""What round robins and Swiss share: a number of rounds, points, and a table ordered by the event's criteria."""

from collections.abc import Iterator, Sequence

from tournaments.formats.crosstable import Crosstable
from tournaments.formats.event import Draw, Event, Heat
from tournaments.formats.model import Table
from tournaments.formats.ranking import ranked
from tournaments.formats.rows import rows_of
from tournaments.formats.spec import RoundRobin, Swiss, fewest_at


class PointsStage:
    """A field that plays a fixed number of rounds for points."""

    def __init__(self, event: Event, spec: RoundRobin | Swiss, name: str, field: Sequence[int], rounds: int) -> None:
        self.event, self.spec, self.name, self.field = event, spec, name, list(field)
        self.rounds, self.drawn = rounds, 0

    @property
    def played(self) -> Crosstable:
        return self.event.tables[self.name]

    def draws(self) -> Iterator[Draw]:
        """Ends before its time where too few are left for a table."""
        while self.drawn < self.rounds and len(there := self.event.staying(self.field)) >= fewest_at(self.spec):
            tables = self.tables_of(there)
            seated = {entrant for table in tables for entrant in table}
            self.drawn += 1
            yield self._draw(tables, [entrant for entrant in there if entrant not in seated])

    def tables_of(self, there: list[int]) -> list[list[int]]:
        """The next round of those who are there; who sits nowhere has a bye."""
        raise NotImplementedError

    def _draw(self, tables: list[list[int]], spared: list[int]) -> Draw:
        heats = [Heat(self.name, number, tuple(table), self.spec.sets) for number, table in enumerate(tables, 1)]
        return Draw(heats, [(self.name, entrant) for entrant in spared], sets=self.spec.sets)

    def ranking(self) -> list[int]:
        return ranked(self.event, self.field, self.played, self.spec.rank_by)

    def tables(self) -> list[Table]:
        return [Table(self.name, "", rows_of(self.event, self.ranking(), self.played, self.spec.rank_by))]
