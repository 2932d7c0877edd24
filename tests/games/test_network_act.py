"""Network clause by clause: acting for a company, leases, payouts and upkeep."""

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Match
from engine.dice import Dice
from engine.games.network import (
    NETWORK,
    Act,
    Build,
    Built,
    Hex,
    Options,
    PaidOut,
    Pass,
    Position,
    Route,
    Site,
    Stop,
    ToBuild,
    ToTurn,
    UpkeepPaid,
    sites,
)
from tests import thorough
from tests.games.answering import refusal, seat_to_answer
from tests.games.network_tables import Built as Map
from tests.games.network_tables import act, answer, begin, shares, table

RICH = 200


def offered(match: Match[Position], company: int) -> dict[Hex, Site]:
    question = match.questions[seat_to_answer(match)]
    assert isinstance(question, ToTurn | ToBuild)
    return {site.hex: site for site in question.sites if site.company == company}


# --- expanding -----------------------------------------------------------------------------------------------------


def test_at_first_a_company_can_build_one_hex_of_value_1_beside_the_start() -> None:
    """N-F3, N-F6, N-F25, N-O7, N-T1"""
    offers = offered(begin(3), 0)
    assert set(offers) == {(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)}
    assert {(site.most, len(site.routes), site.kind) for site in offers.values()} == {(1, 0, "standard")}


def test_a_hex_costs_5_dollars_for_each_chip_and_raises_the_share_value() -> None:
    """N-F3, N-F5, N-F20, N-F22, N-F32, N-S4, N-T2: the money goes to the bank; then upkeep."""
    match = begin(3)
    events = answer(match, act(0, 1, 0))
    position = match.at
    assert (position.treasury[0], position.share_value[0], position.cash[0]) == (4, 6, 21)
    assert Built(0, 0, (1, 0), 1, 5, 0, []) in events
    assert events[-1] == UpkeepPaid(0, 4, 0, 6)
    assert seat_to_answer(match) == 1


def test_who_controls_no_share_of_a_company_cannot_act_for_it() -> None:
    """N-F21, N-T23: one unauctioned share is enough, and of any company one auctioned share."""
    assert {site.company for site in sites_asked(begin(3))} == {0}
    assert {site.company for site in sites_asked(begin(3, owned=shares(3, p0=(1, 0, 1), p1=(0, 1, 0))))} == {0, 2}
    nothing_auctioned = begin(2, owned=shares(2, p1=(1, 1)), unauctioned=[1, 4], pool=[3, 0])
    assert {site.company for site in sites_asked(nothing_auctioned)} == {0}
    assert refusal(begin(3), act(1, 1, 0)) == "acting for company 1, builds on [1, 0], which is none of the sites"


def sites_asked(match: Match[Position]) -> Sequence[Site]:
    question = match.questions[seat_to_answer(match)]
    assert isinstance(question, ToTurn)
    return question.sites


def test_the_treasury_pays_or_it_is_not_done() -> None:
    """N-F21, N-F22: and nobody's cash helps."""
    match = begin(3, owned=shares(3, p0=(5, 0, 0)), treasury=[14, 5, 5])
    assert {site.most for site in offered(match, 0).values()} == {2}
    assert refusal(match, act(0, 1, 0, 3)).endswith("builds on [1, 0] with value 3; there it is 1 to 2")
    assert offered(begin(3, treasury=[4, 5, 5]), 0) == {}


@pytest.mark.parametrize(
    ("values", "legal"), [((2, 1), True), ((2, 2), False), ((3,), True), ((4,), False), ((1, 1, 1), True)]
)
def test_no_more_value_is_built_in_a_turn_than_shares_were_auctioned(values: tuple[int, ...], legal: bool) -> None:
    """N-F25, N-T9"""
    match = begin(3, owned=shares(3, p0=(3, 0, 0)), treasury=[RICH, 5, 5])
    hexes = [(1, 0), (0, 1), (-1, 1)]
    *before, last = [
        Build(where, value) if n else Act(0, where, value)
        for n, (where, value) in enumerate(zip(hexes, values, strict=False))
    ]
    answer(match, *before)
    question = match.questions[seat_to_answer(match)]
    assert (question.error(last) is None) is legal


