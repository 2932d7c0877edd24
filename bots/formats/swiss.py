"""Swiss for tables of any size: entrants with like scores meet, none twice where that is possible.

Seats need no rules: every set rotates them, so the colour rules of chess do not apply. With two at a table nobody meets
twice at all: the rounds are at most half of the entrants, and then it is always possible (see `swap_across_tables`).
"""

from collections.abc import Sequence

from bots.formats.model import POINT
from bots.formats.points import PointsStage
from bots.formats.rematch_swaps import swap_across_tables
from bots.formats.runner import EventRun
from bots.formats.schedule_length import swiss_rounds
from bots.formats.seating import cut, sizes, striped, without_byes
from bots.formats.settings import Swiss, fewest_at
from bots.formats.unplayed_rounds import NONE, UnplayedRounds

AGAIN = 1000  # what a second meeting costs, in owners sitting together
GAP = POINT // 3  # how far apart in points those may be who swap tables, with more than two at one


class SwissStage(PointsStage):
    spec: Swiss

    def __init__(self, event: EventRun, spec: Swiss, name: str, field: Sequence[int]) -> None:
        super().__init__(event, spec, name, field, swiss_rounds(spec, len(field)))
        self.seed = {entrant: place for place, entrant in enumerate(field)}

    def tables_of(self, present: list[int]) -> list[list[int]]:
        cuts = sizes(len(present), self.spec.seats, fewest_at(self.spec))
        playing, spared = without_byes(self._order(present), len(present) - sum(cuts), self.byes, first=False)
        self.byes.update(spared)
        tables = cut(playing, cuts) if self.drawn or self.spec.first == "lot" else striped(playing, cuts)
        swap_across_tables(tables, self._cost, reach=len(tables), may_swap=self._close)
        return tables

    def unplayed(self) -> UnplayedRounds:
        """Return what rounds without a table are worth. By the first edition that is nothing to anybody."""
        if self.spec.edition == 1:
            return NONE
        last = {entrant: self.event.entrants[entrant].last_round for entrant in self.field}
        attended = {entrant: max(0, left - self.first_round + 1) for entrant, left in last.items() if left is not None}
        missed = {entrant: max(0, self.drawn - rounds) * self.spec.sets for entrant, rounds in attended.items()}
        return UnplayedRounds(self.spec.seats - 1, self.drawn * self.spec.sets, missed)

    def _order(self, present: list[int]) -> list[int]:
        if not self.drawn and self.spec.first == "lot":
            self.event.dice(self.name, "order").shuffle(present)
            return present
        return sorted(present, key=lambda entrant: (-self.played.score(entrant), self.seed[entrant]))

    def _close(self, first: int, second: int) -> bool:
        """Return whether the two may swap. With more than two at a table strength there matters more than meeting
        again."""
        return self.spec.seats == 2 or abs(self.played.score(first) - self.played.score(second)) <= GAP

    def _cost(self, first: int, second: int) -> int:
        clash = self.spec.owners_apart and self.event.owners_clash(first, second)
        return AGAIN * self.played.met[first][second] + clash
