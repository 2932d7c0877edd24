"""Kaiju Incorporated clause by clause, in the order of the rulebook: components, setup, the turn, income."""

from collections import Counter

import pytest

from engine.games.kaiju import (
    BUILDING,
    COMPANY,
    COST,
    HANDBAGS,
    KAIJU,
    PRODUCT,
    SPECIAL,
    SUIT,
    THREAT,
    Attacked,
    Build,
    Built,
    Income,
    Options,
    Paid,
    ProductTaken,
    Rebuild,
    Take,
    Threatened,
    ToTake,
    ToTurn,
)
from engine.games.kaiju.income import turned
from engine.games.kaiju.pieces import BUILDINGS, CITIES, DECK, START_CARDS, START_PLAYER_CARDS, SUITS, TRACK_CARDS
from engine.records import RecordError
from tests.games.answering import answer, heard, refusal, seat_to_answer
from tests.games.kaiju_tables import begin, carmen_and_david, player, state

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])


# --- components ----------------------------------------------------------------------------------------------------


@PLAYERS
def test_two_to_five_can_play(players: int) -> None:
    """K1.1"""
    assert len(KAIJU.start(Options(players), "deal").at.players) == players


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 1}, "options.players must be 2 to 5, not 1"),
        ({"players": 6}, "options.players must be 2 to 5, not 6"),
        ({"start_player": 4}, 'options.start_player must be "random" or a seat from 0 to 3, not 4'),
        ({"max_turns": 0}, "options.max_turns must be 1 to 200, not 0"),
        ({"max_turns": 201}, "options.max_turns must be 1 to 200, not 201"),
        (
            {"players": 2, "companies": ["C1", "C1"]},
            "options.companies must be \"random\" or 2 different ones of C1, C2, C3, C4, C5, not ['C1', 'C1']",
        ),
    ],
)
def test_options_out_of_range_are_refused_with_the_range(options: dict[str, object], reason: str) -> None:
    """K1.1, K1.3, K2.22"""
    with pytest.raises(RecordError) as refused:
        KAIJU.read_options(options)
    assert str(refused.value) == reason


def test_there_are_117_cards() -> None:
    """K1.2, K2.1"""
    kinds = (COMPANY, START_CARDS, BUILDINGS, SPECIAL, PRODUCT, THREAT)
    assert [len(kind) for kind in kinds] == [5, 15, 45, 12, 22, 12]
    assert sum(map(len, kinds)) + TRACK_CARDS + START_PLAYER_CARDS == 117


def test_a_building_has_a_suit_a_timing_a_city_a_cost_and_an_income() -> None:
    """K1.46, K2.1: 3 of each suit and city; in each such trio both timings."""
    assert Counter((card.suit, card.city) for card in BUILDINGS) == {
        (suit, city): 3 for suit in SUITS for city in CITIES
    }
    assert len({(card.suit, card.city, card.timing) for card in BUILDINGS}) == 30
    assert Counter(card.suit + card.timing for card in BUILDINGS) == {
        "CY": 8,
        "CR": 7,
        "IY": 7,
        "IR": 8,
        "TY": 8,
        "TR": 7,
    }
    assert Counter(sum(card.cost for card in BUILDINGS if card.city == city) for city in CITIES) == {55: 5}
    assert max(COST.values()) == 10


def test_special_actions_have_suits_but_no_city_and_no_timing() -> None:
    """K2.2: so any card of the row can be discarded for income."""
    assert Counter(SUIT[card] for card in SPECIAL) == {"C": 4, "I": 4, "T": 4}
    assert not BUILDING.keys() & SPECIAL.keys()
    match = begin(player("H01", bank=0), player(), player(), row=["S03", "S05", "S12", "B01"])
    answer(match, Income("S03"))
    assert match.at.players[0].bank == 2
    assert match.at.discard == ["S03"]


def test_each_company_has_a_city_of_its_own() -> None:
    """K2.3"""
    assert [company.city for company in COMPANY.values()] == list(CITIES)


# --- setup ---------------------------------------------------------------------------------------------------------


