"""The base of round robin and Swiss: a number of rounds, points, and a table ordered by the event's criteria."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from bots.formats.clinching import Left, goal_of, needs, sets_in_words
from bots.formats.crosstable import Crosstable, Marks
from bots.formats.model import Table
from bots.formats.runner import Draw, EventRun, Heat
from bots.formats.seating import sizes
from bots.formats.settings import Criterion, Points, fewest_at
from bots.formats.table_rows import no_shows, placed, rows_of
from bots.formats.tie_breaks import measures, ranked
from bots.formats.unplayed_rounds import NONE, UnplayedRounds
from engine.sentences import Sentence

Round = tuple[list[int], list[list[int]] | None]  # to come: who will be there, and the tables, if they are known


class PointsStage:
    """A field that plays a fixed number of rounds for points."""

    def __init__(self, event: EventRun, spec: Points, name: str, field: Sequence[int], rounds: int) -> None:
        self.event, self.spec, self.name, self.field = event, spec, name, list(field)
        self.rounds, self.drawn = rounds, 0
        self.first_round = 0  # of the event, once it has been drawn
        self.title = ""
        self.places = 1  # how many of them count: who wins, who qualifies
        self.goal: Sentence | None = None  # what they are called
        self.counts_leavers = True  # whether who has left takes one of them
        self.reached: Collection[int] | None = None  # who has one of them, once that is settled
        self.byes: Counter[int] = Counter()
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

    # --- what is still open ---------------------------------------------------------------------------------------

    def _needs(self) -> dict[int, str]:
        """Return what each entrant needs for the places that count, as far as points decide them; once all is played
        here, who has one. Nothing when the event is over."""
        if not self.event.now:
            return {}
        ahead, goal = self._ahead(), self.goal or goal_of(self.places)
        left = self._left(ahead)
        racing = self._racing(left)
        if not any(left[entrant].most for entrant in left):
            reached = self._first(racing) if self.reached is None else self.reached
            is_in, is_out = Sentence("has reached %(goal)s", goal=goal), Sentence("has not reached %(goal)s", goal=goal)
            return {entrant: is_in if entrant in reached else is_out for entrant in left}
        if self.spec.rank_by[0] != "points":
            open_sets = {entrant: sets_in_words(sets) for entrant, sets in left.items() if sets.most}
            return {entrant: Sentence("has %(sets)s to play", sets=sets) for entrant, sets in open_sets.items()}
        return needs(
            self.played, {entrant: left[entrant] for entrant in racing}, self._to_come(ahead), self.places, goal
        )

    def _racing(self, left: dict[int, Left]) -> list[int]:
        """Return those who may have one of the places that count."""
        honest = [entrant for entrant in self.field if not self.event.entrants[entrant].disqualified]
        if not self.counts_leavers:
            return self.event.staying(honest)
        gone = no_shows(self.event, self.field, self.played)
        return [entrant for entrant in honest if entrant not in gone or left[entrant].most]

    def _first(self, racing: Collection[int]) -> list[int]:
        ranking = placed(self.event, self.ranking(), self.played)
        return [entrant for entrant in ranking if entrant in racing][: self.places]

    def _left(self, ahead: Sequence[Round]) -> dict[int, Left]:
        """Return the sets that each still plays: those that were dealt, and those of the rounds to come."""
        dealt = Counter(entrant for table in self._dealt() for entrant in table)
        sets = self.spec.sets
        rounds = Counter(e for present, _ in ahead for e in present)
        fixed = Counter[int]()
        for present, tables in ahead:
            if tables is not None:
                fixed.update(set(present).difference(*tables))
        had, undrawn = self.byes + fixed, [present for present, tables in ahead if tables is None]
        byes: dict[tuple[int, int | None], list[int]] = {}  # of those who are alike: at most, and at least
        left = {}
        for entrant in self.field:
            kind = had[entrant], self.event.entrants[entrant].last_round
            if kind not in byes:
                byes[kind] = [self._byes(undrawn, had, entrant, late=late) for late in (False, True)]
            fewest, most = (rounds[entrant] - fixed[entrant] - spared for spared in byes[kind])
            left[entrant] = Left(*(dealt[entrant] + sets * count for count in (fewest, most, rounds[entrant])))
        return left

    def _dealt(self) -> list[Sequence[int]]:
        return [pairing.entrants for pairing in self.event.now if pairing.stage == self.name]

    def _to_come(self, ahead: Sequence[Round]) -> list[Sequence[int]] | None:
        """Return who sits together in each set to come; None where that depends on results."""
        drawn = [tables for _, tables in ahead if tables is not None]
        sets = [table for tables in drawn for table in tables for _ in range(self.spec.sets)]
        return [*self._dealt(), *sets] if len(drawn) == len(ahead) else None

    def _ahead(self) -> list[Round]:
        ahead: list[Round] = []
        for number in range(self.drawn, self.rounds):
            present = self.event.staying(self.field, number - self.drawn)
            if len(present) < self.fewest:
                break
            ahead.append((present, self.fixed_tables(number, present)))
        return ahead

    def fixed_tables(self, number: int, present: list[int]) -> list[list[int]] | None:  # noqa: ARG002  they follow
        """Return the tables of a round to come, if they are known before it is drawn."""
        return None

    def _byes(self, rounds: Sequence[list[int]], had: Counter[int], entrant: int, *, late: bool) -> int:
        """Return how many byes it has in these rounds if it is the last of those with as few to have one, or the
        first."""
        counts = Counter(had)
        for present in rounds:
            spared = len(present) - sum(sizes(len(present), self.spec.seats, self.fewest))
            first = sorted(present, key=lambda other: (counts[other], (other == entrant) == late))
            counts.update(first[:spared])
        return counts[entrant] - had[entrant]
