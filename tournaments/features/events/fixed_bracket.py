"""A fixed bracket as a viewer may see it: who sits where, who went on, and in words who will."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from bots.formats.model import BracketSeat, BracketTable
from engine.sentences import Sentence
from tournaments.features.events.progress import EventProgress, PlayedSet, RoundTable
from tournaments.models import Entrant


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """An entrant at a table; until it is known, who it will be, in words."""

    entrant: Entrant | None
    words: str
    points: float | None
    goes_on: bool
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class DrawnTable:
    title: str
    seats: list[DrawnSeat]
    sets: list[PlayedSet]
    kind: str  # in words, where it is not played


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A round of the bracket, a column on the page."""

    title: str
    tables: list[DrawnTable]


@dataclass(frozen=True, slots=True)
class DrawnBracket:
    steps: list[DrawnStep]
    third_place: list[DrawnTable]
    feeding: int  # tables that fill one of the next step

    @property
    def is_tall(self) -> bool:
        """Too tall for a sheet of paper, if every table is to stand beside those that it is filled from."""
        return sum(len(table.seats) + 1 for table in self.steps[0].tables) > LINES


LINES = 50  # of a sheet
UNPLAYED = {"bye": Sentence("bye"), "walkover": Sentence("walkover"), "empty": Sentence("not played")}


def draw_bracket(progress: EventProgress) -> DrawnBracket | None:
    """Return the bracket; None where the format has no fixed one, or it has not begun."""
    return _Drawing(progress).bracket() if progress.plan.bracket else None


class _Drawing:
    def __init__(self, progress: EventProgress) -> None:
        self.progress, self.tables = progress, progress.plan.bracket
        self.boards = {(played.number, board.number): board for played in progress.rounds for board in played.boards}
        self.last = max(table.step for table in self.tables)
        self.ways = max(seat.place for table in self.tables for seat in table.seats if table.kind != "third_place")

    def bracket(self) -> DrawnBracket:
        steps = groupby((table for table in self.tables if table.kind != "third_place"), key=lambda table: table.step)
        drawn = [DrawnStep(self._title(step), [self._table(table) for table in tables]) for step, tables in steps]
        third = [self._table(table) for table in self.tables if table.kind == "third_place"]
        after = drawn[1].tables if len(drawn) > 1 else drawn[0].tables
        return DrawnBracket(drawn, third, len(drawn[0].tables) // len(after))

    def _title(self, step: int) -> str:
        return Sentence("Final") if step == self.last else Sentence("Round %(round)s", round=step)

    def _table(self, table: BracketTable) -> DrawnTable:
        board = None if table.kind in UNPLAYED else self.boards.get((table.round, table.number))
        on = set(self._going_on(table))
        seats = [self._seat(table, seat, board, on) for seat in table.seats]
        return DrawnTable(self._name(table), seats, board.sets if board else [], UNPLAYED.get(table.kind, ""))

    def _name(self, table: BracketTable) -> str:
        if table.kind == "third_place":
            return Sentence("Third place")
        return Sentence("Final") if table.step == self.last else Sentence("Table %(board)s", board=table.number)

    def _seat(self, table: BracketTable, seat: BracketSeat, board: RoundTable | None, on: set[int]) -> DrawnSeat:
        if seat.entrant is None:
            return DrawnSeat(None, self._words(table, seat), None, goes_on=False)
        points = {chair.entrant.bot_id: chair.points for chair in (board.chairs if board else [])}
        own_points = points.get(seat.entrant)
        goes_on = seat.entrant in on and not seat.left
        return DrawnSeat(self.progress.entrants[seat.entrant], "", own_points, goes_on, seat.left)

    def _words(self, table: BracketTable, seat: BracketSeat) -> str:
        if not seat.table:
            return Sentence("nobody")
        if table.kind == "third_place":
            return Sentence("Loser of table %(table)s", table=seat.table)
        if self.ways == 1:
            return Sentence("Winner of table %(table)s", table=seat.table)
        return Sentence("Place %(place)s of table %(table)s", place=seat.place, table=seat.table)

    def _going_on(self, table: BracketTable) -> Iterator[int]:
        """Yield who goes on to the next step; from the final, who has won."""
        if table.step == self.last:
            yield from self.progress.plan.winners if table.kind != "third_place" else ()
        yield from _fed(self.tables, table)


def _fed(tables: Iterable[BracketTable], by: BracketTable) -> Iterator[int]:
    for table in tables:
        if table.step == by.step + 1 and table.kind != "third_place":
            fed = (seat for seat in table.seats if seat.table == by.number and not seat.left)
            yield from (seat.entrant for seat in fed if seat.entrant is not None)