def test_a_company_may_go_on_building_until_its_limit_or_stop() -> None:
    """N-F22, N-S4, N-D2, N-O12: the hex just built is part of the network."""
    match = begin(3, owned=shares(3, p0=(4, 0, 0)), treasury=[RICH, 5, 5])
    answer(match, act(0, 1, 0))
    assert (2, 0) in offered(match, 0)
    answer(match, Build((2, 0), 1))
    assert seat_to_answer(match) == 0
    answer(match, Stop())
    assert (seat_to_answer(match), match.at.share_value[0]) == (1, 7)


def test_at_the_limit_or_without_money_nothing_more_is_asked() -> None:
    """N-D2"""
    at_limit = begin(3, owned=shares(3, p0=(2, 0, 0)), treasury=[RICH, 5, 5])
    answer(at_limit, act(0, 1, 0, 2))
    poor = begin(3, owned=shares(3, p0=(4, 0, 0)), treasury=[9, 5, 5])
    answer(poor, act(0, 1, 0))
    assert seat_to_answer(at_limit) == seat_to_answer(poor) == 1


def test_only_free_hexes_are_built_on_and_never_mountains() -> None:
    """N-F4, N-F24, N-F26, N-T8: neither one's own again nor another's."""
    match = begin(2, built={(1, 0): (0, 1), (0, 1): (1, 1)}, treasury=[RICH, 5])
    for taken in ((1, 0), (0, 1), (1, 1), (0, 0)):
        assert "none of the sites" in refusal(match, act(0, *taken))


def test_all_that_is_built_in_a_turn_is_of_one_kind() -> None:
    """N-F27, N-T10"""
    match = begin(3, built={(1, 0): (0, 1), (2, 0): (0, 1)}, owned=shares(3, p0=(4, 0, 0)), treasury=[RICH, 5, 5])
    answer(match, act(0, 0, 1))
    assert {site.kind for site in offered(match, 0).values()} == {"standard"}
    assert "none of the sites" in refusal(match, Build((3, 0), 1))


def test_after_a_city_only_cities_are_offered() -> None:
    """N-F27, N-T4"""
    match = begin(3, built={(1, 0): (0, 1), (2, 0): (0, 1)}, owned=shares(3, p0=(4, 0, 0)), treasury=[30, 5, 5])
    assert offered(match, 0)[3, 0].most == 4
    answer(match, act(0, 3, 0, 1))
    assert seat_to_answer(match) == 1  # there is no other city in reach


def test_to_act_is_to_build() -> None:
    """N-O9: who can build nothing cannot act, and the first build is part of the answer."""
    match = begin(2, treasury=[4, 4])
    question = match.questions[0]
    assert isinstance(question, ToTurn)
    assert question.sites == []
    assert question.error(act(0, 1, 0)) is not None


# --- payouts -------------------------------------------------------------------------------------------------------


def test_a_city_pays_its_value_for_each_owned_share() -> None:
    """N-F23, N-O8, N-T3: from the bank, to the owners of auctioned shares alone."""
    owned = shares(3, p0=(0, 4, 0))
    built: Map = {(1, 0): (1, 1), (2, 0): (1, 1)}
    match = begin(3, built, owned=owned, treasury=[5, 30, 5], unauctioned=[0, 1, 4], pool=[1, 0, 0])
    events = answer(match, act(1, 3, 0, 2))
    position = match.at
    assert (position.treasury[1], position.share_value[1], position.cash) == (20, 9, [33, 25, 25])
    assert PaidOut("city", 1, 2, [8, 0, 0]) in events


def leasing() -> Match[Position]:
    """Seat 0 owns 1 share of company 0, 2 of green (1) and 1 of yellow (2), which lie on the way to (3, 0)."""
    owned = shares(3, p0=(1, 2, 1), p1=(3, 1, 0), p2=(0, 0, 1))
    built: Map = {(1, 0): (1, 2), (2, 0): (2, 3)}
    return begin(3, built, owned=owned, treasury=[40, 5, 5], unauctioned=[0, 0, 0])


def test_a_lease_costs_the_value_of_the_hexes_and_pays_their_owners_for_each_share() -> None:
    """N-F28, N-F30, N-F31, N-O8, N-T5: the company pays the bank, the bank the owners; then the city."""
    match = leasing()
    assert offered(match, 0)[3, 0] == Site(0, (3, 0), "city", 4, [Route([(1, 0), (2, 0)], 5, {"1": 2, "2": 3})])
    events = answer(match, act(0, 3, 0, 3))
    position = match.at
    assert (position.treasury[0], position.cash) == (20, [25 + 7 + 3, 25 + 2 + 9, 25 + 3])
    assert [event for event in events if isinstance(event, PaidOut)] == [
        PaidOut("lease", 1, 2, [4, 2, 0]),
        PaidOut("lease", 2, 3, [3, 0, 3]),
        PaidOut("city", 0, 3, [3, 9, 0]),
    ]
    assert Built(0, 0, (3, 0), 3, 15, 5, [(1, 0), (2, 0)]) in events


