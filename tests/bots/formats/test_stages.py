"""Groups, leagues, gauntlets and the king of the hill."""

from collections import Counter
from dataclasses import replace

from bots.formats.model import Entrant, Plan
from bots.formats.settings import Gauntlet, Groups, KingOfTheHill, Knockout, League, RoundRobin, Swiss
from tests.bots.formats.playing import EVENT, by_number, final_plan, play_out, seeded
from tournaments.ledger.formats.planning import plan_event


def unseeded(count: int) -> list[Entrant]:
    """Return entrants rated the other way round: the first number, who wins, is the last seed."""
    return [Entrant(number, rating=1000.0 + number) for number in range(1, count + 1)]


def members(done: Plan, stage: str) -> set[int]:
    return {entrant for pairing in done.pairings if pairing.stage == stage for entrant in pairing.entrants}


def test_groups_are_equally_strong_and_send_their_best_to_the_final_stage() -> None:
    done = final_plan(Groups(4, 2, RoundRobin(), Knockout()), seeded(16), by_number)
    assert members(done, "group-1") == {1, 8, 9, 16}
    assert members(done, "group-4") == {4, 5, 12, 13}
    assert members(done, "final") == {1, 2, 3, 4, 5, 6, 7, 8}
    assert [row.entrant for row in done.table][:2] == [1, 2]
    assert {table.stage for table in done.stages} == {"final", "group-1", "group-2", "group-3", "group-4"}


def test_groups_play_their_rounds_side_by_side() -> None:
    done = final_plan(Groups(2, 1, RoundRobin(), Knockout()), seeded(8), by_number)
    assert {pairing.stage for pairing in done.pairings if pairing.round == 1} == {"group-1", "group-2"}
    assert done.round == 4


def test_one_group_makes_a_two_stage_event_whose_final_starts_from_nothing() -> None:
    spec = Groups(1, 8, Swiss(seats=4, rounds=3), RoundRobin(seats=8, sets=5))
    done = final_plan(spec, unseeded(32), by_number)
    final = [pairing for pairing in done.pairings if pairing.stage == "final"]
    assert len(final) == 5
    assert done.stages[0].rows[0].sets == 5
    assert done.winners == (1,)


def test_who_left_after_qualifying_leaves_the_place_to_the_next_of_the_group() -> None:
    spec, entrants = Groups(1, 2, RoundRobin(), Knockout()), seeded(4)
    _, results = play_out(spec, entrants, by_number)
    groups = {key: result for key, result in results.items() if key.startswith("group")}
    entrants[0] = replace(entrants[0], last_round=3)
    assert [set(p.entrants) for p in plan_event(spec, entrants, groups, event=EVENT).now] == [{2, 3}]


def test_after_a_season_the_best_go_up_and_the_last_go_down() -> None:
    done = final_plan(League(RoundRobin(), size=4, seasons=2, moves=1), unseeded(12), by_number)
    assert members(done, "season-1-division-1") == {9, 10, 11, 12}
    assert members(done, "season-1-division-3") == {1, 2, 3, 4}
    assert members(done, "season-2-division-1") == {9, 10, 11, 5}
    assert members(done, "season-2-division-2") == {12, 6, 7, 1}
    assert members(done, "season-2-division-3") == {8, 2, 3, 4}
    assert [row.entrant for row in done.table] == [5, 9, 10, 11, 1, 6, 7, 12, 2, 3, 4, 8]


def test_every_challenger_of_a_gauntlet_meets_the_whole_panel_and_the_panel_cannot_win() -> None:
    done = final_plan(Gauntlet((1, 2, 3)), seeded(10), by_number)
    met = Counter(tuple(sorted(pairing.entrants)) for pairing in done.pairings)
    assert met == Counter({(panel, challenger): 1 for panel in (1, 2, 3) for challenger in range(4, 11)})
    assert {row.entrant for row in done.table[:7]} == {*range(4, 11)}
    assert done.winners[0] > 3


def test_at_larger_tables_a_challenger_meets_all_of_the_panel_equally_often() -> None:
    done = final_plan(Gauntlet((1, 2, 3, 4), seats=3), seeded(9), by_number)
    met = Counter(
        (challenger, panel)
        for p in done.pairings
        for challenger in p.entrants
        if challenger > 4
        for panel in p.entrants
        if panel < 5
    )
    assert set(met.values()) == {2}


def test_the_king_meets_the_line_from_its_weakest_end() -> None:
    done = final_plan(KingOfTheHill(), seeded(5), by_number)
    assert [set(pairing.entrants) for pairing in done.pairings] == [{5, 4}, {4, 3}, {3, 2}, {2, 1}]
    assert [row.entrant for row in done.table] == [1, 2, 3, 4, 5]


def test_the_first_table_of_the_hill_takes_what_the_others_leave_over() -> None:
    done = final_plan(KingOfTheHill(seats=4, fewest=2), unseeded(9), by_number)
    assert [set(pairing.entrants) for pairing in done.pairings] == [{1, 2, 3}, {1, 4, 5, 6}, {1, 7, 8, 9}]


def test_where_tables_must_be_full_the_beaten_sit_down_again_on_the_hill() -> None:
    done = final_plan(KingOfTheHill(seats=4), unseeded(5), by_number)
    assert [set(pairing.entrants) for pairing in done.pairings] == [{1, 2, 3, 4}, {1, 5, 2, 3}]


def test_the_table_says_what_each_still_needs() -> None:
    first = plan_event(Knockout(seats=4), seeded(20), {}, event=EVENT)
    needs = {row.entrant: row.needs for row in first.table}
    assert needs[1] == "goes on as one of the first 2 of its table"
    hill = plan_event(KingOfTheHill(), seeded(4), {}, event=EVENT)
    assert {row.entrant: row.needs for row in hill.table} == {
        4: "must win the table to stay at it",
        3: "must win the table to stay at it",
        2: "is number 1 in the line",
        1: "is number 2 in the line",
    }
