"""What each version took from each other: all that a fit needs to know about any number of games, in whole numbers.

Margins, where a ladder asks for them: half of the weight goes by place, half by the difference in score, in
proportion up to `margin` points and no further, so that nobody gains by running up a score. A seat that forfeited
goes by place alone.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from tournaments.ratings.cells import Cell, weight_of
from tournaments.ratings.ledger import Game, RatedSet

MILLION = 1_000_000


class Pairs:
    """Sums over sets, and a cell for each set. `taken[i][j] + taken[j][i]` is the weight of all games of i and j."""

    def __init__(self, sets: Iterable[RatedSet] = (), *, margin: int = 0) -> None:
        self.taken: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self.cells: dict[int, Cell] = {}  # by number of the set
        self.margin = margin
        self.update(sets)

    def update(self, sets: Iterable[RatedSet]) -> None:
        for one in sets:
            self.add(one)

    def add(self, one: RatedSet) -> None:
        table = tuple(sorted(one.games[0].versions))
        credited = array("q")
        for i, j, credit, rest in _credits(one.games, table, self.margin):
            self._put(i, j, credit, rest)
            credited.append(credit)
        self.cells[one.number] = Cell(table, len(one.games), credited)

    def subtract(self, one: RatedSet) -> None:
        """Undo `add`, as if the set had never been there."""
        del self.cells[one.number]
        for i, j, credit, rest in _credits(one.games, tuple(sorted(one.games[0].versions)), self.margin):
            self._put(i, j, -credit, -rest)
            if not self.weight(i, j):
                del self.taken[i][j], self.taken[j][i]
        for version in one.games[0].versions:
            if not self.taken[version]:
                del self.taken[version]

    def weight(self, i: int, j: int) -> int:
        return self.taken[i][j] + self.taken[j][i]

    def _put(self, i: int, j: int, credit: int, rest: int) -> None:
        mine, theirs = self.taken[i], self.taken[j]
        mine[j] = mine.get(j, 0) + credit
        theirs[i] = theirs.get(i, 0) + rest


def _credits(games: Sequence[Game], table: Sequence[int], margin: int) -> Iterator[tuple[int, int, int, int]]:
    """Every pair at the table, i < j, and what each took in the set."""
    weight = weight_of(len(table))
    seats = [[game.versions.index(version) for version in table] for game in games]
    for a, b in combinations(range(len(table)), 2):
        credit = sum(_credit(game, at[a], at[b], weight, margin) for game, at in zip(games, seats, strict=True))
        yield table[a], table[b], credit, weight * len(games) - credit


def _credit(game: Game, one: int, other: int, weight: int, margin: int) -> int:
    """What seat `one` takes from seat `other`, of `weight`; without luck it may be less than nothing, or more."""
    return _taken(game, one, other, weight, margin) - _by_luck(game.luck, one, other, weight)


def _by_luck(luck: Sequence[int], one: int, other: int, weight: int) -> int:
    """So that a seat's pairs, all together, lose what its share loses. Luck adds up to nothing over a table."""
    if not luck:
        return 0
    seats, lead = len(luck), luck[one] - luck[other]
    part = (2 * weight * (seats - 1) * abs(lead) + seats * MILLION) // (2 * seats * MILLION)  # the same for both
    return part if lead > 0 else -part


def _taken(game: Game, one: int, other: int, weight: int, margin: int) -> int:
    places = game.places
    ahead = (places[one] < places[other]) - (places[one] > places[other])
    if not margin or game.forfeits[one] or game.forfeits[other]:
        return weight // 2 * (1 + ahead)
    lead = game.scores[one] - game.scores[other]
    by_score = weight // 4 * min(abs(lead), margin) // margin  # rounded in favour of neither
    return weight // 2 + weight // 4 * ahead + (by_score if lead > 0 else -by_score)