def test_a_lease_and_a_build_are_paid_together_or_not_made() -> None:
    """N-F30: what is left after the lease must buy a chip."""
    match = leasing()
    match.at.treasury[0] = 9
    assert (3, 0) not in offered(Match(match.rules, match.at), 0)
    match.at.treasury[0] = 14
    again = Match(match.rules, match.at)
    assert offered(again, 0)[3, 0].most == 1
    assert refusal(again, act(0, 3, 0, 2)).endswith("with value 2; there it is 1 to 1")


# --- leases --------------------------------------------------------------------------------------------------------


def test_what_is_accessible_is_not_leased_to() -> None:
    """N-F29, N-O11, N-T6: the start belongs to all, so nobody pays for it."""
    match = begin(2, {(1, 0): (1, 1)}, owned=shares(2, p0=(2, 0), p1=(0, 1)), treasury=[40, 5])
    assert offered(match, 0)[0, 1].routes == []
    assert offered(match, 0)[2, 0].routes == [Route([(1, 0)], 1, {"1": 1})]


def test_of_equally_short_routes_the_acting_player_chooses() -> None:
    """N-F29, N-O10, N-T7, N-A2: the cheapest comes first and is taken unless another is named."""
    built: Map = {(1, 0): (0, 1), (0, 1): (0, 1), (0, 2): (0, 1), (2, 0): (1, 2), (1, 2): (2, 1)}
    match = begin(3, built, map="large", owned=shares(3, p0=(1, 0, 0), p1=(0, 1, 1)), treasury=[40, 5, 5])
    assert offered(match, 0)[2, 1].routes == [Route([(1, 2)], 1, {"2": 1}), Route([(2, 0)], 2, {"1": 2})]
    other = match.copy()
    answer(match, act(0, 2, 1))
    answer(other, act(0, 2, 1, 1, 1))
    assert (match.at.treasury[0], other.at.treasury[0]) == (40 - 5 - 1 + 4, 40 - 5 - 2 + 4)
    assert refusal(begin(3, built, map="large", treasury=[40, 5, 5]), act(0, 2, 1, 1, 2)) == (
        "acting for company 0, builds on [2, 1] over route 2; its routes are 0 to 1"
    )


def test_a_dearer_route_must_be_affordable_too() -> None:
    """N-F30, N-O10"""
    built: Map = {(1, 0): (0, 1), (0, 1): (0, 1), (0, 2): (0, 1), (2, 0): (1, 2), (1, 2): (2, 1)}
    match = begin(3, built, map="large", owned=shares(3, p0=(2, 0, 0)), treasury=[11, 5, 5])
    assert offered(match, 0)[2, 1].most == 2
    assert refusal(match, act(0, 2, 1, 2, 1)).endswith(
        "for 2 for the lease and 10 for the chips; the treasury holds 11"
    )


def test_a_lease_is_paid_for_each_build() -> None:
    """N-O12"""
    built: Map = {(1, 0): (1, 1), (2, 0): (1, 1)}
    match = begin(3, built, owned=shares(3, p0=(3, 0, 0), p1=(0, 3, 0)), treasury=[60, 5, 5])
    events = answer(match, act(0, 1, -1), Build((3, -1), 1), Stop())
    leases = [(event.hex, event.lease) for event in events if isinstance(event, Built)]
    assert leases == [((1, -1), 0), ((3, -1), 2)]


def shortest_routes(position: Position, company: int) -> Iterator[tuple[Hex, list[tuple[Hex, ...]]]]:
    """The rulebook's words, slowly: of each free hex, all shortest chains of others' hexes that lead to it."""
    hexes = position.board.hexes
    mine = {number for number, owner in enumerate(position.owner) if owner == company} | {position.board.start}
    leased = {number for number, owner in enumerate(position.owner) if owner >= 0} - mine
    free = [number for number, owner in enumerate(position.owner) if owner < 0 and number != position.board.start]
    for goal in (number for number in free if position.board.kinds[number] != "mountain"):
        chains: list[tuple[int, ...]] = [()]
        while chains and not (routes := [chain for chain in chains if joins(position, mine, chain, goal)]):
            longer = [(*chain, more) for chain, more in product(chains, leased) if more not in chain]
            chains = [chain for chain in longer if joins(position, mine, chain[:-1], chain[-1])]
        if chains:
            yield hexes[goal], [tuple(hexes[number] for number in chain) for chain in routes]