@PLAYERS
def test_each_player_has_a_company_and_the_start_cards_of_its_city(players: int) -> None:
    """K1.3, K1.4, K2.4, K7.6: on the wheels' first spaces, with 5¥."""
    position = KAIJU.start(Options(players), "deal").at
    assert len({me.company for me in position.players}) == players
    for me in position.players:
        assert (me.bank, me.research, me.kaiju, me.products) == (5, 0, 0, [])
        cards = [BUILDING[card] for card in me.tableau]
        assert {card.city for card in cards} == {COMPANY[me.company].city}
        assert [(card.name, card.suit + card.timing, card.money, card.research, card.kaiju) for card in cards] == [
            *(("Home Office", "CY", 2, 0, 0), ("Old Works", "IY", 2, 1, 1), ("Service Desk", "TR", 1, 0, 0))
        ]


def test_companies_are_drawn_or_named_and_the_decks_stay_the_same() -> None:
    """K1.3, K1.11, K2.20, K3.1"""
    starts = [KAIJU.start(Options(3), str(seed)).at for seed in range(60)]
    assert {position.start_player for position in starts} == {0, 1, 2}
    assert {position.players[0].company for position in starts} == set(COMPANY)
    drawn, named = (KAIJU.start(options, "s").at for options in (Options(3), Options(3, 1, ("C5", "C2", "C4"))))
    assert [me.company for me in named.players] == ["C5", "C2", "C4"]
    assert (named.start_player, named.first_start) == (1, 1)
    for name in ("deck", "row", "display", "product_deck", "threat", "kaiju_deck"):
        assert getattr(drawn, name) == getattr(named, name)


def test_the_wheels_have_five_and_six_spaces() -> None:
    """K1.5, K1.6"""
    assert [turned(0, steps, 5)[0] for steps in range(6)] == [0, 1, 2, 3, 4, 0]
    assert [turned(0, steps, 6)[0] for steps in range(7)] == [0, 1, 2, 3, 4, 5, 0]


@pytest.mark.parametrize(("players", "row", "deck"), [(2, 5, 51), (3, 4, 53), (4, 5, 52), (5, 6, 51)])
def test_decks_and_row_at_the_start(players: int, row: int, deck: int) -> None:
    """K1.8, K1.9, K1.10, K1.12, K1.40, K7.6: a sixth card with two players; Handbags at the bottom, 3 products up."""
    position = KAIJU.start(Options(players), "deal").at
    assert (len(position.row), len(position.deck), bool(position.sixth)) == (row, deck, players == 2)
    assert sorted([*position.row, *position.deck, *[position.sixth] * (players == 2)]) == sorted(DECK)
    assert (len(position.display), len(position.product_deck), len(position.kaiju_deck)) == (3, 19, 11)
    assert sorted(position.product_deck[-5:]) == list(HANDBAGS)
    assert not set(HANDBAGS) & {*position.display, *position.product_deck[:-5]}
    assert sorted([position.threat, *position.kaiju_deck]) == sorted(THREAT)


# --- a turn --------------------------------------------------------------------------------------------------------


def test_what_costs_more_than_the_bank_holds_cannot_be_bought() -> None:
    """K1.16, K1.18, K3.4, K7.1: and income is of the suits in the row."""
    match = carmen_and_david()
    assert match.questions == {2: ToTurn(["B22", "B20", "B31"], [], [], 4)}
    assert refusal(match, Build("B31")) == "builds B31 for 5¥; the bank holds 4¥"
    assert refusal(match, Income("B03")) == "takes income with 'B03'; to choose from: B22, B20, B31"
    assert refusal(match, Rebuild("B22")) == "rebuilds with 'B22'; to choose from: nothing"
    assert refusal(match, Rebuild("nothing")) == "rebuilds with 'nothing'; to choose from: nothing"
    assert refusal(match, Take("B22")) == "answers Take; build, income or rebuild"


def test_income_pays_your_turn_buildings_and_an_attack_takes_what_it_asks_for() -> None:
    """K1.17, K1.19, K1.22, K1.27, K1.28, K2.8, K3.6, K7.2: one's own Rival's Turn Buildings pay nothing."""
    match = carmen_and_david()
    answer(match, Income("B20"))
    assert state(match, 2) == (6, 3, 0)
    assert match.at.players[2].tableau == ["H07", "B03", "H08", "B23"]
    assert match.at.discard == ["B20", "B09"]


