"""The places of a fixed bracket: who sits where in its first round, and where those who go on sit down in the next."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from bots.formats.model import BracketSeat, BracketTable, Kind
from bots.formats.seating import even, snaked

Order = list[int]
Seats = list[BracketSeat]


def first_round(field: Sequence[int], seats: int, feeding: int) -> list[Order]:
    """The tables of the first round, from the top of the bracket to its bottom; `feeding` tables fill one of the next.

    The snake deals all to the parts of the bracket that meet in its final, and within each part likewise, so the best
    two sit in different parts, and with two at a table the best four in different quarters. Where tables are not full,
    the last seeds sit with the weakest of the first ones: the best have the smallest tables, or go on at once.
    """
    tables = 1
    while seats * tables < len(field):
        tables *= feeding
    over = len(field) % tables
    leaves = _parted(field[: len(field) - over], tables, feeding)
    weakest_first = sorted(leaves, key=lambda leaf: -field.index(leaf[0]) if leaf else 0)
    for entrant, leaf in zip(field[len(field) - over :], weakest_first, strict=False):
        leaf.append(entrant)
    return leaves


def _parted(field: Sequence[int], tables: int, feeding: int) -> list[Order]:
    if tables == 1:
        return [list(field)]
    parts = snaked(field, even(len(field), feeding))
    return [leaf for part in parts for leaf in _parted(part, tables // feeding, feeding)]


class Places:
    """Who sits where, as far as it is known, step by step."""

    def __init__(self, tables: Sequence[Order], feeding: int, advancing: int, *, third_place: bool) -> None:
        self.feeding, self.advancing = feeding, advancing
        self.seats: list[list[Seats]] = [[[BracketSeat(entrant) for entrant in table] for table in tables]]
        while (last := len(self.seats[-1])) > 1:
            self.seats.append([self._fed(number) for number in range(last // feeding)])
        self.third_place = third_place and self.steps > 1 and all(map(self._is_played, self.seats[-2]))
        self.rounds: dict[int, int] = {}  # of the event, by step
        self.heats: dict[int, Mapping[int, Sequence[int]]] = {}  # who played, by step and table
        self.there: dict[int, Collection[int]] = {}  # of the entrants at its tables, by step
        self.third: Sequence[int] = ()

    @property
    def steps(self) -> int:
        return len(self.seats)

    def known(self, step: int) -> list[Order]:
        """The entrants at each table of a step."""
        return [[seat.entrant for seat in table if seat.entrant is not None] for table in self.seats[step]]

    def _fed(self, number: int) -> Seats:
        feeders = range(number * self.feeding + 1, (number + 1) * self.feeding + 1)
        return [BracketSeat(None, table, place) for table in feeders for place in range(1, self.advancing + 1)]

    def _is_played(self, table: Seats) -> bool:
        return len(table) > self.advancing

    # --- who goes on ----------------------------------------------------------------------------------------------

    def go_on(self, step: int, on: Sequence[Sequence[int]]) -> None:
        """`on`: who goes on from each table of the step, best first. A place that nobody takes stays empty."""
        for number, entrants in enumerate(on if step + 1 < self.steps else ()):
            self._fill(step + 1, number, entrants)

    def _fill(self, step: int, feeder: int, entrants: Sequence[int]) -> None:
        table, first = self.seats[step][feeder // self.feeding], feeder % self.feeding * self.advancing
        filled: Seats = [BracketSeat(entrant, feeder + 1, place) for place, entrant in enumerate(entrants, 1)]
        table[first : first + self.advancing] = filled + [BracketSeat()] * (self.advancing - len(filled))

    def by_next_table(self, seated: Sequence[Order], beaten: Sequence[int]) -> list[Order]:
        """The beaten, in their order, by the table of the next step to which they might have gone on."""
        number = {entrant: table // self.feeding for table, entrants in enumerate(seated) for entrant in entrants}
        return [[e for e in beaten if number[e] == table] for table in range(-(-len(seated) // self.feeding))]

    # --- as it is drawn -------------------------------------------------------------------------------------------

    def issued(
        self,
        step: int,
        number: int,
        seated: Sequence[Order],
        heats: Mapping[int, Sequence[int]],
        third: Sequence[int],
    ) -> None:
        """Note who was there and what was issued in a step, in which round of the event; 0 where nothing was. From
        tables that are not played they go on at once."""
        self.rounds[step], self.heats[step], self.third = number, heats, third
        self.there[step] = {entrant for table in seated for entrant in table}
        for feeder, table in enumerate(seated if step + 1 < self.steps else ()):
            if feeder + 1 not in heats:
                self._fill(step + 1, feeder, table[: self.advancing])

    def shown(self, last_round: int, staying: Callable[[Order], Order]) -> list[BracketTable]:
        """Return all tables; those to come are dated from the last round of the event that was issued, after which
        `staying` says who is there."""
        for step in range(len(self.rounds), self.steps):
            self.there[step] = staying([entrant for table in self.known(step) for entrant in table])
        return [table for step in range(self.steps) for table in self._step(step, last_round)]

    def _step(self, step: int, last_round: int) -> list[BracketTable]:
        round_ = self.rounds.get(step, last_round + 1 + step - len(self.rounds))
        tables = []
        for number, seats in enumerate(self.seats[step], 1):
            seated = self._seated(step, number, seats)
            tables.append(BracketTable(step + 1, round_, number, seated, self._kind(step, number, seated)))
        return tables + (self._for_third_place(round_) if step == self.steps - 1 else [])

    def _kind(self, step: int, number: int, seated: Sequence[BracketSeat]) -> Kind:
        if step not in self.heats or number in self.heats[step]:
            return "match"
        there = [seat for seat in seated if seat.entrant is not None and not seat.left]
        if there:
            return "bye" if len(there) == len(seated) else "walkover"
        return "empty"

    def _seated(self, step: int, number: int, seats: Seats) -> tuple[BracketSeat, ...]:
        """Return the seats of a table. An entrant that was called back sits in the place of one that did not come."""
        played = self.heats.get(step, {}).get(number, ())
        called = [entrant for entrant in played if entrant not in {seat.entrant for seat in seats}]
        came_first = sorted(seats, key=lambda seat: seat.entrant not in played)
        kept = came_first[: len(seats) - len(called)] if called else seats
        return tuple(
            replace(seat, left=seat.entrant is not None and seat.entrant not in self.there[step])
            for seat in (*kept, *map(BracketSeat, called))
        )

    def _for_third_place(self, round_: int) -> list[BracketTable]:
        """Return the match for third place beside the final; none once a semi-final or it itself was not issued."""
        if not self.third_place or (self.steps - 1 in self.rounds and not self.third):
            return []
        if len(self.heats.get(self.steps - 2, self.seats[-2])) < len(self.seats[-2]):
            return []
        semifinals = [[seat.entrant for seat in table] for table in self.seats[-2]]
        beaten = [next((e for e in self.third if e in table), None) for table in semifinals]
        seats = tuple(BracketSeat(entrant, table, 2) for table, entrant in enumerate(beaten, 1))
        return [BracketTable(self.steps, round_, 2, seats, "third_place")]
