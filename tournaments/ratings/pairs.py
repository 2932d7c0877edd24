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
from tournaments.ratings.scale import WHOLE

MILLION = 1_000_000


class Pairs:
    """Sums over sets, and a cell for each set. `taken[i][j] + taken[j][i]` is the weight of all games of i and j."""

    def __init__(self, sets: Iterable[RatedSet] = (), *, margin: int = 0, scale: int = WHOLE) -> None:
        self.taken: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self.cells: dict[int, Cell] = {}  # by number of the set
        self.margin = margin
        self.scale = scale if margin else WHOLE
        self.update(sets)

    def update(self, sets: Iterable[RatedSet]) -> None:
        for rated_set in sets:
            self.add(rated_set)

    def add(self, rated_set: RatedSet) -> None:
        table = tuple(sorted(rated_set.games[0].versions))
        credited = array("q")
        for i, j, credit, remainder in _credits(rated_set.games, table, self.margin):
            self._put(i, j, credit, remainder)
            credited.append(credit)
        self.cells[rated_set.number] = Cell(table, len(rated_set.games), credited)

    def subtract(self, rated_set: RatedSet) -> None:
        """Undo `add`, as if the set had never been there."""
        del self.cells[rated_set.number]
        for i, j, credit, remainder in _credits(
            rated_set.games, tuple(sorted(rated_set.games[0].versions)), self.margin
        ):
            self._take_back(i, j, credit, remainder)
        self._forget(rated_set.games[0].versions)

    def copy(self) -> "Pairs":
        """Return a copy with its own sums; cells never change."""
        other = Pairs(margin=self.margin, scale=self.scale)
        other.taken.update((version, dict(mine)) for version, mine in self.taken.items())
        other.cells = dict(self.cells)
        return other

    def since(self, after: int) -> "Pairs":
        """Return the sums over the sets with higher numbers alone."""
        other = Pairs(margin=self.margin, scale=self.scale)
        other.cells = {number: cell for number, cell in self.cells.items() if number > after}
        for cell in other.cells.values():
            for (i, j), credit in zip(combinations(cell.versions, 2), cell.credits, strict=True):
                other._put(i, j, credit, cell.weight - credit)
        return other

    def rekey(self, number: int, keys: Mapping[int, int]) -> None:
        """Count the set as if these versions of it had other keys."""
        cell = self.cells[number]
        table = tuple(sorted(keys.get(version, version) for version in cell.versions))
        took: dict[tuple[int, int], int] = {}
        for (i, j), credit in zip(combinations(cell.versions, 2), cell.credits, strict=True):
            remainder = cell.weight - credit
            self._take_back(i, j, credit, remainder)
            first, second = keys.get(i, i), keys.get(j, j)
            self._put(first, second, credit, remainder)
            took |= {(first, second): credit, (second, first): remainder}
        self.cells[number] = Cell(table, cell.games, array("q", [took[pair] for pair in combinations(table, 2)]))
        self._forget(cell.versions)

    def weight(self, i: int, j: int) -> int:
        return self.taken[i][j] + self.taken[j][i]

    def _take_back(self, i: int, j: int, credit: int, remainder: int) -> None:
        self._put(i, j, -credit, -remainder)
        if not self.weight(i, j):
            del self.taken[i][j], self.taken[j][i]

    def _forget(self, versions: Iterable[int]) -> None:
        """Forget versions that have played with nobody."""
        for version in versions:
            if not self.taken[version]:
                del self.taken[version]

    def _put(self, i: int, j: int, credit: int, remainder: int) -> None:
        own_row, rival_row = self.taken[i], self.taken[j]
        own_row[j] = own_row.get(j, 0) + credit
        rival_row[i] = rival_row.get(i, 0) + remainder


def _credits(games: Sequence[Game], table: Sequence[int], margin: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield every pair at the table, i < j, and what each took in the set."""
    weight = weight_of(len(table))
    seats = [[game.versions.index(version) for game in games] for version in table]
    of_pair = partial(_of_games, games, weight, margin)
    if not margin and not any(game.luck for game in games):
        of_pair = partial(_of_places, weight // 2)
        seats = [[game.places[seat] for game, seat in zip(games, mine, strict=True)] for mine in seats]
    for (i, mine), (j, rivals) in combinations(zip(table, seats, strict=True), 2):
        credit = of_pair(mine, rivals)
        yield i, j, credit, weight * len(games) - credit


def _of_places(half: int, mine: Sequence[int], rivals: Sequence[int]) -> int:
    """Return what a version takes from its rival where places alone count: the usual case, made quick."""
    return half * (len(mine) + games_ahead(mine, rivals))


def _of_games(games: Sequence[Game], weight: int, margin: int, mine: Sequence[int], rivals: Sequence[int]) -> int:
    """Return what a version takes from its rival, from the seats of both, game by game."""
    return sum(
        _credit(game, seat, other, weight, margin) for game, seat, other in zip(games, mine, rivals, strict=True)
    )


def _credit(game: Game, seat: int, other: int, weight: int, margin: int) -> int:
    """Return what `seat` takes from seat `other`, of `weight`; without luck it may be below 0 or above `weight`."""
    return _taken(game, seat, other, weight, margin) - _by_luck(game.luck, seat, other, weight)


def _by_luck(luck: Sequence[int], seat: int, other: int, weight: int) -> int:
    """Return a pair's part of luck, so that a seat's pairs together lose what its share loses.

    Luck adds up to nothing over a table.
    """
    if not luck:
        return 0
    seats, lead = len(luck), luck[seat] - luck[other]
    part = (2 * weight * (seats - 1) * abs(lead) + seats * MILLION) // (2 * seats * MILLION)  # the same for both
    return part if lead > 0 else -part


def _taken(game: Game, seat: int, other: int, weight: int, margin: int) -> int:
    places = game.places
    ahead = (places[seat] < places[other]) - (places[seat] > places[other])
    if not margin or game.forfeits[seat] or game.forfeits[other]:
        return weight // 2 * (1 + ahead)
    lead = game.scores[seat] - game.scores[other]
    by_score = weight // 4 * min(abs(lead), margin) // margin  # rounded in favour of neither
    return weight // 2 + weight // 4 * ahead + (by_score if lead > 0 else -by_score)
