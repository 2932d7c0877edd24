"""What must be so of ratings, whatever was played."""

import math
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.ratings.ledgers import SOME, duel, duels, ledgers
from tournaments.ratings.cells import UNIT
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.ledger import PRIOR_SD, Game, Ledger, RatedSet, Version
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import Q
from tournaments.ratings.table import anchors, forerunners


def fitted(ledger: Ledger, start: Fit | None = None) -> Fit:
    pairs = Pairs(ledger.sets, margin=ledger.margin)
    return fit_ratings(pairs, forerunners(ledger.versions), anchors(ledger.versions), start=start)


def shuffled(ledger: Ledger, draw: Random) -> Ledger:
    """The same results: sets, games and seats in another order."""
    sets = [
        RatedSet(rated.number, [_reseated(game, draw) for game in draw.sample(rated.games, len(rated.games))])
        for rated in ledger.sets
    ]
    versions = dict(draw.sample(sorted(ledger.versions.items()), len(ledger.versions)))
    return replace(ledger, sets=draw.sample(sets, len(sets)), versions=versions)


def _reseated(game: Game, draw: Random) -> Game:
    seats = draw.sample(range(len(game.versions)), len(game.versions))
    return Game(
        [game.versions[seat] for seat in seats],
        [game.places[seat] for seat in seats],
        [game.forfeits[seat] for seat in seats],
        [game.scores[seat] for seat in seats],
    )


def renamed(ledger: Ledger, name: Mapping[int, int]) -> Ledger:
    sets = [
        RatedSet(rated.number, [replace(game, versions=[name[v] for v in game.versions]) for game in rated.games])
        for rated in ledger.sets
    ]
    versions = {
        name[key]: replace(version, forerunner=None if version.forerunner is None else name[version.forerunner])
        for key, version in ledger.versions.items()
    }
    return replace(ledger, sets=sets, versions=versions)


@given(ledgers(), st.randoms(use_true_random=False))
@SOME
def test_no_order_of_sets_games_and_seats_changes_a_bit(ledger: Ledger, draw: Random) -> None:
    assert fitted(shuffled(ledger, draw)) == fitted(ledger)


@given(ledgers())
@SOME
def test_other_names_change_no_bit(ledger: Ledger) -> None:
    names = {key: 100 - key for key in ledger.versions}
    before, after = fitted(ledger), fitted(renamed(ledger, names))
    assert (before.phi, before.elo) == (after.phi, {key: after.elo[names[key]] for key in names})
    assert before.sd == {key: after.sd[names[key]] for key in names}


@given(ledgers(), ledgers())
@SOME
def test_a_fit_ends_at_the_same_wherever_it_starts(ledger: Ledger, other: Ledger) -> None:
    cold, warm = fitted(ledger), fitted(ledger, start=fitted(other))
    assert all(abs(cold.elo[key] - warm.elo[key]) < 1e-5 for key in cold.elo)


@given(ledgers())
@SOME
def test_removing_a_bot_equals_never_having_had_it(ledger: Ledger) -> None:
    gone = [key for key, version in ledger.versions.items() if version.bot == "bot 1"]
    pairs = Pairs(ledger.sets)
    kept = [rated for rated in ledger.sets if not {*gone} & {*rated.games[0].versions}]
    for rated in ledger.sets:
        if rated not in kept:
            pairs.subtract(rated)
    never = Ledger("test", "zaibatsu", kept, {k: v for k, v in ledger.versions.items() if k not in gone})
    assert fitted(ledger.without(gone)) == fitted(never)
    left = Pairs(kept)
    assert pairs.cells == left.cells
    assert pairs.taken == left.taken


@given(ledgers(most_sets=6))
@SOME
def test_the_ratings_add_up_to_the_prior_mean_where_nothing_is_linked(ledger: Ledger) -> None:
    alone = replace(
        ledger, versions={key: replace(version, forerunner=None) for key, version in ledger.versions.items()}
    )
    ratings = fitted(alone)
    assert sum(ratings.elo.values()) / len(ratings.elo) == pytest.approx(1500, abs=1e-5)


