"""Each planted fault is found by its check, and a fair ladder by none."""

from dataclasses import replace
from random import Random

import pytest

from tests.ratings.claims.fairness import FAULTS, found_in, played
from tests.tournaments.ratings.ledgers import duels
from tournaments.ratings.fairness import (
    ABSENT,
    WAITS,
    Dealt,
    chance_of_square,
    deals_check,
    foretold_check,
    refit_check,
    seats_check,
    statistical_checks,
    twins_check,
)
from tournaments.ratings.table import fit_of


def test_nothing_is_found_in_a_fair_ladder() -> None:
    assert [found_in(played(Random(f"fair {number}"))) for number in range(3)] == [set()] * 3


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_by_its_check(name: str) -> None:
    plant, finders = FAULTS[name]
    assert finders <= found_in(plant(Random(f"{name} small")))


def test_a_young_ladder_has_nothing_to_compare() -> None:
    checks = {check.name: check for check in statistical_checks(duels({(1, 2): 3, (2, 3): 2}))}
    assert {name for name, check in checks.items() if check.state == WAITS} == {"foretold", "halves", "times", "gate"}
    assert [(check.has, check.needs) for check in checks.values() if check.name == "gate"] == [(5, 200)]


def test_twins_are_compared_once_both_have_played_enough() -> None:
    ledger = duels({(1, 3): 9, (2, 3): 8})
    fit = fit_of(ledger)
    check = twins_check(ledger, fit, (1, 2))
    assert (check.state, check.has, check.needs) == ("ok", 8, 8)
    assert check.values["apart"] == pytest.approx(abs(fit.elo[1] - fit.elo[2]), abs=0.05)
    assert twins_check(duels({(1, 3): 9, (2, 3): 7}), fit, (1, 2)).state == WAITS
    assert twins_check(ledger, fit, ()).state == ABSENT


def test_a_deal_without_a_set_is_found_and_a_void_one_is_listed() -> None:
    fair = Dealt(dealt=12, rated=9, open=1, removed=1, void=[4], missing=[], links=0)
    assert deals_check(fair).state == "ok"
    assert deals_check(fair).values["void"] == [4]
    assert [deals_check(replace(fair, **lost)).state for lost in ({"missing": [3]}, {"links": 1})] == ["found"] * 2


def test_seats_are_counted_for_tables_of_each_size() -> None:
    assert seats_check(duels({(1, 2): 1})).values == {"versions": 2, "uneven": 2}
    assert seats_check(duels({(1, 2): 1, (2, 1): 1})).state == "ok"


def test_every_line_of_the_table_is_compared() -> None:
    assert refit_check(3, ["a 1.0", "b 2.0"], ["a 1.0", "b 2.0"]).state == "ok"
    assert refit_check(3, ["a 1.0", "b 2.0"], ["a 1.1"]).values == {"lines": 2, "wrong": 2}


def test_the_calibration_table_counts_sets_and_its_forecasts_are_the_favourites() -> None:
    values = foretold_check(played(Random("bands")).ledger).values
    assert all(low <= foretold <= low + 0.1 for low, foretold, *_ in values["bands"])
    assert all(sets <= 540 for *_, sets in values["bands"])
    assert values["slope"] == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(("square", "free", "chance"), [(9.488, 4, 0.05), (29.588, 10, 0.001), (10, 10, 0.4405)])
def test_the_chance_of_a_square_is_the_tables(square: float, free: int, chance: float) -> None:
    assert chance_of_square(square, free) == pytest.approx(chance, rel=0.1)