def test_the_others_collect_and_suffer_the_same_card() -> None:
    """K1.17, K1.24, K1.25, K1.26, K2.5, K3.5, K7.3: what finds no such Building costs nothing."""
    match = carmen_and_david()
    events = answer(match, Income("B20"))
    assert match.questions == {3: ToTake(["N01", "N02", "N03"], 1)}
    events += answer(match, Take("N02"))
    assert state(match, 3) == (6, 1, 1)
    assert heard(events, Attacked) == [Attacked(2, "K02", "B09"), Attacked(3, "K02")]
    assert match.at.players[3].products == ["N02"]
    assert match.at.display == ["N01", "N03", "N04"]


def test_after_the_income_the_card_that_struck_is_replaced_once() -> None:
    """K1.25, K7.4"""
    match = carmen_and_david()
    events = answer(match, Income("B20"), Take("N02"))
    assert heard(events, Threatened) == [Threatened("K02", "K01")]
    assert match.at.kaiju_discard == ["K02"]
    assert not match.at.struck


def test_building_costs_and_the_turn_ends_when_all_have_gone() -> None:
    """K1.13, K1.14, K1.32, K7.5: the last card is discarded, the start player card passes clockwise."""
    match = carmen_and_david()
    events = answer(match, Income("B20"), Take("N02"), Build("B22"))
    assert Built(3, "B22", 6, 0) in events
    assert match.at.players[3].tableau[-1] == "B22"
    assert match.at.discard[-1] == "B31"
    assert (match.at.turn, match.at.start_player, seat_to_answer(match)) == (2, 1, 1)


def test_players_go_clockwise_from_the_start_player_with_a_card_each() -> None:
    """K1.12, K1.13, K3.2"""
    match = KAIJU.start(Options(4, 2), "deal")
    order = []
    for left in (5, 4, 3, 2):
        order.append(seat_to_answer(match))
        assert len(match.at.row) == left
        answer(match, Income(match.at.row[0]))
    assert order == [2, 3, 0, 1]
    assert match.at.turn == 2


def test_there_is_no_passing_even_where_income_is_nothing() -> None:
    """K1.29, K7.12, K7.13: own Rival's Turn Buildings do not pay; and nothing is not refused."""
    match = begin(player("B24", bank=0), player(), player(), row=["B16", "B01", "B31", "B33"])
    events = answer(match, Income("B16"))
    assert heard(events, Paid) == []
    match = begin(player("H01", bank=0), player(), player(), row=["B31", "B33"])
    assert match.questions == {0: ToTurn(["B31", "B33"], [], [], 0)}
    answer(match, Income("B33"))
    assert state(match, 0) == (0, 0, 0)


def test_who_can_build_may_take_income() -> None:
    """K1.30, K2.18, K3.4: card and action are one decision; the default is income with the leftmost card."""
    match = begin(player("H01", bank=11), player(), player(), row=["B01", "B02", "B31", "S01"])
    question = match.questions[0]
    assert question == ToTurn(["B01", "B02", "B31", "S01"], ["B01", "B02", "B31", "S01"], [], 11)
    assert question.default() == Income("B01")


def test_money_above_11_is_lost() -> None:
    """K1.7, K1.20, K7.10"""
    match = begin(player("B05", bank=9), player(), player(), row=["B01", "B31"])
    answer(match, Income("B01"))
    assert match.at.players[0].bank == 11


@pytest.mark.parametrize(
    ("space", "steps", "stops", "laps"), [(3, 1, 4, 0), (4, 1, 0, 1), (4, 2, 1, 1), (4, 6, 0, 2), (0, 10, 0, 2)]
)
def test_each_time_research_reaches_or_passes_eureka_counts(space: int, steps: int, stops: int, laps: int) -> None:
    """K1.21, K6.1, K7.9"""
    assert turned(space, steps, 5) == (stops, laps)


