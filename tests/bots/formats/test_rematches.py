"""Who met before meets again only where every assignment within a step of the seeding has as many rematches."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bots.formats.model import Pairing, Plan, SetResult
from bots.formats.rematch_avoidance import Meetings, avoid_rematches, total_cost
from bots.formats.runner import Draw, EventRun, Heat
from bots.formats.seating import even, snaked
from bots.formats.settings import Groups, Knockout, RoundRobin
from engine.dice import Dice
from tests import thorough
from tests.bots.formats.playing import EVENT, by_dice, by_number, field, final_plan, seeded, void

EXAMPLES = settings(max_examples=thorough.budget(40, full=600), deadline=None)


def assignments(dealt: list[list[int]], step: int) -> Iterator[list[list[int]]]:
    """Yield by brute force the ways to fill the seats in which nobody is more than `step` levels away."""
    seats = [level for table in dealt for level in range(len(table))]
    level = {entrant: seat for table in dealt for seat, entrant in enumerate(table)}
    for order in fillings(seats, level, step):
        line = iter(order)
        yield [[next(line) for _ in table] for table in dealt]


def fillings(seats: list[int], level: dict[int, int], step: int) -> Iterator[list[int]]:
    if not seats:
        yield []
    for entrant in [candidate for candidate in level if seats and abs(level[candidate] - seats[0]) <= step]:
        left = {other: level_there for other, level_there in level.items() if other != entrant}
        yield from ([entrant, *others] for others in fillings(seats[1:], left, step))


def history(count: int, seed: int, share: int) -> Counter[frozenset[int]]:
    """How often each two have met: a tenth times `share` of all pairs have, some of them twice."""
    dice = Dice.of(f"met {seed}")
    return Counter(
        {frozenset(pair): 1 + dice.below(2) for pair in combinations(range(count), 2) if dice.below(10) < share}
    )


def within_a_step(order: Sequence[int], cuts: list[int], tables: list[list[int]], step: int) -> bool:
    level = {entrant: seat for table in snaked(order, cuts) for seat, entrant in enumerate(table)}
    return all(abs(level[entrant] - seat) <= step for table in tables for seat, entrant in enumerate(table))


# By brute force: with eight each takes twenty times as long as with six.
FIELDS = [(count, seats) for count in (5, 6, 7, 8) for seats in range(2, 9) if count < 7 or seats == 3]


@pytest.mark.parametrize(
    ("count", "seats"),
    FIELDS,
)
@settings(max_examples=thorough.budget(3, full=60), deadline=None)
@example(seed=1001, share=3)  # at three tables for eight the best seed that is left is two levels down
@given(seed=st.integers(0, 10_000), share=st.integers(2, 9))
def test_no_assignment_within_a_step_has_fewer_rematches(count: int, seats: int, seed: int, share: int) -> None:
    met = history(count, seed, share)
    cuts = even(count, -(-count // seats))
    tables = avoid_rematches(range(count), cuts, lambda first, other: met[frozenset((first, other))])
    cost = total_cost(tables, lambda first, other: met[frozenset((first, other))])
    costs = (
        total_cost(other, lambda a, b: met[frozenset((a, b))]) for other in assignments(snaked(range(count), cuts), 1)
    )
    assert cost == min(costs)
    assert sorted(map(len, tables)) == sorted(cuts)
    assert within_a_step(range(count), sorted(cuts, reverse=True), tables, 1)


@EXAMPLES
@given(st.integers(2, 4), st.integers(2, 8), st.integers(0, 10_000), st.integers(0, 6))
def test_levels_are_kept_where_that_costs_no_rematch(seats: int, count: int, seed: int, share: int) -> None:
    met = history(count, seed, share)
    cuts = even(count, -(-count // seats))
    tables = avoid_rematches(range(count), cuts, lambda first, other: met[frozenset((first, other))])
    dealt = snaked(range(count), cuts)
    kept = min(total_cost(other, lambda a, b: met[frozenset((a, b))]) for other in assignments(dealt, 0))
    if kept == total_cost(tables, lambda first, other: met[frozenset((first, other))]):
        assert within_a_step(range(count), cuts, tables, 0)


@given(st.integers(2, 8), st.integers(2, 200))
def test_without_rematches_the_snake_stays_as_it_is(seats: int, count: int) -> None:
    cuts = even(count, -(-count // seats))
    assert avoid_rematches(range(count), cuts, lambda *_: 0) == snaked(range(count), cuts)


@EXAMPLES
@given(st.integers(2, 8), st.integers(9, 200), st.integers(0, 1000))
def test_large_fields_stay_within_a_step_and_never_lose_by_it(seats: int, count: int, seed: int) -> None:
    met = history(count, seed, 1)
    cuts = even(count, -(-count // seats))
    tables = avoid_rematches(range(count), cuts, lambda first, other: met[frozenset((first, other))])
    assert within_a_step(range(count), cuts, tables, 1)
    dealt = total_cost(snaked(range(count), cuts), lambda first, other: met[frozenset((first, other))])
    assert total_cost(tables, lambda first, other: met[frozenset((first, other))]) <= dealt


def rematches(done: Plan, stage: str) -> list[tuple[int, tuple[int, ...]]]:
    """The rounds of the stage in which two met who had met in an earlier round, with these two."""
    rounds = sorted({(pairing.round, pairing.table, pairing.stage, pairing.entrants) for pairing in done.pairings})
    met: Counter[tuple[int, ...]] = Counter()
    again: list[tuple[int, tuple[int, ...]]] = []
    for number, _, of_stage, entrants in rounds:
        for pair in combinations(sorted(entrants), 2):
            again += [(number, pair)] if met[pair] and of_stage == stage else []
            met[pair] += 1
    return again


@pytest.mark.parametrize(("groups", "qualify", "count"), [(2, 2, 8), (4, 2, 16), (2, 4, 12), (8, 2, 32), (4, 4, 24)])
@pytest.mark.parametrize("player", [by_dice, by_number])
def test_groups_do_not_repeat_themselves_in_the_first_round_of_the_knockout(
    groups: int, qualify: int, count: int, player: object
) -> None:
    done = final_plan(Groups(groups, qualify, RoundRobin(), Knockout()), seeded(count), player)  # type: ignore[arg-type]
    first = min(pairing.round for pairing in done.pairings if pairing.stage == "final")
    assert [again for again in rematches(done, "final") if again[0] == first] == []


def test_in_the_first_edition_they_did() -> None:
    """The test above can fail, and what began before goes on as it was."""
    spec = Groups(4, 2, RoundRobin(), Knockout(edition=1))
    done = final_plan(spec, seeded(16), by_dice)
    first = min(pairing.round for pairing in done.pairings if pairing.stage == "final")
    assert [again for again in rematches(done, "final") if again[0] == first]


def test_groups_of_more_at_a_table_are_spread() -> None:
    """Nine qualify from three groups, to tables of three: one from each group."""
    done = final_plan(Groups(3, 3, RoundRobin(), Knockout(seats=3)), seeded(12), by_dice)
    first = min(pairing.round for pairing in done.pairings if pairing.stage == "final")
    assert [again for again in rematches(done, "final") if again[0] == first] == []


@pytest.mark.parametrize("count", [8, 16, 32, 64, 23])
def test_in_a_losers_bracket_two_meet_again_only_where_no_other_table_is_there(count: int) -> None:
    done = final_plan(Knockout(lives=2), field(count), by_dice)
    tables = Counter(number for number, _ in {(pairing.round, pairing.table) for pairing in done.pairings})
    assert all(tables[number] <= 2 for number, _ in rematches(done, "knockout"))


def test_several_sets_of_a_round_are_one_meeting_and_a_cancelled_table_is_none() -> None:
    def second_is_void(pairing: Pairing) -> SetResult:
        return void(pairing) if pairing.table == 2 else by_number(pairing)

    event = EventRun(EVENT, {entrant.id: entrant for entrant in seeded(4)}, second_is_void)
    meetings = Meetings(event)
    event.walk(
        iter([Draw([Heat("swiss", 1, (1, 2), 3), Heat("swiss", 2, (3, 4), 3)]), Draw([Heat("swiss", 1, (1, 2))])])
    )
    meetings.update()
    met = {pair: meetings.between(*pair) for pair in combinations(range(1, 5), 2)}
    assert met == {(1, 2): 2, (3, 4): 0, (1, 3): 0, (1, 4): 0, (2, 3): 0, (2, 4): 0}
