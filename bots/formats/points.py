"""The base of round robin and Swiss: a number of rounds, points, and a table ordered by the event's criteria."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bots.formats.clinching import needs, sets_in_words
from bots.formats.crosstable import Crosstable, Marks
from bots.formats.model import Table
from bots.formats.runner import Draw, EventRun, Heat
from bots.formats.settings import Criterion, Points, fewest_at
from bots.formats.table_rows import rows_of
from bots.formats.tie_breaks import measures, ranked
from bots.formats.unplayed_rounds import NONE, UnplayedRounds


class PointsStage:
    """A field that plays a fixed number of rounds for points."""

    def __init__(self, event: EventRun, spec: Points, name: str, field: Sequence[int], rounds: int) -> None:
        self.event, self.spec, self.name, self.field = event, spec, name, list(field)
        self.rounds, self.drawn = rounds, 0
        self.first_round = 0  # of the event, once it has been drawn
        self.title = ""
        self.places = 1  # how many of them count: who wins, who qualifies
        self.fewest = fewest_at(spec)  # who must be there for a round

    @property
    def played(self) -> Crosstable:
        return self.event.tables[self.name]

    def draws(self) -> Iterator[Draw]:
        """Ends early when too few are left for a table."""
        while self.drawn < self.rounds and len(present := self.event.staying(self.field)) >= self.fewest:
            tables = self.tables_of(present)
            seated = {entrant for table in tables for entrant in table}
            self.first_round = self.first_round or self.event.round + 1
            self.drawn += 1
            yield self._draw(tables, [entrant for entrant in present if entrant not in seated])

    def tables_of(self, present: list[int]) -> list[list[int]]:
        """The next round of those who are there; who has no seat has a bye."""
        raise NotImplementedError

    def _draw(self, tables: list[list[int]], spared: list[int]) -> Draw:
        heats = [Heat(self.name, number, tuple(table), self.spec.sets) for number, table in enumerate(tables, 1)]
        return Draw(heats, [(self.name, entrant) for entrant in spared], sets=self.spec.sets)

    def ranking(self) -> list[int]:
        return ranked(self.event, self.field, self.played, self.spec.rank_by, self.unplayed())

    def unplayed(self) -> UnplayedRounds:
        """Return what rounds without a table are worth in tie-breaks."""
        return NONE

    def tables(self) -> list[Table]:
        rows = rows_of(self.event, self.ranking(), self.played, self._measured(), self._needs())
        return [Table(self.name, self.title, rows)]

    def _measured(self) -> dict[Criterion, Marks]:
        measure, ranking = measures(self.played, self.unplayed(), self.event.performances), self.ranking()
        return {criterion: measure[criterion](ranking) for criterion in self.spec.rank_by}

    def _needs(self) -> dict[int, str]:
        """Return what each entrant needs for the places that count, as far as points decide them; nothing once all is
        played."""
        under_way = Counter(entrant for pairing in self.event.now for entrant in pairing.entrants)
        left = {e: under_way[e] for e in self.field if not self.event.entrants[e].disqualified}
        for entrant in self.event.staying(left):
            left[entrant] += (self.rounds - self.drawn) * self.spec.sets
        if not any(left.values()):
            return {}
        if self.spec.rank_by[0] != "points":
            return {entrant: f"has {sets_in_words(sets)} to play" for entrant, sets in left.items() if sets}
        return needs(self.played, left, self.places)
