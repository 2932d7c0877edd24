"""Shangzhou-Gold, the clauses in the rulebook's order: income shares, phases 7 and 8, the end and the ranking."""

from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import Match
from engine.games.shangzhou import (
    HOMES,
    SHANGZHOU,
    Ban,
    Checked,
    Ended,
    Gift,
    Options,
    Position,
    Relinquished,
    ToVeto,
    Use,
    Veto,
    Vetoed,
    exclusive,
    forecast,
    see,
    shares,
)
from engine.seats import places_by_score
from tests.games.answering import heard, refusal
from tests.games.shangzhou_tables import all_answer, begin, defaults, question, table

# --- income shares -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "agents", "amount", "paid"),
    [
        ("1", (3, 0, 4, 0), 3, (1, 0, 2, 0)),
        ("2", (4, 3, 2, 0), 4, (2, 1, 1, 0)),
        ("3", (2, 0, 0, 2), 3, (1, 0, 0, 1)),
        ("4", (2, 0, 1, 2), 5, (2, 0, 1, 2)),
        ("5", (1, 1, 1, 1), 3, (0, 0, 0, 0)),
        ("6", (1, 1, 1), 5, (1, 1, 1)),
        ("7", (5, 0, 2, 2), 2, (1, 0, 0, 0)),
        ("8", (5, 0, 2, 2), 3, (1, 0, 1, 1)),
        ("9", (1, 0, 0, 0), 6, (6, 0, 0, 0)),
        ("10", (3, 1, 2, 2), 6, (2, 1, 1, 1)),
        ("11", (3, 0, 1, 3), 4, (1, 0, 1, 1)),
    ],
)
def test_clout_is_handed_out_from_the_most_agents_down_and_over_again(
    clause: str, agents: tuple[int, ...], amount: int, paid: tuple[int, ...]
) -> None:
    """Z1.10, Z1.11, Z1.12, Z6.1, Z7.1, Z7.2, Z7.3, Z7.4, Z7.5, Z7.6, Z7.7, Z7.8, Z7.9, Z7.10, Z7.11"""
    assert shares(agents, amount) == paid, f"Z7.{clause}"


def plain_shares(agents: tuple[int, ...], amount: int) -> tuple[int, ...]:
    """Go round the groups as far as the Clout reaches in whole groups; each player has what its group was paid."""
    groups = sorted(set(agents) - {0}, reverse=True)
    if not groups:
        return (0,) * len(agents)
    rounds = [group for _ in range(amount) for group in groups]
    reached = accumulate(agents.count(group) for group in rounds)
    paid = [group for group, needed in zip(rounds, reached, strict=True) if needed <= amount]
    return tuple(paid.count(count) for count in agents)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=4).map(tuple), st.integers(0, 12))
def test_shares_are_those_of_a_slow_plain_version(agents: tuple[int, ...], amount: int) -> None:
    """Z2.4, Z6.1: ties end the payment wherever the Clout left does not cover all of them."""
    assert shares(agents, amount) == plain_shares(agents, amount)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4).map(tuple), st.integers(0, 6))
def test_no_more_is_paid_than_there_is_and_more_agents_get_no_less(agents: tuple[int, ...], amount: int) -> None:
    """Z1.10, Z1.11"""
    paid = shares(agents, amount)
    assert sum(paid) <= amount
    ranked = sorted(zip(agents, paid, strict=True))
    assert [share for _, share in ranked] == sorted(paid)
    assert all(share == 0 for count, share in ranked if count == 0)


def test_the_forecast_is_what_production_gives_and_commerce_on_all_six_rolls() -> None:
    """Z4.1"""
    position = table(agents={20: (3, 0, 4), 21: (1, 0, 0)}, zones={20: "P", 21: "C"})
    assert forecast(position) == ([1, 0, 2], [21, 0, 0])
    assert forecast(table(agents={20: (3, 0, 4), 21: (1, 0, 0)}, zones={21: "U"})) == ([0, 0, 0], [0, 0, 0])
    assert see(position, 0).forecast.base == 4


# --- 7 checking for control ----------------------------------------------------------------------------------------


def alone(sectors: Any, seat: int, players: int = 3) -> dict[int, list[int]]:
    """One agent of `seat` in each of `sectors`."""
    return {sector: [int(seat == other) for other in range(players)] for sector in sectors}


def checking(agents: dict[int, list[int]], clout: list[int], nodes: Any = (), **settings: Any) -> Match[Position]:
    return begin(len(clout), "check", agents, clout=clout, zones=dict.fromkeys(nodes, "N"), **settings)


NODES = (0, 1, 2, 3)


