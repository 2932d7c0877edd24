"""The timetable of an event that is still to come."""

from collections import Counter
from time import process_time

import pytest

from bots.formats.model import Entrant
from bots.formats.schedule_length import most_sets
from bots.formats.settings import Knockout, RoundRobin, Spec, Swiss
from tests.bots.formats.playing import EVENT, field, final_plan
from tournaments.core.errors import Refused
from tournaments.ledger.formats.planning import plan_event
from tournaments.ledger.formats.timetable import timetable


@pytest.mark.parametrize(("spec", "rounds"), [(Swiss(rounds=3), 3), (RoundRobin(), 7), (Knockout(extra=0), 3)])
def test_rounds_follow_one_another_and_take_as_long_as_their_sets_on_these_workers(spec: Spec, rounds: int) -> None:
    legs = timetable(spec, [Entrant(number) for number in range(8)], minutes=3, workers=2)
    assert [leg.round for leg in legs] == list(range(1, rounds + 1))
    assert legs[0].begins == 0
    assert (legs[0].sets, legs[0].matches, legs[0].ends) == (4, 8, 12)  # four sets of two matches, two at a time
    assert [leg.begins for leg in legs[1:]] == [leg.ends for leg in legs[:-1]]


@pytest.mark.parametrize("seats", [2, 3, 8])
@pytest.mark.parametrize("rounds", [0, 3, 40])
def test_a_round_robin_is_timetabled_as_it_is_played(seats: int, rounds: int) -> None:
    for count in (seats, seats + 1, 9, 13, 16, 25):
        for fewest in {2, seats}:
            spec = RoundRobin(seats, fewest, rounds=rounds, sets=2, owners_apart=False)
            legs = timetable(spec, field(max(count, fewest)), minutes=1, workers=1)
            done = final_plan(spec, field(max(count, fewest)))
            sets = Counter(pairing.round for pairing in done.pairings)
            assert {leg.round: leg.sets for leg in legs} == sets
            assert sum(leg.matches for leg in legs) == sum(pairing.matches for pairing in done.pairings)


@pytest.mark.parametrize("seats", [2, 8])
def test_a_round_robin_of_two_hundred_is_timetabled_and_planned_at_once(seats: int) -> None:
    """A schedule of 200 takes less than a second of CPU time, and the first round too."""
    for fewest in (2, seats):
        spec, began = RoundRobin(seats, fewest), process_time()
        legs = timetable(spec, field(200), minutes=1, workers=2)
        assert plan_event(spec, field(200), {}, event=EVENT).round == 1
        assert process_time() - began < 10  # and not minutes
        assert sum(leg.sets for leg in legs) <= most_sets(spec, 200)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
def test_what_is_too_long_is_refused_at_once(seats: int) -> None:
    began = process_time()
    with pytest.raises(Refused, match="at most 50000 can be planned"):
        timetable(RoundRobin(seats, sets=100), field(200), minutes=1, workers=2)
    assert process_time() - began < 10  # and not minutes
