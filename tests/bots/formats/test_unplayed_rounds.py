"""Rounds without a table in tie-breaks: FIDE Handbook C.07 (from 1 March 2026), Article 16, clause by clause."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bots.formats.crosstable import Crosstable
from bots.formats.model import POINT, Plan
from bots.formats.settings import Swiss
from bots.formats.tie_breaks import buchholz, sonneborn_berger
from bots.formats.unplayed_rounds import NONE, UnplayedRounds
from tests.bots.formats.playing import EVENT, by_number, play_out, seeded
from tests.bots.formats.test_tie_breaks import crosstable
from tournaments.ledger.formats.planning import plan_event


@pytest.fixture
def three_rounds() -> Crosstable:
    """1 has beaten 2, 3 and 4. 5 has beaten 2 and had a bye. 4 has lost once and left; 3 has drawn with 2."""
    table = crosstable("1 1 2, 1 1 3, 1 1 4, 5 1 2, 3 = 2")
    table.spare(5)
    return table


def test_an_opponent_that_left_counts_as_if_it_had_drawn_since(three_rounds: Crosstable) -> None:
    """16.1.1, 16.2.5 and 16.3.2: 2 and 3 have half a point, and 4, who left after a round, has two draws."""
    left = UnplayedRounds(opponents=1, sets=3, missed={4: 2})
    assert buchholz(three_rounds, 1) == Fraction(1, 3)
    assert buchholz(three_rounds, 1, 0, left) == Fraction(2, 3)
    assert sonneborn_berger(three_rounds, 1, left) == Fraction(2, 3)
    assert left.seen(three_rounds, 4) == POINT
    assert three_rounds.score(4) == 0  # its own points stay


def test_a_bye_is_a_round_against_a_dummy_of_ones_own_score(three_rounds: Crosstable) -> None:
    """16.4: 5 has a win, and its own mean for the bye, so two points; a dummy has as many, but for the next clause."""
    assert buchholz(three_rounds, 5) == Fraction(1, 2)
    assert buchholz(three_rounds, 5, 0, UnplayedRounds(1, 4)) == (Fraction(1, 2) + 2) / 2
    assert sonneborn_berger(three_rounds, 5, UnplayedRounds(1, 4)) == (Fraction(1, 2) + 2) / 2


def test_a_dummy_has_no_more_than_draws_would_have_made(three_rounds: Crosstable) -> None:
    """16.4.2: three rounds, so one and a half."""
    assert buchholz(three_rounds, 5, 0, UnplayedRounds(1, 3)) == (Fraction(1, 2) + Fraction(3, 2)) / 2


def test_rounds_after_leaving_are_cut_first(three_rounds: Crosstable) -> None:
    """16.5: if 1 had left two rounds ago, one of its two dummies would go, and not its lowest opponent."""
    left = UnplayedRounds(1, 5, {1: 2})
    assert buchholz(three_rounds, 1, 1, left) == (Fraction(1) + Fraction(5, 2)) / 4
    assert buchholz(three_rounds, 1, 1) == Fraction(1, 2)


def test_at_a_larger_table_there_are_as_many_dummies_as_seats() -> None:
    table = Crosstable()
    table.spare(1, sets=2)
    assert (UnplayedRounds(3, 2).byes(table, 1), UnplayedRounds(3, 2, {1: 4}).absences(1)) == (6, 12)


def test_without_unplayed_rounds_nothing_differs(three_rounds: Crosstable) -> None:
    everybody_there = UnplayedRounds(1, 3)
    for entrant in (1, 2, 3):
        for cut in (0, 1):
            assert buchholz(three_rounds, entrant, cut, everybody_there) == buchholz(three_rounds, entrant, cut, NONE)
        assert sonneborn_berger(three_rounds, entrant, everybody_there) == sonneborn_berger(three_rounds, entrant)


def after_leaving(edition: int) -> tuple[Plan, Plan]:
    """A Swiss of 8 in which 8, whom 4 has beaten, leaves after the first round; with it, and without it leaving."""
    spec, entrants = Swiss(rounds=3, edition=edition), seeded(8)  # type: ignore[arg-type]
    first = {p.key: by_number(p) for p in plan_event(spec, entrants, {}, event=EVENT).now}
    gone = [replace(entrant, last_round=1) if entrant.id == 8 else entrant for entrant in entrants]
    return play_out(spec, gone, by_number, first)[0], play_out(spec, entrants, by_number)[0]


def test_in_an_event_who_met_the_one_that_left_loses_nothing_by_it() -> None:
    with_rule, _ = after_leaving(2)
    without, _ = after_leaving(1)
    marks = {row.entrant: row.marks["buchholz"] for row in with_rule.table}
    before = {row.entrant: row.marks["buchholz"] for row in without.table}
    assert marks[4] > before[4]
    assert [row.points for row in with_rule.table] == [row.points for row in without.table]
    assert {p.key for p in with_rule.pairings} == {p.key for p in without.pairings}
