"""King of the hill: the winner of the table stays, and the next in line sit down."""

from collections.abc import Iterator, Sequence

from bots.formats.heats import extra_sets, order_of
from bots.formats.model import Table
from bots.formats.runner import Draw, EventRun, Heat
from bots.formats.settings import KingOfTheHill, fewest_at
from bots.formats.table_rows import rows_of
from engine.sentences import Sentence


class HillStage:
    def __init__(self, event: EventRun, spec: KingOfTheHill, name: str, field: Sequence[int]) -> None:
        self.event, self.spec, self.name, self.field = event, spec, name, list(field)
        self.seed = {entrant: place for place, entrant in enumerate(field)}
        self.line = list(reversed(field))  # the next first
        self.hill: list[int] = []  # who has sat at the table, the king first, then the later the better

    def draws(self) -> Iterator[Draw]:
        while self.line:
            present = self.event.staying([*self.hill[:1], *self.line])
            table = self._table(present)
            if len(table) < max(2, fewest_at(self.spec)):
                return
            heat = Heat(self.name, 1, tuple(table), self.spec.sets)
            yield Draw([heat])
            yield from extra_sets(self.event, [heat], [1], self.spec.extra)
            self._crown(heat)

    def _table(self, present: list[int]) -> list[int]:
        """The king and the next; where they are too few, the last beaten sit down again."""
        self.line = [entrant for entrant in self.line if entrant in present]
        table = self._seated(present, self._size(len(present)))
        again = (entrant for entrant in self.event.staying(self.hill[1:]) if entrant not in table)
        while len(table) < fewest_at(self.spec) and (beaten := next(again, None)) is not None:
            table.append(beaten)
        return table

    def _seated(self, present: list[int], size: int) -> list[int]:
        """Return who sits down: the king, then the line, but a second entrant of an owner only where others are too
        few."""
        table = present[:1]
        for entrant in present[1:] if self.spec.owners_apart else []:
            if len(table) < size and not any(self.event.owners_clash(entrant, other) for other in table):
                table.append(entrant)
        return table + [entrant for entrant in present if entrant not in table][: size - len(table)]

    def _size(self, count: int) -> int:
        """Full tables, but for the first: it takes what the others leave over, so that the last is full."""
        seats = self.spec.seats
        over = (count - 1) % (seats - 1) + 1
        return over if not self.hill and over >= max(2, fewest_at(self.spec)) else seats

    def _crown(self, heat: Heat) -> None:
        """Put the entrants of the heat on the hill in their order. Where all is level the king stays; between
        challengers the better seed decides."""
        reigning = {entrant: -1 if entrant in self.hill[:1] else self.seed[entrant] for entrant in heat.entrants}
        order = order_of(self.event, heat, reigning)
        self.line = [entrant for entrant in self.line if entrant not in order]
        self.hill = order + [entrant for entrant in self.hill if entrant not in order]

    def ranking(self) -> list[int]:
        """The king, then who is still to come by seed, then the beaten, and a king that has left while others play."""
        unseated = [entrant for entrant in self.field if entrant not in self.hill]
        at_table = self.event.now[0].entrants if self.event.now else self.hill
        kings = [king for king in self.hill[:1] if king in at_table or self.event.staying([king])]
        return kings + unseated + self.hill[len(kings) :]

    def tables(self) -> list[Table]:
        rows = rows_of(self.event, self.ranking(), self.event.tables[self.name], needs=self._needs())
        return [Table(self.name, Sentence("King of the hill"), rows)]

    def _needs(self) -> dict[int, str]:
        if not self.event.now:
            return {}
        wins = Sentence("must win the table to stay at it")
        sitting: dict[int, str] = dict.fromkeys(self.event.now[0].entrants, wins)
        line = [entrant for entrant in self.event.staying(self.line) if entrant not in sitting]
        return sitting | {
            entrant: Sentence("is number %(place)s in the line", place=place) for place, entrant in enumerate(line, 1)
        }