@pytest.mark.parametrize(
    ("space", "steps", "stops", "attacks"),
    [
        *((5, 1, 0, 1), (5, 2, 1, 1), (0, 5, 5, 0), (0, 6, 0, 1), (4, 8, 0, 2)),
        *((0, -1, 5, 1), (1, -1, 0, 0), (2, -3, 5, 1), (0, -7, 5, 2)),
    ],
)
def test_each_time_the_kaiju_line_is_crossed_either_way_counts(
    space: int, steps: int, stops: int, attacks: int
) -> None:
    """K1.22, K1.23, K2.6, K2.7, K6.1, K7.7, K7.8"""
    assert turned(space, steps, 6) == (stops, attacks)


@pytest.mark.parametrize(("backwards", "space", "attacks"), [("attack", 5, 1), ("stop", 0, 0)])
def test_a_marker_moved_back_over_its_start_attacks_or_stops_there(backwards: str, space: int, attacks: int) -> None:
    """K1.23, K2.6, K7.8"""
    match = begin(player("B36"), player(), player(), row=["B31", "B32"], kaiju_backwards=backwards)
    events = answer(match, Income("B31"))
    assert match.at.players[0].kaiju == space
    assert heard(events, Attacked) == [Attacked(0, "K07", money=4)] * attacks


def test_points_are_summed_before_the_marker_moves_once() -> None:
    """K2.6, K6.2: 1 from one Building and -1 from another are no move."""
    match = begin(player("B33", "B38"), player(), player(), row=["B31", "B32"])
    events = answer(match, Income("B31"))
    assert [(event.kaiju, event.kaiju_at, event.attacks) for event in heard(events, Paid)] == [(0, 0, 0)]


def test_research_brings_a_product_for_each_lap_and_the_display_is_refilled_between() -> None:
    """K1.21, K2.7, K3.5, K7.34"""
    match = begin(player("B35", "B37", research=4), player(), player(), row=["B31", "B32"])
    answer(match, Income("B31"))
    assert match.questions == {0: ToTake(["N01", "N02", "N03"], 2)}
    events = answer(match, Take("N01"))
    assert match.questions == {0: ToTake(["N02", "N03", "N04"], 1)}
    events += answer(match, Take("N04"))
    assert heard(events, ProductTaken) == [ProductTaken(0, "N01", "N04"), ProductTaken(0, "N04", "N05")]
    assert match.at.players[0].research == 0


def test_money_comes_before_products_and_products_before_attacks() -> None:
    """K2.5: and one player is done before the next."""
    match = begin(player("B37", "B45", bank=0, research=4, kaiju=5), player("B45"), player(), row=["B31", "B32"])
    answer(match, Income("B31"))
    assert state(match, 0) == (1, 2, 1)
    assert match.at.gains[0].seat == 1
    assert match.at.players[1].bank == 5
    events = answer(match, Take("N01"))
    assert [type(event) for event in events[:3]] == [ProductTaken, Attacked, Paid]


def test_of_one_product_or_none_there_is_no_choice() -> None:
    """K2.12: with the deck empty the display shrinks, and then a lap brings nothing."""
    fields = {"display": ["N05"], "product_deck": []}
    match = begin(player("B35", "B37", research=4), player(), player(), row=["B31", "B32"], **fields)
    events = answer(match, Income("B31"))
    assert heard(events, ProductTaken) == [ProductTaken(0, "N05", "")]
    assert (match.at.display, match.at.players[0].research, seat_to_answer(match)) == ([], 0, 1)


def test_all_attacked_in_one_income_lose_to_the_same_card() -> None:
    """K1.25, K7.11"""
    seats = (player(card, bank=8, kaiju=5) for card in ("H02", "B24", "B23"))
    match = begin(*seats, row=["B16", "B01"])
    events = answer(match, Income("B16"))
    assert [me.bank for me in match.at.players] == [6, 5, 9]
    assert len(heard(events, Threatened)) == 1


def test_two_laps_are_two_attacks_of_the_same_card() -> None:
    """K2.7, K7.22"""
    match = begin(player("B21", "B20", "B17", bank=0, kaiju=5), player(), player(), row=["B16", "B01"])
    events = answer(match, Income("B16"))
    assert (match.at.players[0].bank, match.at.players[0].kaiju) == (1, 0)
    assert heard(events, Attacked) == [Attacked(0, "K07", money=4)] * 2
    assert len(heard(events, Threatened)) == 1
