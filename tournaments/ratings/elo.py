"""The classic Elo of ladders, for tables of any size and sets of any length. Pure: results in, numbers out.

    E_ij = 1 / (1 + 10 ** ((R_j - R_i) / 400))                        what i may expect of a game against j
    K_ij = (K_i + K_j) / 2,  K = max(8, 64 / (1 + games / 10))
    i wins from j what j loses to i:  K_ij * 3 / (k + 1) * (S_ij - games * E_ij),  S: 1 ahead, 1/2 level, 0 behind

3 / (k + 1) is the weight of one pair at a table of k: a game weighs as much for a seat at any size of table.
A set is one unit: all its exchanges are computed from the ratings before it, and each pair's is rounded to a whole
milli-Elo, so that ratings always add up exactly and the order of the games in a set cannot matter.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.ratings.cells import games_ahead
from tournaments.ratings.ledger import Game

START = 1_500_000  # milli-Elo of a version without results or forerunner


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts and the rating of a version after some sets."""

    milli_elo: int = START
    delta: int = 0  # by its last set
    sets: int = 0
    games: int = 0
    wins: float = 0.0  # shared wins count as their share
    places: int = 0
    forfeits: int = 0
    streak: int = 0  # sets in a row with a forfeit


def fold(
    sets: Iterable[Sequence[Game]], tallies: dict[int, Tally], forerunners: Mapping[int, Sequence[int]]
) -> Iterator[dict[int, Tally]]:
    """The tallies of those who played, after each set in turn; `tallies` holds those before it, and is updated.

    A version begins with the number of the first of its `forerunners` (the newest first) that has one.
    """
    for games in sets:
        before = {
            version: tallies.get(version) or _begin(version, tallies, forerunners) for version in games[0].versions
        }
        tallies |= (after := tallies_after(games, before))
        yield after


def _begin(version: int, tallies: Mapping[int, Tally], forerunners: Mapping[int, Sequence[int]]) -> Tally:
    earlier = next((tallies[older] for older in forerunners.get(version, ()) if older in tallies), Tally())
    return Tally(earlier.milli_elo)


def tallies_after(games: Sequence[Game], before: Mapping[int, Tally]) -> dict[int, Tally]:
    """Return the tallies after one set. The sum of the ratings is the sum before it."""
    seats = {version: [game.versions.index(version) for game in games] for version in before}
    places = {v: [game.places[seat] for game, seat in zip(games, mine, strict=True)] for v, mine in seats.items()}
    deltas = dict.fromkeys(before, 0)
    for first, second in combinations(before, 2):
        won = _exchange(places, first, second, before)
        deltas[first] += won
        deltas[second] -= won
    return {
        version: _tally(tally, games, seats[version], places[version], deltas[version])
        for version, tally in before.items()
    }


def _exchange(places: Mapping[int, Sequence[int]], version: int, other: int, before: Mapping[int, Tally]) -> int:
    """Return the milli-Elo that `version` wins from `other` by the set."""
    tally, other_tally = before[version], before[other]
    if (
        tally.milli_elo < other_tally.milli_elo
    ):  # always from the higher rating, so that rounding does not depend on the order
        return -_exchange(places, other, version, before)
    games = len(places[version])
    expected = 1 / (1 + 10 ** ((other_tally.milli_elo - tally.milli_elo) / 400_000))
    scored = (games + games_ahead(places[version], places[other])) / 2
    weight = (_k(tally.games) + _k(other_tally.games)) / 2 * 3 / (len(before) + 1)
    return round(1000 * weight * (scored - games * expected))


def _k(games: int) -> float:
    return max(8.0, 64 / (1 + games / 10))


def _tally(before: Tally, games: Sequence[Game], seats: Sequence[int], places: Sequence[int], delta: int) -> Tally:
    """`seats` and `places`: its own, by game."""
    forfeits = sum(game.forfeits[seat] for game, seat in zip(games, seats, strict=True))
    return Tally(
        milli_elo=before.milli_elo + delta,
        delta=delta,
        sets=before.sets + 1,
        games=before.games + len(games),
        wins=before.wins + sum(map(_win, games, seats)),
        places=before.places + sum(places),
        forfeits=before.forfeits + forfeits,
        streak=before.streak + 1 if forfeits else 0,
    )


def _win(game: Game, seat: int) -> float:
    """Return a seat's share of the first place. Where all forfeit, nobody wins."""
    if game.places[seat] > 1 or game.forfeits[seat]:
        return 0.0
    return 1 / list(game.places).count(1)