def test_exclusive_control_of_all_four_critical_nodes_wins_before_all_else() -> None:
    """Z1.23, Z1.24, Z7.25, Z6.7"""
    match = checking(alone(NODES, 1), [34, 0, 0], NODES)
    assert (match.over, match.at.ending, match.at.winners) == (True, "critical", [1])
    assert heard(match.hear(), Checked) == [Checked([0, 4, 0], [0, 4, 0], [34, 0, 0])]


def test_a_shared_critical_node_is_not_exclusive() -> None:
    """Z2.15, Z7.26, Z6.6"""
    match = checking({**alone(NODES, 1), 2: [0, 1, 1]}, [34, 0, 0], NODES)
    assert (match.at.ending, match.at.winners) == ("clout", [0])


def test_being_the_only_one_on_all_four_may_be_enough() -> None:
    """Z2.15: the option `critical_rule`."""
    mixed = {**alone(NODES, 1), 2: [0, 1, 1]}
    match = checking(mixed, [34, 0, 0], NODES, critical_rule="present")
    assert (match.at.ending, match.at.winners) == ("critical", [1])
    both = {node: [0, 1, 1] for node in NODES}
    assert checking(both, [34, 0, 0], NODES, critical_rule="present").at.ending == "clout"


def test_all_four_nodes_are_four_on_the_board() -> None:
    """Z2.9: with one unsold, nobody can win by them."""
    match = checking(alone((0, 1, 2), 1), [0, 0, 0], (0, 1, 2))
    assert match.at.ending == ""
    assert checking(alone((0, 1, 2), 1), [0, 0, 0], (0, 1, 2), critical_rule="present").at.ending == ""


def test_thirty_three_exclusive_sectors_win_before_clout() -> None:
    """Z1.23, Z2.16, Z7.27"""
    match = checking(alone(range(33), 2), [34, 0, 0])
    assert (match.at.ending, match.at.winners) == ("sectors", [2])
    shared = {**alone(range(33), 2), 5: [1, 0, 1]}
    assert checking(shared, [34, 0, 0]).at.ending == "clout"
    assert checking(shared, [0, 0, 0]).at.ending == ""
    assert checking(alone(range(20), 2), [0, 0, 0], sector_goal=20).at.ending == "sectors"


def test_of_two_who_reach_a_lower_goal_the_one_with_more_sectors_wins() -> None:
    """Z2.16: or with more Critical Nodes, and so on, as in the ranking; the win is shared by equal ones."""
    unequal = {**alone(range(20), 2), **alone(range(20, 41), 0)}
    assert checking(unequal, [0, 0, 0], sector_goal=20).at.winners == [0]
    equal = {**alone(range(20), 2), **alone(range(20, 40), 0)}
    assert checking(equal, [0, 0, 0], sector_goal=20).at.winners == [0, 2]
    assert checking(equal, [0, 0, 1], sector_goal=20).at.winners == [2]


def test_with_twenty_five_clout_the_most_wins_and_agents_do_not_count() -> None:
    """Z1.23, Z2.18, Z7.28"""
    assert checking({0: [0, 99, 0]}, [25, 24, 27]).at.winners == [2]
    assert checking({}, [24, 24, 0]).at.ending == ""
    assert checking({}, [24, 24, 0], clout_goal=24).at.winners == [0, 1]


@pytest.mark.parametrize(
    ("agents", "nodes", "winners"),
    [
        ({5: [0, 1, 0]}, (), [1]),
        ({5: [0, 1, 0], 6: [1, 0, 0]}, (5,), [1]),
        ({5: [0, 1, 0], 6: [2, 0, 0]}, (), [0]),
        ({5: [0, 2, 0], 6: [2, 0, 0]}, (), [0, 1]),
    ],
)
def test_a_tie_for_most_clout_falls_to_sectors_then_nodes_then_agents_or_is_shared(
    agents: dict[int, list[int]], nodes: tuple[int, ...], winners: list[int]
) -> None:
    """Z2.17, Z7.29, Z5.2"""
    match = checking(agents, [27, 27, 0], nodes)
    assert match.at.winners == winners
    ended = heard(match.hear(), Ended)[0]
    assert [seat for seat, rank in enumerate(ended.ranks) if rank == 1] == winners


def test_control_is_exclusive_where_nobody_else_has_agents() -> None:
    """Z2.15, Z6.6, Z2.13: homes count among the sectors."""
    agents = [[0] * 64, [0] * 64]
    for seat, sector in ((0, 9), (0, 20), (1, 20), (1, 54), (1, 55)):
        agents[seat][sector] = 1
    assert exclusive(agents) == [[9], [54, 55]]


# --- 8 relinquishing unspent funds ---------------------------------------------------------------------------------


def storing(agents: dict[int, tuple[int, ...]], clout: list[int], **settings: Any) -> Match[Position]:
    return begin(phase="relinquish", agents=agents, clout=clout, zones=dict.fromkeys(agents, "S"), **settings)


