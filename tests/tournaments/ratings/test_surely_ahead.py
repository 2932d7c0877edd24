"""Who is surely ahead: the formula beside the integral, and how often it ever errs."""

from math import sqrt
from random import Random

import pytest
from scipy.integrate import quad
from scipy.stats import norm

from tests import thorough
from tests.ratings.claims import surely_ahead as claims
from tests.tournaments.ratings.ladders import Kind
from tournaments.ratings.ranks import EACH
from tournaments.ratings.surely_ahead import error_that_tells, lead_needed, surely_ahead

WALKS = thorough.budget(400, full=10_000)


def likelihood_ratio(lead: float, error: float) -> float:
    """The likelihood of leads drawn from a half normal law of 100 Elo, as a ratio to that of none."""
    return float(
        quad(lambda d: 2 * norm.pdf(d, 0, 100) * norm.pdf(lead, d, error) / norm.pdf(lead, 0, error), 0, 900)[0]
    )


@pytest.mark.parametrize("error", [5.0, 20.0, 60.0, 150.0])
def test_where_it_is_sure_the_likelihood_ratio_is_20_or_a_little_more(error: float) -> None:
    assert 20 <= likelihood_ratio(lead_needed(error), error) <= 24


def test_it_asks_for_more_than_one_look_does_and_a_smaller_error_never_asks_for_more() -> None:
    errors = [number / 2 for number in range(1, 1000)]
    needed = [lead_needed(error) for error in errors]
    assert needed == sorted(needed)
    assert all(lead > EACH * error for lead, error in zip(needed, errors, strict=True))
    assert [error_that_tells(lead) for lead in needed] == pytest.approx(errors)
    assert (lead_needed(0), error_that_tells(0), surely_ahead(0.0, 0.0, 0.0)) == (0, 0, False)


def test_who_is_level_is_seldom_ever_announced_though_it_is_looked_at_all_the_time() -> None:
    """Sums of normal parts, looked at 400 times: an interval for one look announces a third of them."""
    draw, sure, once = Random(1), 0, 0
    for _ in range(WALKS):
        total, leads = 0.0, list[tuple[float, float]]()
        for games in range(1, 401):
            total += draw.gauss(0, 300)
            leads.append((total / games, 300 / sqrt(games)))
        sure += any(lead >= lead_needed(error) for lead, error in leads)
        once += any(lead >= EACH * error for lead, error in leads)
    assert sure <= 0.05 * WALKS
    assert once >= 0.2 * WALKS


def test_near_pairs_of_a_ladder_are_seldom_announced_the_wrong_way() -> None:
    """A small part of `tests.ratings.claims`."""
    pairs = [pair for seed in (1, 2) for pair in claims.pairs_of(Kind("four", sd=100.0), seed, games=60, bots=8)]
    wrong = [sum(bool(pair[rule] and pair[rule].wrong) for pair in pairs) for rule in (0, 1)]  # type: ignore[union-attr]
    assert len(pairs) >= 10
    assert wrong[1] <= wrong[0]
    assert wrong[1] <= 0.05 * len(pairs)
