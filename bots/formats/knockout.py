"""Elimination by lives: one is single elimination, two are double, at tables of any size.

Entrants with equally many lives meet; the last of a table lose one. Seeds are dealt out afresh every round, back and
forth, so that the best meet late. With two at a table the last two play on until one has no life left: that is the
reset of the bracket. With more, the last who fit at one table play the final, and its first place wins.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bots.formats.heats import extra_played, extra_sets, order_of, result_of, sort_key, wants_extra
from bots.formats.model import Table
from bots.formats.rematch_avoidance import Meetings, avoid_rematches
from bots.formats.rematch_swaps import swap_across_tables
from bots.formats.runner import Draw, EventRun, Heat
from bots.formats.seating import sizes, snaked, without_byes
from bots.formats.settings import Knockout, advancing, fewest_at
from bots.formats.table_rows import rows_of
from engine.sentences import Sentence

Order = list[int]
AGAIN = 1000  # what a second meeting costs, in owners sitting together


class KnockoutStage:
    def __init__(self, event: EventRun, spec: Knockout, name: str, field: Sequence[int]) -> None:
        self.event, self.spec, self.name, self.field = event, spec, name, list(field)
        self.seed = {entrant: place for place, entrant in enumerate(field)}
        self.lives = dict.fromkeys(field, int(spec.lives))
        self.out: list[Order] = []  # in the order in which they went, best first of those who went together
        self.byes: Counter[int] = Counter()
        self.meetings = Meetings(event)
        self.semifinalists: Order = []  # those beaten before the final, who play for third place
        self.heats: list[Heat] = []  # of the present round, but for the match for third place
        self.final = False  # whether it is the last

    def draws(self) -> Iterator[Draw]:
        while len(present := self._there()) >= fewest_at(self.spec):
            final = self._is_final(len(present))
            self.meetings.update()
            tables = [present] if final else self._tables(present)
            heats, third = self._heats(tables, len(present)), self._third_place() if final else []
            self.heats, self.final = heats, final
            yield Draw([*heats, *third], self._byes(present, tables))
            yield from self._extra(heats, third, final=final)
            self._cut(heats, final=final)
            self._settle(third)
            if final and self.spec.seats > 2:
                return
        if third := self._third_place():  # there was no final
            self.heats, self.final = [], True
            yield Draw(third)
            yield from self._extra([], third, final=True)
            self._settle(third)

    def _extra(self, heats: list[Heat], third: list[Heat], *, final: bool) -> Iterator[Draw]:
        on = [self._on(heat, final=final) for heat in heats] + [1] * len(third)
        yield from extra_sets(self.event, [*heats, *third], on, self.spec.extra)

    def _is_final(self, count: int) -> bool:
        return count <= self.spec.seats

    def _there(self) -> Order:
        """Return those with lives who stay, best seed first. The others are out from here on."""
        alive = [entrant for entrant in self.field if self.lives[entrant]]
        present = self.event.staying(alive)
        self._leave(self._by_merit(entrant for entrant in alive if entrant not in present))
        return present

    def _leave(self, gone: Order) -> None:
        self.lives.update(dict.fromkeys(gone, 0))
        if gone:
            self.out.append(gone)

    # --- who meets ------------------------------------------------------------------------------------------------

    def _tables(self, present: Order) -> list[Order]:
        """Return the tables of each bracket by itself; of all together where none is large enough for a table."""
        by_lives = [[entrant for entrant in present if self.lives[entrant] == lives] for lives in (2, 1)]
        tables = [table for bracket in by_lives for table in self._bracket(bracket)]
        return tables or self._bracket([entrant for bracket in by_lives for entrant in bracket])

    def _bracket(self, bracket: Order) -> list[Order]:
        cuts = self._cuts(bracket)
        playing, spared = without_byes(bracket, len(bracket) - sum(cuts), self.byes, first=True)
        if cuts:
            self.byes.update(spared)  # a bracket too small for a table waits, which counts as a bye for nobody
        if self.spec.edition > 1:
            return avoid_rematches(playing, cuts, self._cost)
        tables = snaked(playing, cuts)
        if self.spec.owners_apart:
            swap_across_tables(
                tables, lambda first, second: int(self.event.owners_clash(first, second)), reach=len(tables)
            )
        return tables

    def _cost(self, first: int, second: int) -> int:
        clash = self.spec.owners_apart and self.event.owners_clash(first, second)
        return AGAIN * self.meetings.between(first, second) + clash

    def _cuts(self, bracket: Order) -> list[int]:
        """Return the sizes of the tables. With two at a table the first round leaves a power of two, so that no other
        has byes."""
        if self.spec.seats == 2 and bracket and self.lives[bracket[0]] == self.spec.lives:
            power = 1 << max(0, (len(bracket) - 1).bit_length() - 1)
            return [2] * (len(bracket) - power)
        return sizes(len(bracket), self.spec.seats, fewest_at(self.spec))

    def _byes(self, present: Order, tables: list[Order]) -> list[tuple[str, int]]:
        seated = {entrant for table in tables for entrant in table}
        return [(self.name, entrant) for entrant in present if entrant not in seated]

    def _heats(self, tables: list[Order], count: int) -> list[Heat]:
        sets = self.spec.sets[max(0, len(self.spec.sets) - 1 - self._rounds_after(count))]
        return [Heat(self.name, number, tuple(table), sets) for number, table in enumerate(tables, 1)]

    def _rounds_after(self, count: int) -> int:
        """Count the rounds until the final, by the number of those still in."""
        rounds = 0
        while count > self.spec.seats:
            cuts = sizes(count, self.spec.seats, fewest_at(self.spec))
            on = count - sum(cuts) + sum(min(advancing(self.spec), size - 1) for size in cuts)
            count, rounds = max(on, fewest_at(self.spec)), rounds + 1
        return rounds

    # --- who goes on ----------------------------------------------------------------------------------------------

    def _on(self, heat: Heat, *, final: bool) -> int:
        return 1 if final else min(advancing(self.spec), len(heat.entrants) - 1)

    def _cut(self, heats: list[Heat], *, final: bool) -> None:
        losers = self._losers(heats, final=final)
        spared = 0 if final else self._spared(losers)
        for entrant in losers[spared:]:
            self.lives[entrant] = 0 if final and self.spec.seats > 2 else self.lives[entrant] - 1
        self._leave([entrant for entrant in losers if not self.lives[entrant]])
        if sum(map(bool, self.lives.values())) > 1:
            self.semifinalists = [entrant for entrant in losers if not self.lives[entrant]]

    def _losers(self, heats: list[Heat], *, final: bool) -> Order:
        """Return the losers of all tables together: by place, then by what they scored."""
        lines = []
        for heat in heats:
            result, order = result_of(self.event, heat), order_of(self.event, heat, self.seed)
            places = list(enumerate(order))[self._on(heat, final=final) :]
            lines += [(place, *sort_key(result, entrant), self.seed[entrant], entrant) for place, entrant in places]
        return [entrant for *_, entrant in sorted(lines)]

    def _spared(self, losers: Order) -> int:
        """How many of the beaten stay in, because fewer than a table needs would be left."""
        staying = sum(1 for lives in self.lives.values() if lives) - sum(self.lives[entrant] == 1 for entrant in losers)
        return max(0, fewest_at(self.spec) - staying) if self.spec.seats > 2 else 0

    # --- third place ----------------------------------------------------------------------------------------------

    def _third_place(self) -> list[Heat]:
        """The match of those beaten before the final, beside it; none where one of them is missing."""
        both = sorted(self.event.staying(self.semifinalists), key=self.seed.__getitem__)
        self.semifinalists = []  # they play once
        play = self.spec.third_place and len(both) == 2
        return [Heat(self.name, 2, tuple(both), self.spec.sets[-1])] if play else []

    def _settle(self, third: list[Heat]) -> None:
        """Third and fourth in the order of their match."""
        for heat in third:
            order = order_of(self.event, heat, self.seed)
            self.out = [order if set(together) == set(order) else together for together in self.out]

    def ranking(self) -> Order:
        """Return the entrants in order: who is in, those who left last; then who is out; the later out, the better."""
        alive = self._by_merit(entrant for entrant in self.field if self.lives[entrant])
        staying = self.event.staying(alive)
        alive.sort(key=lambda entrant: entrant not in staying)
        return alive + [entrant for together in reversed(self.out) for entrant in together]

    def _by_merit(self, field: Iterable[int]) -> Order:
        """Return those who were not beaten, best first: who has played, then by lives, then by seed."""
        played = self.event.tables[self.name].sets
        return sorted(field, key=lambda entrant: (not played[entrant], -self.lives[entrant], self.seed[entrant]))

    def tables(self) -> list[Table]:
        rows = rows_of(self.event, self.ranking(), self.event.tables[self.name], needs=self._needs())
        return [Table(self.name, Sentence("Knockout"), rows)]

    def _needs(self) -> dict[int, str]:
        """Return what each entrant still in needs; nothing once the stage is over."""
        if not self.event.now:
            return {}
        at_table = {e: len(pairing.entrants) for pairing in self.event.now for e in pairing.entrants}
        third: dict[int, str] = {
            entrant: Sentence("plays for third place") for entrant in at_table if not self.lives[entrant]
        }
        needs = third | {entrant: self._need(at_table.get(entrant)) for entrant in self.field if self.lives[entrant]}
        for heat in self.heats:
            if at_table.keys().isdisjoint(heat.entrants):
                needs |= self._after(heat)
        return needs

    def _need(self, table: int | None) -> str:
        if table is None:
            return self._waits()
        on = 1 if self.final else min(advancing(self.spec), table - 1)
        if on == 1:
            return Sentence("goes on by winning its table")
        return Sentence("goes on as one of the first %(on)s of its table", on=on)

    def _waits(self) -> str:
        if self.final:  # and the match for third place is still played
            return Sentence("has reached %(goal)s", goal=Sentence("first place"))
        return Sentence("waits for the next round")

    def _after(self, heat: Heat) -> dict[int, str]:
        """Return what those need whose table is over in this round, while others are played. Who was beaten may be
        called back where others leave."""
        on, attempt = self._on(heat, final=self.final), 1 + extra_played(self.event, heat)
        if attempt <= self.spec.extra and wants_extra(self.event, heat, on, attempt):
            return dict.fromkeys(heat.entrants, Sentence("plays an extra set, as its table is level"))
        beaten = [entrant for entrant in order_of(self.event, heat, self.seed)[on:] if self.lives[entrant] < 2]
        lost = Sentence("has lost at its table")
        return {entrant: lost if entrant in beaten else self._waits() for entrant in heat.entrants}
