"""A bracket whose places are known from the beginning: who comes first at this table meets who comes first at that.

It is single elimination, at tables of any size whose seats divide among those who go on: with four seats and two
who go on, two tables fill the next. Where entrants have left, those still at the table go on without playing, if no
more are there than may go on; where they are too few for a table, the best of the beaten at its feeders sit down.
"""

from collections.abc import Iterator, Sequence

from bots.formats.bracket_places import Places, first_round
from bots.formats.heats import order_of
from bots.formats.knockout import KnockoutStage
from bots.formats.rematch_swaps import swap_across_tables
from bots.formats.runner import Draw, EventRun, Heat
from bots.formats.settings import Knockout, advancing, feeding, fewest_at

Order = list[int]


class FixedBracketStage(KnockoutStage):
    def __init__(self, event: EventRun, spec: Knockout, name: str, field: Sequence[int]) -> None:
        super().__init__(event, spec, name, field)
        tables = first_round(field, spec.seats, feeding(spec))
        if spec.owners_apart:
            self._part_owners(tables)
        self.places = Places(tables, feeding(spec), advancing(spec), third_place=spec.third_place)
        self.at = 0  # the step of the bracket that is played
        self.beaten: list[Order] = [[] for _ in tables]  # at the feeders of each table, best first

    def _part_owners(self, tables: list[Order]) -> None:
        """Part entrants of one owner in the first round; the best of each table stay, so that the best seeds meet as
        late as before."""
        level = {entrant: seat for table in tables for seat, entrant in enumerate(table)}
        swap_across_tables(
            tables,
            lambda first, second: int(self.event.owners_clash(first, second)),
            reach=len(tables),
            may_swap=lambda first, second: level[first] == level[second] > 0,
        )

    def draws(self) -> Iterator[Draw]:
        for step in range(self.places.steps):
            self.at = step
            self._there()
            occupants = self.places.known(self.at)
            seated = [self._seated(table, beaten) for table, beaten in zip(occupants, self.beaten, strict=True)]
            heats = self._heats_at(seated)
            third = self._third_place() if self._is_final(0) else []
            self.heats, self.final = heats, self._is_final(0)
            self._show(seated, heats, third)
            if heats or third:
                yield Draw([*heats, *third], self._idle(seated, heats))
                yield from self._extra(heats, third, final=self._is_final(0))
            self._go_on(seated, heats)
            self._settle(third)
            self._draw(self.event.round)

    def _is_final(self, count: int) -> bool:  # noqa: ARG002  with places that are fixed, numbers say nothing
        return self.at == self.places.steps - 1

    def _rounds_after(self, count: int) -> int:  # noqa: ARG002  likewise
        return self.places.steps - 1 - self.at

    # --- who sits down --------------------------------------------------------------------------------------------

    def _seated(self, occupants: Order, beaten: Order) -> Order:
        """Return the entrants of a table who are still there, best seed first; where they are too few, the best of the
        beaten too."""
        present = [entrant for entrant in self.event.staying(occupants) if self.lives[entrant]]
        missing = fewest_at(self.spec) - len(present)
        lucky = self.event.staying(beaten)[: max(0, missing)]
        if self._goes_on() < len(present) and 0 < missing == len(lucky):
            present += [self._recalled(entrant) for entrant in lucky]
        return sorted(present, key=self.seed.__getitem__)

    def _goes_on(self) -> int:
        return 1 if self._is_final(0) else advancing(self.spec)

    def _recalled(self, entrant: int) -> int:
        self.lives[entrant] = 1
        self.out = [[other for other in together if other != entrant] for together in self.out]
        return entrant

    def _heats_at(self, seated: list[Order]) -> list[Heat]:
        """Return a heat for each table that is played: where there are more than go on, and enough for the game."""
        enough = max(fewest_at(self.spec), self._goes_on() + 1)
        sets = self.spec.sets[max(0, len(self.spec.sets) - 1 - self._rounds_after(0))]
        tables = [(number, table) for number, table in enumerate(seated, 1) if len(table) >= enough]
        return [Heat(self.name, number, tuple(table), sets) for number, table in tables]

    def _idle(self, seated: list[Order], heats: list[Heat]) -> list[tuple[str, int]]:
        playing = {entrant for heat in heats for entrant in heat.entrants}
        return [(self.name, entrant) for table in seated for entrant in table if entrant not in playing]

    # --- who goes on ----------------------------------------------------------------------------------------------

    def _go_on(self, seated: list[Order], heats: list[Heat]) -> None:
        orders = {heat.table: order_of(self.event, heat, self.seed) for heat in heats}
        order = [orders.get(number, table) for number, table in enumerate(seated, 1)]
        beaten = self._losers(heats, final=self._is_final(0))
        unplayed = [e for table in order for e in table[self._goes_on() :] if e not in beaten]
        self._leave([*beaten, *unplayed])
        self.beaten = self.places.by_next_table(seated, [*beaten, *unplayed])
        if self.at == self.places.steps - 2:
            self.semifinalists = beaten
        self.places.go_on(self.at, [table[: self._goes_on()] for table in order])

    def _show(self, seated: list[Order], heats: list[Heat], third: list[Heat]) -> None:
        number = self.event.round + 1 if heats or third else 0
        played = {heat.table: heat.entrants for heat in heats}
        self.places.issued(self.at, number, seated, played, [entrant for heat in third for entrant in heat.entrants])
        self._draw(max(number, self.event.round))

    def _draw(self, last_round: int) -> None:
        """Draw the bracket as it is after that round."""
        ahead = last_round - self.event.round
        self.event.bracket = self.places.shown(last_round, lambda field: self.event.staying(field, ahead))
