"""What a round without a table is worth in tie-breaks, as FIDE Handbook C.07 (from 1 March 2026), Article 16, has it.

A bye is given by the pairing; the rounds after an entrant has left are zero-point byes (16.1). To its opponents an
entrant that left counts as if each round since had been a draw (16.3.2). In its own tie-breaks a round without a table
is one against dummies of its own score, at most as many points as draws would have made so far (16.4.2); of these the
ones after it left are cut first (16.5). A round robin, whose rounds do not follow from results, has none of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bots.formats.crosstable import Crosstable
from bots.formats.model import POINT

DRAW = POINT // 2


@dataclass(frozen=True, slots=True)
class UnplayedRounds:
    opponents: int = 0  # at a table: so many dummies
    sets: int = 0  # that have been issued to whoever was there from the beginning
    missed: Mapping[int, int] = field(default_factory=dict)  # by those who left, in sets

    def seen(self, played: Crosstable, entrant: int) -> int:
        """The score of an entrant in the tie-breaks of its opponents."""
        return played.score(entrant) + DRAW * self.missed.get(entrant, 0)

    def dummy(self, played: Crosstable, entrant: int) -> int:
        """The score of each of its dummies."""
        return min(played.score(entrant), DRAW * self.sets)

    def byes(self, played: Crosstable, entrant: int) -> int:
        """The dummies of rounds in which it was there."""
        return self.opponents * played.spared[entrant]

    def absences(self, entrant: int) -> int:
        """The dummies of rounds in which it was not."""
        return self.opponents * self.missed.get(entrant, 0)


NONE = UnplayedRounds()  # by the first edition, and where rounds are fixed beforehand
