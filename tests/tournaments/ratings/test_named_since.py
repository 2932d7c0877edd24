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


def renamed(one: RatedSet, keys: dict[int, int]) -> RatedSet:
    return RatedSet(
        one.number,
        [
            Game(tuple(keys.get(v, v) for v in game.versions), game.places, game.forfeits, game.scores)
            for game in one.games
        ],
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_split_sums_are_those_of_a_ledger_with_two_players(seats: int) -> None:
    after = {2: 15, 4: 30}
    whole = Pairs(sets_of(seats))
    kept = whole.copy()
    told = Pairs(
        renamed(one, {version: former_key(version) for version, last in after.items() if one.number <= last})
        for one in sets_of(seats)
    )
    parted = split(whole, after)
    assert {key: dict(mine) for key, mine in parted.taken.items()} == {
        key: dict(mine) for key, mine in told.taken.items()
    }
    assert [(c.versions, c.games, list(c.credits)) for c in parted.cells.values()] == [
        (c.versions, c.games, list(c.credits)) for c in told.cells.values()
    ]
    assert whole.taken == kept.taken  # the official sums are as they were
    assert whole.cells == kept.cells
    assert fit_ratings(parted) == fit_ratings(told)


def test_who_wins_before_it_is_named_has_nothing_of_it() -> None:
    """Only its own rating is compared: what the former player did to others remains."""
    sets = sets_of(2)
    mine = [one for one in sets if 2 in one.games[0].versions and one.number <= 20]
    better = [all_won_by(one, 2) if one in mine else one for one in sets]
    before, now = (ratings_since(Pairs(some), dict.fromkeys(ELOS), {}, CHOSEN)[2] for some in (sets, better))
    official, better_official = (fit_ratings(Pairs(some)).elo[2] for some in (sets, better))
    assert before.sets == now.sets == sum(2 in one.games[0].versions for one in sets if one.number > 20)
    assert better_official - official > 50
    assert now.elo < before.elo + 1  # those whom it beat are weaker yardsticks now


def all_won_by(one: RatedSet, version: int) -> RatedSet:
    games = [
        Game(g.versions, tuple(1 if v == version else 2 for v in g.versions), g.forfeits, g.scores) for g in one.games
    ]
    return RatedSet(one.number, games)


def test_without_a_set_since_it_stands_where_the_prior_does() -> None:
    found = ratings_since(Pairs(sets_of(2)), dict.fromkeys(ELOS), {}, {2: Choice(40, [2], 2)})
    assert (found[2].sets, found[2].elo) == (0, 1500.0)
    assert found[2].ci95 > 600


def test_versions_of_before_are_no_forerunners_of_those_since() -> None:
    older = {1: None, 2: 1, 3: 2, 4: 3, 9: None}
    found = split_forerunners(older, {1: 5, 2: 5, 3: 5, 4: 5}, played={2, 4, 9, -1, -2})
    assert found == {1: None, 2: None, 3: 2, 4: 2, 9: None, -1: None, -2: -1, -3: -2, -4: -3}
