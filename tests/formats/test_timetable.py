"""The timetable of an event that is still to come."""

import pytest

from tournaments.formats.model import Entrant
from tournaments.formats.settings import Knockout, RoundRobin, Spec, Swiss
from tournaments.formats.timetable import timetable


@pytest.mark.parametrize(("spec", "rounds"), [(Swiss(rounds=3), 3), (RoundRobin(), 7), (Knockout(extra=0), 3)])
def test_rounds_follow_one_another_and_take_as_long_as_their_sets_on_these_workers(spec: Spec, rounds: int) -> None:
    legs = timetable(spec, [Entrant(number) for number in range(8)], minutes=3, workers=2)
    assert [leg.round for leg in legs] == list(range(1, rounds + 1))
    assert legs[0].begins == 0
    assert (legs[0].sets, legs[0].matches, legs[0].ends) == (4, 8, 12)  # four sets of two matches, two at a time
    assert [leg.begins for leg in legs[1:]] == [leg.ends for leg in legs[:-1]]