def joins(position: Position, mine: set[int], chain: tuple[int, ...], goal: int) -> bool:
    """Whether `goal` lies beside the end of the chain, or beside the network where there is no chain yet."""
    return any(goal in position.board.open[number] for number in (chain[-1:] or mine))


@st.composite
def boards(draw: st.DrawFn) -> Position:
    """A small map on which up to eleven hexes are owned, by companies wherever they like."""
    position = table(3, treasury=[10_000] * 3, owned=[[5, 0, 0], [0, 5, 0], [0, 0, 5]])
    sites_there = [number for number, kind in enumerate(position.board.kinds) if kind in ("standard", "city")]
    for number in draw(st.lists(st.sampled_from(sites_there), max_size=11, unique=True)):
        position.owner[number], position.value[number] = draw(st.integers(0, 2)), draw(st.integers(1, 5))
    return position


@settings(max_examples=thorough.budget(20, full=300), deadline=None)
@given(boards())
def test_leases_are_those_of_full_enumeration(position: Position) -> None:
    """N-F28, N-F29, N-A1, N-A2: same goals, same lengths, same sums of dues, and the cheapest first."""
    value = {
        position.board.hexes[number]: (str(position.owner[number]), worth)
        for number, worth in enumerate(position.value)
        if worth
    }
    routes_by_hex = {site.hex: site.routes for site in sites(position, 0, 5)}
    expected = dict(shortest_routes(position, 0))
    assert routes_by_hex.keys() == expected.keys()
    for goal, chains in expected.items():
        dues = {tuple(sorted(sum_of(value, chain).items())) for chain in chains if chain}
        assert {tuple(sorted(route.pays.items())) for route in routes_by_hex[goal]} == dues
        assert [route.cost for route in routes_by_hex[goal]] == sorted(route.cost for route in routes_by_hex[goal])
        assert all(
            tuple(route.path) in chains and sum(route.pays.values()) == route.cost for route in routes_by_hex[goal]
        )


def sum_of(value: dict[Hex, tuple[str, int]], chain: tuple[Hex, ...]) -> dict[str, int]:
    dues: dict[str, int] = {}
    for where in chain:
        owner, worth = value[where]
        dues[owner] = dues.get(owner, 0) + worth
    return dues


# --- upkeep --------------------------------------------------------------------------------------------------------


def test_upkeep_is_a_dollar_for_each_unauctioned_share_to_its_company() -> None:
    """N-F32, N-T19: whichever company was acted for."""
    match = begin(3, owned=shares(3, p0=(1, 1, 0)), cash=[4, 25, 25])
    answer(match, act(1, 1, 0))
    assert (match.at.cash[0], match.at.treasury[:2]) == (0, [5 + 4, 0])


def test_who_cannot_pay_gives_shares_to_the_pool_and_the_bank_pays_for_them() -> None:
    """N-F33, N-O13, N-O14, N-T18: at the share value after the builds, until the rest can be paid."""
    match = begin(2, {(1, 0): (0, 1)}, cash=[2, 25], treasury=[5, 5])
    events = answer(match, act(0, 0, 1))
    position = match.at
    assert (position.cash[0], position.treasury[0], position.unauctioned[0], position.pool[0]) == (0, 2 * 7 + 2, 2, 2)
    assert UpkeepPaid(0, 2, 2, 7) in events


def test_neither_a_pass_nor_an_auction_costs_upkeep() -> None:
    """N-F20, N-F32"""
    match = begin(2)
    answer(match, Pass())
    assert match.at.cash == [25, 25]


def test_dollars_are_whole_and_chips_without_number() -> None:
    """N-O6, N-O16"""
    match = NETWORK.start(Options(6, "generated"), "whole")
    dice = Dice.of("whole")
    while not match.over:
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
    assert all(type(amount) is int for amount in (*match.at.cash, *match.at.treasury, *match.at.value))
