"""Bots of one owner do not help each other in a round robin."""

from dataclasses import replace

import pytest

from tests.formats.playing import by_dice, field, whole
from tournaments.formats.model import Entrant, Plan
from tournaments.formats.settings import Groups, League, RoundRobin, Spec


def together(plan: Plan, entrants: list[Entrant]) -> int:
    """Sets in which an owner sits twice."""
    owner = {entrant.id: entrant.owner for entrant in entrants}
    return sum(len({owner[one] for one in pairing.entrants}) < len(pairing.entrants) for pairing in plan.pairings)


def owned(count: int, owners: int) -> list[Entrant]:
    return [replace(entrant, owner=1 + number % owners) for number, entrant in enumerate(field(count))]


@pytest.mark.parametrize(
    "spec",
    [
        RoundRobin(),
        RoundRobin(rounds=7),
        Groups(groups=2, qualify=2, first=RoundRobin(), then=RoundRobin()),
        League(season=RoundRobin(), size=8, seasons=2),
    ],
)
def test_two_of_one_owner_never_play_each_other_alone(spec: Spec) -> None:
    entrants = owned(16, 5)
    plan = whole(spec, entrants, by_dice)
    assert plan.done
    assert together(plan, entrants) == 0


def test_all_others_meet_as_often_as_before() -> None:
    entrants = owned(9, 3)
    plan = whole(RoundRobin(), entrants, by_dice)
    assert len(plan.pairings) == 9 * 6 // 2
    assert together(whole(RoundRobin(owners_apart=False), entrants, by_dice), entrants) == 9


def test_at_larger_tables_they_are_apart_as_far_as_it_can_be_done() -> None:
    entrants = owned(16, 8)
    apart, mixed = (whole(RoundRobin(seats=4, rounds=5, owners_apart=way), entrants, by_dice) for way in (True, False))
    assert together(apart, entrants) == 0
    assert together(mixed, entrants) > 0


@pytest.mark.parametrize("seats", [2, 4])
def test_a_field_of_one_owner_plays_all_the_same(seats: int) -> None:
    entrants = owned(8, 1)
    assert len(whole(RoundRobin(seats=seats), entrants, by_dice).pairings) > 0
