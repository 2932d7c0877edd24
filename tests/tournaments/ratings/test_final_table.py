"""The final table: the fit of the later sets alone, so nothing from before moves it."""

from dataclasses import replace

from tournaments.ratings.final_table import LEAST, final_of
from tournaments.ratings.ledger import Game, Ledger, RatedSet, Version
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.table import fit_of

OLD, ONE, OTHER = 1, 2, 3
VERSIONS = {
    OLD: Version("one", 1, listed=False),
    ONE: Version("one", 2, forerunner=OLD),
    OTHER: Version("other"),
}


def a_set(number: int, best: int, worst: int) -> RatedSet:
    games = [Game((best, worst), (1, 2), (False, False)), Game((worst, best), (2, 1), (False, False))]
    return RatedSet(number, games)


BEFORE = [*(a_set(number, OTHER, OLD) for number in range(1, 9)), *(a_set(number, OTHER, ONE) for number in (9, 10))]
SINCE = [a_set(number, *((ONE, OTHER) if number % 3 else (OTHER, ONE))) for number in range(11, 11 + LEAST)]
LEDGER = Ledger("main", "zaibatsu", [*BEFORE, *SINCE], VERSIONS)


def test_it_is_the_fit_of_what_came_since_whatever_was_before() -> None:
    final = final_of(LEDGER, 10)
    alone = {key: replace(version, forerunner=None) for key, version in VERSIONS.items() if version.listed}
    fitted = fit_of(replace(LEDGER, sets=SINCE, versions=alone))
    assert {row.version: row.elo for row in final.rows} == {key: round(fitted.elo[key], 1) for key in alone}
    turned = [a_set(made.number, made.games[0].versions[1], made.games[0].versions[0]) for made in BEFORE]
    assert final == final_of(replace(LEDGER, sets=[*turned, *SINCE]), 10)
    assert [(row.version, row.place, row.sets) for row in final.rows] == [(ONE, 1, LEAST), (OTHER, 2, LEAST)]


def test_a_place_takes_enough_sets_and_the_right_to_a_rank() -> None:
    assert [row.place for row in final_of(LEDGER, 11).rows] == [None, None]
    double = {**VERSIONS, ONE: replace(VERSIONS[ONE], ranked=False)}
    assert [row.place for row in final_of(replace(LEDGER, versions=double), 10).rows] == [None, 1]
    assert final_of(LEDGER, 1000).sets == 0


def test_the_later_sums_are_those_of_the_later_sets() -> None:
    assert Pairs(LEDGER.sets).since(10).taken == Pairs(SINCE).taken
    assert Pairs(LEDGER.sets).since(0).cells == Pairs(LEDGER.sets).cells
