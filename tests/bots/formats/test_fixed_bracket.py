"""A bracket whose places are known from the first round on, and the match for third place."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.formats.bracket_places import first_round
from bots.formats.model import BracketSeat, BracketTable, Entrant, Pairing, Plan, SetResult
from bots.formats.settings import Groups, Knockout, RoundRobin
from engine.dice import Dice
from tests import thorough
from tests.bots.formats.playing import EVENT, by_dice, by_number, field, final_plan, play_out, seeded
from tests.bots.formats.test_knockout import tables_by_round
from tournaments.ledger.formats.planning import plan_event

FIXED = Knockout(bracket="fixed")
THIRD = replace(FIXED, third_place=True)
UNIFORM = [(2, 1), (3, 1), (4, 1), (4, 2), (5, 1), (6, 2), (6, 3), (7, 1), (8, 4), (8, 2)]  # seats, and who go on
EXAMPLES = settings(max_examples=thorough.budget(15, full=300), deadline=None)


def seats_of(table: BracketTable) -> list[int | None]:
    return [seat.entrant for seat in table.seats]


def step(plan: Plan, number: int) -> list[BracketTable]:
    return [table for table in plan.bracket if table.step == number]


def test_the_first_round_is_the_usual_one() -> None:
    assert first_round(range(1, 9), 2, 2) == [[1, 8], [4, 5], [2, 7], [3, 6]]
    assert first_round(range(1, 7), 2, 2) == [[1], [4, 5], [2], [3, 6]]
    assert first_round(range(1, 6), 2, 2) == [[1], [4, 5], [2], [3]]
    assert first_round(range(1, 17), 4, 2) == [[1, 8, 9, 16], [4, 5, 12, 13], [2, 7, 10, 15], [3, 6, 11, 14]]
    assert first_round(range(1, 10), 3, 3) == [[1, 6, 7], [2, 5, 8], [3, 4, 9]]
    assert first_round(range(1, 4), 4, 2) == [[1, 2, 3]]
    assert first_round([], 2, 2) == [[]]


@EXAMPLES
@given(st.integers(2, 200))
def test_with_two_at_a_table_seeds_meet_as_late_as_in_every_printed_bracket(count: int) -> None:
    """The better seed always wins: then the last 2, 4, 8 are the best 2, 4, 8, and byes go to the best seeds alone."""
    done = final_plan(FIXED, seeded(count), by_number)
    last = max(table.step for table in done.bracket)
    for number in range(2, last + 1):
        left = 2 ** (last - number + 1)
        assert {entrant for table in step(done, number) for entrant in seats_of(table)} == set(range(1, left + 1))
    byes = [bye.entrant for bye in done.byes]
    assert sorted(byes) == [*range(1, len(byes) + 1)]
    assert (len(done.pairings), done.round, last) == (count - 1, last, max(1, (count - 1).bit_length()))


@EXAMPLES
@given(
    st.sampled_from([(2, 1), (3, 1), (4, 1), (4, 2), (5, 1), (6, 2), (6, 3), (7, 1), (8, 4), (8, 2)]),
    st.integers(2, 120),
)
def test_the_best_two_meet_in_the_final_at_tables_of_any_size(table: tuple[int, int], count: int) -> None:
    seats, advance = table
    done = final_plan(replace(FIXED, seats=seats, fewest=2, advance=advance), seeded(count), by_number)
    met = {pairing.round for pairing in done.pairings if {1, 2} <= set(pairing.entrants)}
    assert met == {done.round}
    assert done.winners == (1,)


@EXAMPLES
@given(st.integers(2, 60), st.integers(0, 1000))
def test_places_that_were_named_are_kept_to(count: int, seed: int) -> None:
    """Whom the bracket names before a round (the winner of this table, the loser of that) sits there in the end."""

    def player(pairing: Pairing) -> SetResult:
        return by_dice(replace(pairing, stage=f"{seed}"))

    entrants = field(count)
    before = plan_event(THIRD, entrants, {}, event=EVENT)
    done, _ = play_out(THIRD, entrants, player)
    after = {(table.step, table.number): table for table in done.bracket}
    assert after.keys() == {(table.step, table.number) for table in before.bracket}
    for table in before.bracket:
        for seat, now in zip(table.seats, after[table.step, table.number].seats, strict=True):
            assert now.entrant is not None
            assert now.entrant == seat.entrant or now.entrant in seats_of(after[table.step - 1, seat.table])
    shown = {
        (table.round, table.number): set(seats_of(table))
        for table in done.bracket
        if table.kind in ("match", "third_place")
    }
    assert shown == {(pairing.round, pairing.table): set(pairing.entrants) for pairing in done.pairings}


def test_empty_places_say_who_comes_and_byes_go_on_at_once() -> None:
    now = plan_event(THIRD, seeded(6), {}, event=EVENT)
    assert [table.kind for table in step(now, 1)] == ["bye", "match", "bye", "match"]
    assert step(now, 2)[0].seats == (BracketSeat(1, 1, 1), BracketSeat(None, 2, 1))
    final, third = step(now, 3)
    assert final.seats == (BracketSeat(None, 1, 1), BracketSeat(None, 2, 1))
    assert (third.kind, third.seats) == ("third_place", (BracketSeat(None, 1, 2), BracketSeat(None, 2, 2)))
    assert [table.round for table in now.bracket] == [1, 1, 1, 1, 2, 2, 3, 3]


def test_after_groups_the_bracket_begins_where_they_end() -> None:
    spec = Groups(2, 2, RoundRobin(), THIRD)
    assert plan_event(spec, seeded(8), {}, event=EVENT).bracket == ()
    done = final_plan(spec, seeded(8), by_number)
    assert [(table.step, table.round) for table in done.bracket] == [(1, 4), (1, 4), (2, 5), (2, 5)]


@pytest.mark.parametrize("spec", [THIRD, Knockout(third_place=True)])
def test_the_match_for_third_place_decides_places_three_and_four(spec: Knockout) -> None:
    def player(pairing: Pairing) -> SetResult:
        worst = {3, 4} == set(pairing.entrants)
        places = tuple(1 + ((entrant != min(pairing.entrants)) != worst) for entrant in pairing.entrants)
        return SetResult(pairing.entrants, (places, places))

    done = final_plan(spec, seeded(8), player)
    assert [row.entrant for row in done.table][:4] == [1, 2, 4, 3]
    assert {(p.table, p.entrants) for p in done.pairings if p.round == done.round} == {(1, (1, 2)), (2, (3, 4))}
    assert len(done.pairings) == 8


@pytest.mark.parametrize("bracket", ["fixed", "reseeded"])
@pytest.mark.parametrize("count", [2, 3])
def test_with_one_beaten_semifinalist_there_is_no_match_for_third_place(bracket: str, count: int) -> None:
    done = final_plan(Knockout(bracket=bracket, third_place=True), seeded(count), by_number)  # type: ignore[arg-type]
    assert len(done.pairings) == count - 1
    assert [row.entrant for row in done.table] == [*range(1, count + 1)]
    assert "third_place" not in {table.kind for table in done.bracket}


@pytest.mark.parametrize("spec", [THIRD, Knockout(third_place=True)])
def test_who_plays_for_third_place_is_told(spec: Knockout) -> None:
    entrants = seeded(4)
    results = {p.key: by_number(p) for p in plan_event(spec, entrants, {}, event=EVENT).now}
    needs = {row.entrant: row.needs for row in plan_event(spec, entrants, results, event=EVENT).table}
    assert (needs[1], needs[3]) == ("goes on by winning its table", "plays for third place")


def left(entrants: list[Entrant], *gone: int, after: int) -> list[Entrant]:
    return [replace(entrant, last_round=after) if entrant.id in gone else entrant for entrant in entrants]


@pytest.mark.parametrize("spec", [THIRD, Knockout(third_place=True)])
def test_third_place_is_played_for_though_a_finalist_has_left_and_not_where_one_of_the_two_has(spec: Knockout) -> None:
    entrants = seeded(4)
    semis = {p.key: by_number(p) for p in plan_event(spec, entrants, {}, event=EVENT).now}
    now = plan_event(spec, left(entrants, 2, after=1), semis, event=EVENT)
    assert [set(pairing.entrants) for pairing in now.now] == [{3, 4}]
    done, _ = play_out(spec, left(entrants, 2, after=1), by_number, semis)
    assert [row.entrant for row in done.table] == [1, 2, 3, 4]
    now = plan_event(spec, left(entrants, 4, after=1), semis, event=EVENT)
    assert [set(pairing.entrants) for pairing in now.now] == [{1, 2}]


def test_who_left_gives_a_walkover_and_the_place_is_nobodys() -> None:
    entrants = seeded(8)
    first = {p.key: by_number(p) for p in plan_event(FIXED, entrants, {}, event=EVENT).now}
    now = plan_event(FIXED, left(entrants, 1, after=1), first, event=EVENT)
    assert [set(pairing.entrants) for pairing in now.now] == [{2, 3}]
    assert step(now, 2)[0].kind == "walkover"
    done, _ = play_out(FIXED, left(entrants, 1, after=1), by_number, first)
    assert done.winners == (2,)
    assert [set(pairing.entrants) for pairing in done.pairings if pairing.round == 3] == [{2, 4}]


def kinds(plan: Plan) -> list[tuple[str, list[tuple[int | None, bool]]]]:
    return [(table.kind, [(seat.entrant, seat.left) for seat in table.seats]) for table in plan.bracket]


def test_who_has_left_goes_on_nowhere_from_a_bye_or_a_table_that_it_has_won() -> None:
    """The bye stays what it was; the place after it is marked, and is a walkover for the other."""
    entrants = seeded(3)
    gone = left(entrants, 1, after=1)
    now = plan_event(FIXED, gone, {}, event=EVENT)
    first = [("bye", [(1, False)]), ("match", [(2, False), (3, False)])]
    assert kinds(now) == [*first, ("match", [(1, True), (None, False)])]
    results = {p.key: by_number(p) for p in now.now}
    assert kinds(plan_event(FIXED, gone, results, event=EVENT)) == [*first, ("walkover", [(1, True), (2, False)])]
    both = plan_event(FIXED, left(entrants, 1, 2, after=1), results, event=EVENT)
    assert kinds(both) == [*first, ("empty", [(1, True), (2, True)])]


def test_beside_a_final_after_a_walkover_nobody_plays_for_third_place() -> None:
    entrants = seeded(8)
    first = {p.key: by_number(p) for p in plan_event(THIRD, entrants, {}, event=EVENT).now}
    now = plan_event(THIRD, left(entrants, 1, 4, after=1), first, event=EVENT)
    assert [table.kind for table in now.bracket if table.step > 1] == ["empty", "match", "match"]
    assert step(now, 3)[0].seats == (BracketSeat(), BracketSeat(None, 2, 1))
    now = plan_event(THIRD, left(entrants, 1, after=1), first, event=EVENT)
    assert [table.kind for table in now.bracket if table.step > 1] == ["walkover", "match", "match"]
    assert step(now, 3)[0].seats == (BracketSeat(4, 1, 1), BracketSeat(None, 2, 1))


@EXAMPLES
@given(st.sampled_from([FIXED, THIRD, Knockout(4, 2, bracket="fixed")]), st.integers(2, 16), st.integers(0, 10_000))
def test_a_table_that_is_not_played_is_a_bye_or_a_walkover_where_somebody_is_there_who_goes_on(
    spec: Knockout, count: int, seed: int
) -> None:
    """It holds at each state of the bracket, whoever leaves, and whenever."""
    entrants = [
        replace(entrant, last_round=Dice.of(f"{seed} {entrant.id}").below(5) or None) for entrant in seeded(count)
    ]
    results: dict[str, SetResult] = {}
    while True:
        now = plan_event(spec, entrants, results, event=EVENT)
        issued = max((table.step for table in now.bracket if table.kind in ("bye", "walkover", "empty")), default=0)
        for table in now.bracket:
            present = [seat for seat in table.seats if seat.entrant is not None and not seat.left]
            assert (table.kind == "empty") <= (not present)
            assert (table.kind in ("bye", "walkover")) <= bool(present)
            assert (table.kind == "bye") <= (len(present) == len(table.seats))
            assert not (table.kind == "match" and table.step < issued and not present)
        if not now.now:
            break
        results[now.now[0].key] = by_number(now.now[0])


def test_a_round_of_walkovers_alone_is_no_round_of_the_event() -> None:
    entrants = seeded(8)
    first = {p.key: by_number(p) for p in plan_event(FIXED, entrants, {}, event=EVENT).now}
    gone = left(entrants, 1, 2, after=1)
    now = plan_event(FIXED, gone, first, event=EVENT)
    assert (now.round, [set(pairing.entrants) for pairing in now.now]) == (2, [{3, 4}])
    assert [table.round for table in now.bracket] == [1, 1, 1, 1, 0, 0, 2]


def test_where_a_table_would_lack_players_the_best_of_the_beaten_sits_down_again() -> None:
    spec, entrants = Knockout(4, 4, bracket="fixed"), seeded(16)
    first = {p.key: by_number(p) for p in plan_event(spec, entrants, {}, event=EVENT).now}
    now = plan_event(spec, left(entrants, 1, after=1), first, event=EVENT)
    assert {frozenset(pairing.entrants) for pairing in now.now} == {frozenset({8, 4, 5, 9}), frozenset({2, 3, 6, 7})}
    assert sorted(filter(None, seats_of(step(now, 2)[0]))) == [4, 5, 8, 9]
    gone = left(entrants, 1, 9, 16, 12, 13, after=1)
    done, _ = play_out(spec, gone, by_number, first)
    assert done.winners == (2,)
    assert sorted(row.entrant for row in done.table) == [*range(1, 17)]


def test_the_final_alone_is_longest() -> None:
    done = final_plan(replace(THIRD, sets=(1, 2, 4)), seeded(8), by_number)
    assert {number: len(tables) for number, tables in tables_by_round(done).items()} == {1: 4, 2: 4, 3: 8}


@EXAMPLES
@given(st.sampled_from([(2, 1), (4, 2), (3, 1)]), st.integers(4, 60))
def test_owners_are_apart_in_the_first_round_and_the_best_seeds_stay_where_they_were(
    table: tuple[int, int], count: int
) -> None:
    spec = replace(FIXED, seats=table[0], fewest=2, advance=table[1])
    entrants = [replace(entrant, owner=1 + entrant.id % 3) for entrant in seeded(count)]
    dealt = step(plan_event(spec, entrants, {}, event=EVENT), 1)
    separated = step(plan_event(replace(spec, owners_apart=True), entrants, {}, event=EVENT), 1)
    assert [seats_of(pairing)[0] for pairing in separated] == [seats_of(pairing)[0] for pairing in dealt]
    assert clashes(separated) <= clashes(dealt)
    if table == (2, 1):
        assert clashes(separated) == 0


def clashes(tables: list[BracketTable]) -> int:
    owners = [[entrant % 3 for entrant in seats_of(table) if entrant] for table in tables]
    return sum(len(table) - len(set(table)) for table in owners)
