"""What each version took from each other: all that a fit needs to know about any number of games, in whole numbers.

Margins, where a ladder asks for them: half of the weight goes by place, half by the difference in score, in
proportion up to `margin` points and no further, so that nobody gains by running up a score. A seat that forfeited
goes by place alone.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

from tournaments.ratings.cells import Cell, games_ahead, weight_of
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
            self._take_back(i, j, credit, rest)
        self._forget(one.games[0].versions)

    def copy(self) -> "Pairs":
        """Its own sums; cells never change."""
        other = Pairs(margin=self.margin)
        other.taken.update((version, dict(mine)) for version, mine in self.taken.items())
        other.cells = dict(self.cells)
        return other

    def rekey(self, number: int, keys: Mapping[int, int]) -> None:
        """The set as if these versions of it had other keys."""
        cell = self.cells[number]
        table = tuple(sorted(keys.get(version, version) for version in cell.versions))
        took: dict[tuple[int, int], int] = {}
        for (i, j), credit in zip(combinations(cell.versions, 2), cell.credits, strict=True):
            rest = cell.weight - credit
            self._take_back(i, j, credit, rest)
            one, other = keys.get(i, i), keys.get(j, j)
            self._put(one, other, credit, rest)
            took |= {(one, other): credit, (other, one): rest}
        self.cells[number] = Cell(table, cell.games, array("q", [took[pair] for pair in combinations(table, 2)]))
        self._forget(cell.versions)

    def weight(self, i: int, j: int) -> int:
        return self.taken[i][j] + self.taken[j][i]

    def _take_back(self, i: int, j: int, credit: int, rest: int) -> None:
        self._put(i, j, -credit, -rest)
        if not self.weight(i, j):
            del self.taken[i][j], self.taken[j][i]

    def _forget(self, versions: Iterable[int]) -> None:
        """Those that have played with nobody."""
        for version in versions:
            if not self.taken[version]:
                del self.taken[version]

    def _put(self, i: int, j: int, credit: int, rest: int) -> None:
        mine, theirs = self.taken[i], self.taken[j]
        mine[j] = mine.get(j, 0) + credit
        theirs[i] = theirs.get(i, 0) + rest


def _credits(games: Sequence[Game], table: Sequence[int], margin: int) -> Iterator[tuple[int, int, int, int]]:
    """Every pair at the table, i < j, and what each took in the set."""
    weight = weight_of(len(table))
    seats = [[game.versions.index(version) for game in games] for version in table]
    of_pair = partial(_of_games, games, weight, margin)
    if not margin and not any(game.luck for game in games):
        of_pair = partial(_of_places, weight // 2)
        seats = [[game.places[seat] for game, seat in zip(games, mine, strict=True)] for mine in seats]
    for (i, mine), (j, theirs) in combinations(zip(table, seats, strict=True), 2):
        credit = of_pair(mine, theirs)
        yield i, j, credit, weight * len(games) - credit


def _of_places(half: int, mine: Sequence[int], theirs: Sequence[int]) -> int:
    """What the one with these places takes from the other, where places alone count: the usual case, made quick."""
    return half * (len(mine) + games_ahead(mine, theirs))


def _of_games(games: Sequence[Game], weight: int, margin: int, mine: Sequence[int], theirs: Sequence[int]) -> int:
    """The same from the seats of both, game by game."""
    return sum(_credit(game, one, other, weight, margin) for game, one, other in zip(games, mine, theirs, strict=True))


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