@given(ledgers())
@SOME
def test_elos_own_updates_add_up_to_the_pull_of_the_prior(ledger: Ledger) -> None:
    """The fixed point of Elo's update: what is won over what is expected is what prior and links take back."""
    pairs, ratings = Pairs(ledger.sets), fitted(ledger)
    for key, version in ledger.versions.items():
        won = sum(
            credit / UNIT - pairs.weight(key, other) / UNIT * ratings.expects(key, other)
            for other, credit in pairs.taken.get(key, {}).items()
        )
        assert won == pytest.approx(pull(ledger, ratings, key, version), abs=1e-6)


def pull(ledger: Ledger, ratings: Fit, key: int, version: Version) -> float:
    elo, links = ratings.elo, [other for other, later in ledger.versions.items() if later.forerunner == key]
    back = sum((elo[key] - elo[other]) * Q for other in [*links, *([version.forerunner] if version.forerunner else [])])
    prior = 0.0 if version.forerunner else (elo[key] - ratings.zero) * Q / (PRIOR_SD * Q) ** 2
    return prior + back / (100 * Q) ** 2


@given(ledgers(), st.data())
@SOME
def test_passing_an_opponent_raises_you_and_lowers_it(ledger: Ledger, data: st.DataObject) -> None:
    if not ledger.sets:
        return
    number = data.draw(st.integers(0, len(ledger.sets) - 1))
    game = ledger.sets[number].games[0]
    order = sorted(range(len(game.places)), key=lambda seat: (game.places[seat], seat))
    above, below = order[0], order[1]
    strict = [order.index(seat) + 1 for seat in range(len(order))]
    swapped = [*strict]
    swapped[above], swapped[below] = strict[below], strict[above]
    before, after = (plain_fit(ledger, number, replace(game, places=these)) for these in (strict, swapped))
    winner, loser = game.versions[below], game.versions[above]
    rise, fall = after.elo[winner] - before.elo[winner], before.elo[loser] - after.elo[loser]
    assert rise + fall > 0
    assert min(rise, fall) > -1e-9  # a bot's first version, between its link and the prior, may stay where it is


def plain_fit(ledger: Ledger, number: int, game: Game) -> Fit:
    """The fit with this as that set's only game, without the dispersion: it is a property of the likelihood."""
    sets = [replace(rated, games=[game]) if place == number else rated for place, rated in enumerate(ledger.sets)]
    pairs = Pairs(sets)
    pairs.cells.clear()
    return fit_ratings(pairs, forerunners(ledger.versions))


@given(ledgers(most_sets=6))
@SOME
def test_the_reverse_of_all_results_is_the_reverse_of_all_ratings(ledger: Ledger) -> None:
    pairs, mirrored = Pairs(ledger.sets), Pairs(ledger.sets)
    mirrored.taken.clear()
    mirrored.taken.update({i: {j: pairs.taken[j][i] for j in mine} for i, mine in pairs.taken.items()})
    pairs.cells.clear()
    mirrored.cells.clear()
    forth, back = fit_ratings(pairs, forerunners(ledger.versions)), fit_ratings(mirrored, forerunners(ledger.versions))
    assert all(forth.elo[key] - 1500 == pytest.approx(1500 - back.elo[key], abs=1e-5) for key in forth.elo)


@pytest.mark.parametrize(("won", "lost", "elo"), [(10, 1, 400.0), (2, 1, 120.41), (100, 1, 800.0), (1, 1, 0.0)])
def test_ten_to_one_is_400_points(won: int, lost: int, elo: float) -> None:
    pairs = Pairs([duel(1, 1, 2), duel(2, 2, 1)])
    pairs.cells.clear()
    pairs.taken[1][2], pairs.taken[2][1] = won * 10**9, lost * 10**9  # so many games that the prior does not show
    ratings = fit_ratings(pairs)
    assert ratings.elo[1] - ratings.elo[2] == pytest.approx(elo, abs=0.01)


