"""Ledgers at the edge of sense: each is rated sensibly, or refused with a code."""

from collections.abc import Iterable
from dataclasses import replace
from math import inf, isfinite, nan
from random import Random

import pytest

from engine.seats import places_by_score
from tests.tournaments.ratings.ledgers import duel, duels
from tests.tournaments.ratings.world import played
from tournaments.ratings.cells import UNIT
from tournaments.ratings.export import read, write
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.intervals import CI95
from tournaments.ratings.ledger import BadLedger, Game, Ledger, RatedSet, Version, check_prior_sd
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.table import fit_of, table_of


def sensible(ratings: Fit) -> None:
    numbers = [*ratings.elo.values(), *ratings.sd.values(), *ratings.chance_sd.values(), ratings.phi, ratings.clash]
    assert all(isfinite(number) for number in numbers)
    assert all(0 < chance <= ratings.sd[version] for version, chance in ratings.chance_sd.items())
    assert 0 < ratings.phi < 10


def test_a_single_bot_stands_at_the_mean_as_unsure_as_the_prior() -> None:
    table = table_of(Ledger("t", "g", [], {7: Version("alone")}, prior_sd=200))
    (row,) = table.rows
    assert (row.elo, row.ci95, row.rank, row.rank_lo, row.rank_hi, row.all_lo, row.all_hi) == (
        *(1500.0, round(CI95 * 200, 1)),
        *(None, 1, 1, 1, 1),
    )
    assert (table.phi, table.clash, table.prior_sd) == (1.0, 0.0, 200)


def test_islands_are_rated_each_about_the_mean_and_never_surely_ranked_among_each_other() -> None:
    ledger = duels({(1, 2): 400, (2, 1): 100, (3, 4): 400, (4, 3): 100, (5, 6): 50, (6, 5): 50})
    ratings = fit_of(ledger)
    sensible(ratings)
    assert ratings.elo[1] == pytest.approx(ratings.elo[3], abs=1e-6)
    assert ratings.elo[1] + ratings.elo[2] == pytest.approx(3000, abs=1e-6)
    rows = {row.version: row for row in table_of(ledger).rows}
    assert (rows[1].rank_lo, rows[1].rank_hi, rows[2].rank_lo, rows[2].rank_hi) == (1, 5, 2, 6)
    assert (rows[5].all_lo, rows[5].all_hi) == (1, 6)


@pytest.mark.parametrize("wins", [1, 1000, 10**6, 10**9])
def test_however_often_a_bot_wins_its_rating_is_finite_and_its_interval_wide(wins: int) -> None:
    pairs = Pairs([duel(1, 1, 2), duel(2, 2, 3), duel(3, 3, 2)])
    pairs.taken[1][2] = wins * UNIT
    ratings = fit_ratings(pairs)
    sensible(ratings)
    assert 0 < ratings.elo[1] - ratings.elo[2] < 4000
    assert CI95 * ratings.sd[1] > 350


def test_seats_of_eight_are_rated_whoever_forfeits() -> None:
    sets = [
        replace(rated, games=[_all_forfeit(game) if rated.number % 5 == 0 else game for game in rated.games])
        for rated in played({bot: 1500.0 + 50 * bot for bot in range(8)}, 20, 8, Random(8))
    ]
    ratings = fit_ratings(Pairs(sets))
    sensible(ratings)
    assert ratings.elo[7] > ratings.elo[0]


def _all_forfeit(game: Game) -> Game:
    return replace(game, places=[1] * len(game.places), forfeits=[True] * len(game.places))


@pytest.mark.parametrize("margin", [1, 10**6, 10**30])
def test_margins_beyond_sense_are_rated_by_place_and_little_more(margin: int) -> None:
    scores = (10**40, -(10**40)), (3, 5), (0, 0)
    sets = [
        RatedSet(number, [Game((1, 2), places_by_score(pair), (False, False), pair)])
        for number, pair in enumerate(scores, 1)
    ]
    ratings = fit_ratings(Pairs(sets, margin=margin))
    sensible(ratings)
    assert ratings.elo[1] >= ratings.elo[2]


def test_a_margin_below_nothing_is_refused() -> None:
    assert code_of(lambda: Ledger("t", "g", [], margin=-1)) == "bad_margin"


@pytest.mark.parametrize("prior_sd", [1, 49, 1001, 10**6, 0, -350, nan, inf])
def test_a_prior_that_makes_no_sense_is_refused(prior_sd: float) -> None:
    assert code_of(lambda: check_prior_sd(prior_sd)) == "bad_prior_sd"
    assert code_of(lambda: fit_ratings(Pairs([duel(1, 1, 2)]), prior_sd=prior_sd)) == "bad_prior_sd"


@pytest.mark.parametrize("prior_sd", [50, 350, 1000])
def test_a_prior_within_its_bounds_is_obeyed(prior_sd: int) -> None:
    ledger = replace(duels({(1, 2): 30, (2, 3): 30}), prior_sd=prior_sd)
    ratings = fit_of(ledger)
    sensible(ratings)
    assert ratings.prior_sd == prior_sd
    assert prior_sd < ratings.elo[1] - ratings.elo[3] < 6 * prior_sd
    assert read(write(ledger)).prior_sd == prior_sd
    assert table_of(read(write(ledger))) == table_of(ledger)


def test_an_export_from_before_the_prior_was_a_setting_has_the_usual_one() -> None:
    head = '{"ledger":1,"ladder":"t","game":"g","margin":0}\n'
    assert read([head]).prior_sd == 350
    assert code_of(lambda: read([head.replace(":1,", ":2,")])) == "bad_line"
    assert code_of(lambda: read([head.replace("0}", '0,"prior_sd":7}').replace(":1,", ":2,")])) == "bad_prior_sd"


def test_a_ledger_of_rules_2_is_written_as_it_was_and_a_newer_one_says_its_scale() -> None:
    newer = Ledger("t", "g", [], margin=5, scale=1250)
    assert '"ledger":3' in next(write(newer))
    assert '"scale":1250' in next(write(newer))
    assert next(write(replace(newer, rules=2))) == '{"ledger":2,"ladder":"t","game":"g","margin":5,"prior_sd":350}\n'
    assert (read(write(newer)), read(write(replace(newer, rules=2))).rules) == (newer, 2)
    assert code_of(lambda: replace(newer, scale=99)) == "bad_scale"


def test_ratings_beyond_what_numbers_hold_are_refused() -> None:
    """No search for the maximum may come there; one that does says so."""
    pairs = Pairs([duel(1, 1, 2)])
    beyond = Fit({1: 200_000.0, 2: -200_000.0})
    assert code_of(lambda: fit_ratings(pairs, start=beyond)) == "too_far_apart"


def code_of(make: object) -> str:
    assert callable(make)
    with pytest.raises(BadLedger) as refused:
        make()
    return refused.value.code


def test_whoever_stands_alone_among_many_is_as_unsure_as_a_newcomer() -> None:
    ratings = fit_ratings(Pairs([duel(n, 1 + n % 2, 2 - n % 2) for n in range(50)]), dict.fromkeys(_some(1, 2, 9)))
    assert (ratings.elo[9], ratings.group[9]) == (1500.0, 1)
    assert ratings.sd[9] == pytest.approx(350)


def _some(*versions: int) -> Iterable[int]:
    return versions
