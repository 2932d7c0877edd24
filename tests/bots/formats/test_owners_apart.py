"""Bots of one owner do not help each other in a round robin."""

from dataclasses import replace

import pytest

from bots.formats.model import Entrant, Plan
from bots.formats.settings import Groups, KingOfTheHill, League, RoundRobin, Spec, read_stored
from tests.bots.formats.playing import by_dice, field, final_plan


def together(plan: Plan, entrants: list[Entrant]) -> int:
    """Count the sets in which an owner sits twice."""
    owner = {entrant.id: entrant.owner for entrant in entrants}
    return sum(
        len({owner[entrant] for entrant in pairing.entrants}) < len(pairing.entrants) for pairing in plan.pairings
    )


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
    plan = final_plan(spec, entrants, by_dice)
    assert plan.done
    assert together(plan, entrants) == 0


def test_all_others_meet_as_often_as_before() -> None:
    entrants = owned(9, 3)
    plan = final_plan(RoundRobin(), entrants, by_dice)
    assert len(plan.pairings) == 9 * 6 // 2
    assert together(final_plan(RoundRobin(owners_apart=False), entrants, by_dice), entrants) == 9


def test_at_larger_tables_they_are_apart_as_far_as_it_can_be_done() -> None:
    entrants = owned(16, 8)
    separated, mixed = (
        final_plan(RoundRobin(seats=4, rounds=5, owners_apart=is_apart), entrants, by_dice)
        for is_apart in (True, False)
    )
    assert together(separated, entrants) == 0
    assert together(mixed, entrants) > 0


@pytest.mark.parametrize("seats", [2, 4])
def test_a_field_of_one_owner_plays_all_the_same(seats: int) -> None:
    entrants = owned(8, 1)
    assert len(final_plan(RoundRobin(seats=seats), entrants, by_dice).pairings) > 0


def test_groups_spread_owners_as_far_as_seeds_of_one_turn_allow() -> None:
    groups = Groups(groups=4, qualify=1, first=RoundRobin(), then=RoundRobin())
    mixed = replace(groups, first=RoundRobin(owners_apart=False))
    before = replace(groups, first=RoundRobin(edition=1))

    def doubled(spec: Groups, entrants: list[Entrant]) -> int:
        """Pairs of one owner in one group."""
        owner = {entrant.id: entrant.owner for entrant in entrants}
        rows = [table.rows for table in final_plan(spec, entrants, by_dice).stages if table.title.startswith("Group")]
        return sum(len(table) - len({owner[row.entrant] for row in table}) for table in rows)

    entrants = owned(16, 7)
    assert doubled(mixed, entrants) == doubled(before, entrants) > 0
    assert doubled(groups, entrants) == 0
    assert doubled(groups, owned(16, 1)) == 12  # more bots than groups


@pytest.mark.parametrize("seats", [2, 3])
def test_on_the_hill_others_go_first(seats: int) -> None:
    entrants = owned(12, 3)
    hill = KingOfTheHill(seats=seats)
    plan, mixed = final_plan(hill, entrants, by_dice), final_plan(replace(hill, owners_apart=False), entrants, by_dice)
    assert plan.done
    assert {entrant for pairing in plan.pairings for entrant in pairing.entrants} == {
        entrant.id for entrant in entrants
    }
    assert together(plan, entrants) < together(mixed, entrants)
    stored = read_stored({"t": "king_of_the_hill", "seats": seats})
    assert stored == replace(hill, owners_apart=False)  # of before: it goes on as it began
    alone = owned(6, 1)
    assert final_plan(hill, alone, by_dice).done