def test_a_lead_of_one_error_of_the_difference_is_better_with_84_percent() -> None:
    ratings = Fit({1: 1600.0, 2: 1500.0, 3: 1500.0}, chance_sd={1: 60.0, 2: 80.0, 3: 80.0})
    assert ratings.better(1, 2) == pytest.approx(0.8413, abs=1e-4)
    assert ratings.better(2, 1) == pytest.approx(0.1587, abs=1e-4)
    assert ratings.better(2, 3) == 0.5


def test_the_error_falls_with_the_root_of_games() -> None:
    small, large = (Pairs([duel(1, 1, 2), duel(2, 2, 1)]) for _ in range(2))
    for pairs, games in ((small, 10**6), (large, 10**8)):
        pairs.cells.clear()
        pairs.taken[1][2] = pairs.taken[2][1] = games * UNIT
    assert fit_ratings(small).sd[1] / fit_ratings(large).sd[1] == pytest.approx(10, rel=1e-3)


@pytest.mark.parametrize("wins", [1, 5, 10, 30, 100, 1000, 10**6])
def test_the_undefeated_have_finite_ratings_and_errors(wins: int) -> None:
    pairs = Pairs([duel(1, 1, 2)])
    pairs.cells.clear()
    pairs.taken[1][2] = wins * UNIT
    ratings = fit_ratings(pairs)
    assert 1500 < ratings.elo[1] < 1500 + PRIOR_SD * math.sqrt(2 * wins)
    assert 0 < ratings.sd[1] < PRIOR_SD


def test_all_tied_are_all_equal_and_a_ledger_without_games_is_all_prior() -> None:
    tied = Ledger("t", "g", [duel(n, 1, 2, tied=True) for n in range(5)], {1: Version("a"), 2: Version("b")})
    assert set(fitted(tied).elo.values()) == {1500.0}
    empty = fitted(replace(tied, sets=[]))
    assert (empty.elo[1], empty.phi) == (1500.0, 1.0)
    assert empty.sd[1] == pytest.approx(PRIOR_SD)


def test_without_games_a_bot_is_at_1500_give_or_take_350_and_its_next_version_100_more() -> None:
    ratings = fit_ratings(Pairs(), {1: None, 2: 1})
    assert ratings.elo == pytest.approx({1: 1500, 2: 1500})
    assert ratings.sd == pytest.approx({1: 350, 2: math.hypot(350, 100)})
    assert (ratings.phi, ratings.zero, Fit().phi, Fit().zero) == (1, 1500, 1, 1500)


def test_islands_are_known_as_not_comparable() -> None:
    ratings = fitted(duels({(1, 2): 10, (3, 4): 10, (5, 3): 1}))
    assert ratings.comparable(1, 2)
    assert not ratings.comparable(1, 3)
    assert [ratings.group[bot] for bot in (1, 2, 3, 4, 5)] == [1, 1, 0, 0, 0]
    assert max(map(abs, ratings.elo.values())) < 2500


@given(ledgers(most_sets=8))
@SOME
def test_a_new_version_begins_as_its_forerunner_with_100_elo_more_doubt(ledger: Ledger) -> None:
    newest = {**ledger.versions, 50: Version("bot 1", 3, 1), 51: Version("bot 1", 4, 50)}
    ratings = fitted(replace(ledger, versions=newest))
    assert ratings.elo[50] == pytest.approx(ratings.elo[1], abs=1e-5)
    assert ratings.sd[50] == pytest.approx(math.hypot(ratings.sd[1], 100))
    assert ratings.sd[51] == pytest.approx(math.hypot(ratings.sd[1], 100, 100))


@given(ledgers(most_sets=8), st.floats(500, 2500))
@SOME
def test_an_anchor_stands_where_it_should_and_distances_do_not_change(ledger: Ledger, elo: float) -> None:
    held = replace(ledger, versions={**ledger.versions, 1: replace(ledger.versions[1], anchor=elo)})
    free, anchored = fitted(ledger), fitted(held)
    assert anchored.elo[1] == pytest.approx(elo)
    assert anchored.sd == free.sd
    assert all(
        anchored.elo[key] - anchored.elo[1] == pytest.approx(free.elo[key] - free.elo[1], abs=1e-9) for key in free.elo
    )
