"""Tables as the snake deals them, changed so that the fewest meet again and seeds stay within a step.

A seat's *level* is the turn of the snake that fills it: the best seeds sit at level 0, one at each table, the next at
level 1, and so on. Who is dealt a level may sit at that level of any table, or one level away. Of these assignments one
of the least cost is wanted: first among those that keep every level, then among all. Swaps find it nearly always; where
they leave a cost, up to `MOST` entrants are searched exhaustively, for `BUDGET` steps (9 entrants never use them up).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, permutations

from bots.formats.rematch_swaps import Cost
from bots.formats.runner import EventRun
from bots.formats.seating import snaked

Tables = list[list[int]]
MOST = 64
BUDGET = 8_000


def avoid_rematches(order: Sequence[int], cuts: Sequence[int], cost: Cost) -> Tables:
    """`order`: best seed first; `cuts`: the sizes of the tables. At a table the seats are in the order of levels."""
    tables = snaked(order, cuts)
    for step in (0, 1):
        search = _Search(snaked(order, cuts), cost, step)
        tables = search.exhausted(search.swapped(tables), order)
    return tables


def total_cost(tables: Sequence[Sequence[int]], cost: Cost) -> int:
    """The cost of who sits together."""
    return sum(cost(*pair) for table in tables for pair in combinations(table, 2))


class Meetings:
    """Counts the rounds in which two have sat at one table: in the whole event, the stages before this one among them.

    Several sets of one round are one meeting. A table of which no set counted was none.
    """

    def __init__(self, event: EventRun) -> None:
        self.event, self.read = event, 0
        self.times: defaultdict[int, Counter[int]] = defaultdict(Counter)

    def update(self) -> None:
        """Add what was played since the last update; to be called when a round is over."""
        since = self.event.pairings[self.read :]
        self.read = len(self.event.pairings)
        played = {
            (pairing.stage, pairing.round, pairing.entrants)
            for pairing in since
            if not self.event.played[pairing.key].void
        }
        for _, _, entrants in played:
            for first, second in permutations(entrants, 2):
                self.times[first][second] += 1

    def between(self, first: int, second: int) -> int:
        return self.times[first][second] if first in self.times else 0


class _Search:
    """Among the assignments that move nobody by more than `step` levels."""

    def __init__(self, dealt: Tables, cost: Cost, step: int) -> None:
        self.level = {entrant: level for table in dealt for level, entrant in enumerate(table)}
        self.cost, self.step = cost, step

    def _may_sit(self, entrant: int, level: int) -> bool:
        return abs(self.level[entrant] - level) <= self.step

    # --- by swaps -------------------------------------------------------------------------------------------------

    def swapped(self, dealt: Tables) -> Tables:
        """Return the tables after swaps of two, at the nearest tables first, as long as they lower the cost."""
        tables = [list(table) for table in dealt]
        seats = [
            (table_number, seat) for table_number, table in enumerate(tables) for seat in reversed(range(len(table)))
        ]
        while sum([self._improve(tables, table_number, seat) for table_number, seat in seats]):
            pass
        return tables

    def _improve(self, tables: Tables, table_number: int, seat: int) -> bool:
        """Return whether a swap for this seat was found and made."""
        if not self._among(tables[table_number][seat], tables[table_number], seat):
            return False
        nearest = sorted(range(len(tables)), key=lambda other_table: abs(other_table - table_number))[1:]
        return any(self._swap(tables[table_number], seat, tables[other_table]) for other_table in nearest)

    def _swap(self, source: list[int], seat: int, target: list[int]) -> bool:
        mover, before = source[seat], self._among(source[seat], source, seat)
        for place, partner in enumerate(target):
            if self._may_sit(mover, place) and self._may_sit(partner, seat):
                now = before + self._among(partner, target, place)
                if now > self._among(mover, target, place) + self._among(partner, source, seat):
                    source[seat], target[place] = partner, mover
                    return True
        return False

    def _among(self, entrant: int, table: Sequence[int], seat: int) -> int:
        """Return what it costs this entrant to sit there in the place of who sits there now."""
        return sum(self.cost(entrant, other) for place, other in enumerate(table) if place != seat)

    # --- exhaustively ---------------------------------------------------------------------------------------------

    def exhausted(self, tables: Tables, order: Sequence[int]) -> Tables:
        """Return the best assignment, which is that of the swaps unless a better one is found."""
        self.best, self.least, self.steps = tables, total_cost(tables, self.cost), BUDGET
        if self.least and len(order) <= MOST:
            self._open([], list(order), [len(table) for table in tables], 0)
        return self.best

    def _open(self, done: Tables, left: list[int], sizes: list[int], spent: int) -> None:
        """The next table is that of the best seed who has none: so no assignment is looked at twice."""
        if not left and spent < self.least:
            self.best, self.least = done, spent
        for size in sorted(set(sizes), reverse=True) if left and self._may_sit(left[0], 0) else ():
            remaining = list(sizes)
            remaining.remove(size)
            self._fill((done, remaining, size), [left[0]], left[1:], 0, spent)

    def _fill(
        self, so_far: tuple[Tables, list[int], int], table: list[int], left: list[int], start: int, spent: int
    ) -> None:
        """Fill the other seats of the table, level by level."""
        done, remaining, size = so_far
        self.steps -= 1
        if spent >= self.least or self.steps < 0:
            return
        if len(table) == size:
            self._open([*done, table], [entrant for entrant in left if entrant not in table], remaining, spent)
        for place in range(start, len(left) if len(table) < size else 0):
            if self._may_sit(left[place], len(table)):
                more = sum(self.cost(left[place], other) for other in table)
                self._fill(so_far, [*table, left[place]], left, place + 1, spent + more)
