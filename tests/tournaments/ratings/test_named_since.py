"""In the fit for the table over all games a bot that is chosen begins anew: before it was another player."""

from random import Random

import pytest

from tests.tournaments.ratings.world import played
from tournaments.ratings.fit import fit_ratings
from tournaments.ratings.ledger import Game, RatedSet
from tournaments.ratings.named_since import Choice, former_key, ratings_since, split, split_forerunners
from tournaments.ratings.pairs import Pairs

ELOS = {1: 1500.0, 2: 1600.0, 3: 1400.0, 4: 1550.0, 5: 1500.0}
CHOSEN = {2: Choice(20, [2], 2)}


def sets_of(seats: int) -> list[RatedSet]:
    return played(ELOS, 40, seats, Random(f"split {seats}"))


def renamed(rated: RatedSet, keys: dict[int, int]) -> RatedSet:
    return RatedSet(
        rated.number,
        [
            Game(tuple(keys.get(v, v) for v in game.versions), game.places, game.forfeits, game.scores)
            for game in rated.games
        ],
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_split_sums_are_those_of_a_ledger_with_two_players(seats: int) -> None:
    after = {2: 15, 4: 30}
    official = Pairs(sets_of(seats))
    kept = official.copy()
    expected = Pairs(
        renamed(rated, {version: former_key(version) for version, last in after.items() if rated.number <= last})
        for rated in sets_of(seats)
    )
    parted = split(official, after)
    assert {key: dict(mine) for key, mine in parted.taken.items()} == {
        key: dict(mine) for key, mine in expected.taken.items()
    }
    assert [(c.versions, c.games, list(c.credits)) for c in parted.cells.values()] == [
        (c.versions, c.games, list(c.credits)) for c in expected.cells.values()
    ]
    assert official.taken == kept.taken  # the official sums are as they were
    assert official.cells == kept.cells
    assert fit_ratings(parted) == fit_ratings(expected)


def test_who_wins_before_it_is_named_has_nothing_of_it() -> None:
    """The comparison is of its own rating alone: what the former player did to others remains."""
    sets = sets_of(2)
    mine = [rated for rated in sets if 2 in rated.games[0].versions and rated.number <= 20]
    better = [all_won_by(rated, 2) if rated in mine else rated for rated in sets]
    before, now = (ratings_since(Pairs(history), dict.fromkeys(ELOS), {}, CHOSEN)[2] for history in (sets, better))
    official, better_official = (fit_ratings(Pairs(history)).elo[2] for history in (sets, better))
    assert before.sets == now.sets == sum(2 in rated.games[0].versions for rated in sets if rated.number > 20)
    assert better_official - official > 50
    assert now.elo < before.elo + 1  # those whom it beat are weaker yardsticks now


def all_won_by(rated: RatedSet, version: int) -> RatedSet:
    games = [
        Game(g.versions, tuple(1 if v == version else 2 for v in g.versions), g.forfeits, g.scores) for g in rated.games
    ]
    return RatedSet(rated.number, games)


def test_without_a_set_since_it_stands_where_the_prior_does() -> None:
    ratings = ratings_since(Pairs(sets_of(2)), dict.fromkeys(ELOS), {}, {2: Choice(40, [2], 2)})
    assert (ratings[2].sets, ratings[2].elo) == (0, 1500.0)
    assert ratings[2].ci95 > 600


def test_versions_of_before_are_no_forerunners_of_those_since() -> None:
    older = {1: None, 2: 1, 3: 2, 4: 3, 9: None}
    forerunners = split_forerunners(older, {1: 5, 2: 5, 3: 5, 4: 5}, played={2, 4, 9, -1, -2})
    assert forerunners == {1: None, 2: None, 3: 2, 4: 2, 9: None, -1: None, -2: -1, -3: -2, -4: -3}
