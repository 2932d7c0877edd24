"""Events rehearsed by simulation: the numbers mean what they say."""

from dataclasses import replace
from math import exp

import pytest

from bots.formats.model import Entrant, Pairing
from bots.formats.settings import Groups, Knockout, RoundRobin, Spec, Swiss
from engine.dice import Dice
from tournaments.ledger.formats.simulation import gumbel, side_by_side, simulate, simulated_set, stable

EQUALS = [Entrant(number, sd=200.0) for number in range(1, 17)]


def test_the_same_rehearsal_gives_the_same_numbers() -> None:
    spec = Swiss(seats=4, rounds=3)
    assert simulate(spec, EQUALS, events=5) == simulate(spec, EQUALS[::-1], events=5)
    assert simulate(spec, EQUALS, events=5) != simulate(spec, EQUALS, events=5, seed="another")


def test_duration_and_machine_hours_follow_from_rounds_and_workers() -> None:
    """Five rounds of four tables of four: two workers play two sets each in turn, of four matches."""
    forecast = simulate(RoundRobin(seats=4, rounds=5), EQUALS, minutes=3, workers=2, events=2)
    assert (forecast.rounds, forecast.sets, forecast.matches) == (5, 20, 80)
    assert forecast.hours == pytest.approx(5 * 2 * 4 * 3 / 60)
    assert forecast.machine_hours == pytest.approx(80 * 3 / 60)
    assert simulate(RoundRobin(seats=4, rounds=5), EQUALS, minutes=3, workers=50, events=2).hours == pytest.approx(1)


def test_more_rounds_find_the_best_more_often_and_the_order_better() -> None:
    short = simulate(Swiss(seats=4, rounds=2), EQUALS, events=60)
    long = simulate(Swiss(seats=4, rounds=10), EQUALS, events=60)
    assert long.best_wins > short.best_wins
    assert long.tau > short.tau + 0.1
    assert long.elo_lost < short.elo_lost


def test_where_one_is_known_to_be_far_better_it_wins() -> None:
    giant = [replace(EQUALS[0], rating=4000.0), *EQUALS[1:]]
    forecast = simulate(Knockout(), giant, events=30)
    assert (forecast.best_wins, forecast.elo_lost) == (1.0, 0.0)


def test_sets_pay_off_where_the_deal_holds_much_of_the_luck() -> None:
    spec = RoundRobin(seats=4, rounds=5)
    assert simulate(spec, EQUALS, deal=0.8, events=60).tau > simulate(spec, EQUALS, deal=0.0, events=60).tau + 0.03


def test_four_hundred_elo_are_ten_to_one() -> None:
    """The model holds to it, whatever the share of the deal; 3 standard errors."""
    truth = {1: 1900.0, 2: 1500.0}
    for deal in (0.0, 0.7):
        sets = [simulated_set(truth, Dice.of(f"scale {number}"), deal, (1, 2)) for number in range(1500)]
        ahead = sum(game[0] < game[1] for result in sets for game in result.games)
        assert ahead / 3000 == pytest.approx(10 / 11, abs=0.02)


def test_the_luck_of_the_deal_and_of_the_game_add_up_to_the_same_luck() -> None:
    """Gumbel's distribution function at three points, whatever the share."""
    dice = Dice.of("luck")
    for share in (0.0, 0.5, 0.9):
        a = (1 - share) ** 0.5
        drawn = [a * (stable(dice, a) + gumbel(dice)) for _ in range(4000)]
        for point in (-1.0, 0.0, 2.0):
            assert sum(x < point for x in drawn) / 4000 == pytest.approx(exp(-exp(-point)), abs=0.025)


def test_formats_are_compared_side_by_side() -> None:
    formats: dict[str, Spec] = {
        "Swiss": Swiss(seats=4, rounds=2),
        "Two stages": Groups(1, 4, Swiss(seats=4, rounds=2), Knockout(seats=4)),
    }
    table = side_by_side({name: simulate(spec, EQUALS, events=2) for name, spec in formats.items()})
    lines = table.splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| Swiss | 32 | ")
    assert lines[3].startswith("| Two stages | 36 | ")


def test_every_pairing_has_luck_of_its_own() -> None:
    pairing = Pairing("swiss", 1, 1, 1, (1, 2, 3, 4))
    truth = dict.fromkeys(pairing.entrants, 1500.0)
    result, other = (simulated_set(truth, Dice.of(f"run/{rep}"), 0.5, pairing.entrants) for rep in (1, 2))
    assert result != other