def test_all_unspent_clout_is_lost_save_one_for_each_agent_on_storage() -> None:
    """Z1.25, Z1.29, Z6.8, Z7.24, Z7.28"""
    match = storing({20: (3, 1, 0)}, [4, 4, 4])
    events = all_answer(match)
    assert heard(events, Relinquished) == [Relinquished([3, 1, 0], [1, 3, 4])]
    bare = storing({}, [24, 24, 0])
    assert heard(bare.hear(), Relinquished)[0].lost == [24, 24, 0]


def test_the_leader_of_a_storage_sector_may_forbid_others_to_bank_there() -> None:
    """Z1.26, Z2.23, Z3.10, Z7.23: with a tie at the top nobody may."""
    match = storing({20: (3, 1, 0), 21: (1, 1, 0)}, [4, 4, 4])
    assert set(match.questions) == {0}
    asks = question(match)
    assert isinstance(asks, ToVeto)
    assert asks.bans == [Ban(20, 1)]
    assert asks.default() == Veto([])
    assert refusal(match, Veto([Ban(21, 1)])) == (
        "forbids seat 1 to bank on 21; it can forbid, once each, seat 1 on 20"
    )
    assert refusal(match, Veto([Ban(20, 1)] * 2)).startswith("forbids seat 1")
    events = all_answer(match, p0=Veto([Ban(20, 1)]))
    assert heard(events, Vetoed) == [Vetoed(0, [Ban(20, 1)])]
    assert heard(events, Relinquished)[0].kept == [4, 1, 0]


def test_where_nobody_leads_or_nobody_would_be_hurt_no_veto_is_asked() -> None:
    """Z7.35, Z3.10"""
    assert not isinstance(question(storing({20: (2, 2, 1)}, [4, 4, 4]), 0), ToVeto)
    assert not isinstance(question(storing({20: (3, 1, 0)}, [4, 0, 4]), 0), ToVeto)


def test_a_veto_falls_if_its_author_does_not_lead_any_more() -> None:
    """Z6.8, Z2.19: a Virus may go with the answers."""
    match = storing({20: (3, 1, 0), 21: (0, 3, 1)}, [4, 4, 4], viruses=[0, 1, 0])
    events = all_answer(match, p0=Veto([Ban(20, 1)]), p1=Veto([], uses=[Use("virus", 20)]))
    assert heard(events, Vetoed) == []
    assert heard(events, Relinquished)[0].kept == [0, 3, 1]


def test_clout_given_with_a_veto_is_banked_by_the_receiver() -> None:
    """Z1.7, Z2.20"""
    match = storing({20: (3, 1, 0)}, [1, 4, 4])
    events = all_answer(match, p0=Veto([], gifts=[Gift(to=1, clout=1)]))
    assert heard(events, Relinquished)[0].kept == [0, 1, 0]


# --- the end -------------------------------------------------------------------------------------------------------


def test_the_winner_is_first_and_the_others_follow_by_sectors_nodes_clout_and_agents() -> None:
    """Z5.1, Z5.2, Z5.3, Z5.4, Z5.5: phase 8 is not played in the last turn."""
    match = checking({**alone((0, 1), 0, 4), 5: [0, 1, 0, 0], 6: [0, 0, 1, 0]}, [0, 30, 3, 4], (6,))
    assert match.over
    assert SHANGZHOU.scores(match.at) == [2, 101, 1, 0]
    events = match.hear()
    assert not heard(events, Relinquished)
    assert heard(events, Ended) == [Ended("clout", [1], [2, 101, 1, 0], [2, 1, 3, 4])]


def test_equal_tuples_share_a_place() -> None:
    """Z5.2"""
    position = table(4, agents={5: (1, 0, 0, 0), 6: (0, 1, 0, 0), 7: (1, 1, 0, 0), 8: (0, 0, 3, 1)}, clout=[1, 1, 2, 2])
    assert SHANGZHOU.ranking is not None
    assert places_by_score(SHANGZHOU.ranking(position)) == [1, 1, 3, 4]
    position.clout[0] = 0
    assert places_by_score(SHANGZHOU.ranking(position)) == [2, 1, 3, 4]


def test_at_the_cap_everybody_is_ranked_and_nobody_has_won() -> None:
    """Z5.6, Z2.24: after phase 8 of the last turn."""
    match = begin(phase="check", agents={5: [1, 0, 0]}, clout=[3, 0, 0], max_turns=1)
    events = defaults(match)
    assert heard(events, Relinquished)
    assert heard(events, Ended) == [Ended("cap", [], [1, 0, 0], [1, 2, 2])]
    assert match.at.turn == 1


def test_the_default_cap_is_twenty_turns_of_tiles_and_half_as_many_again() -> None:
    """Z2.24"""
    assert Options().max_turns == 30
    assert len(HOMES) == 4
