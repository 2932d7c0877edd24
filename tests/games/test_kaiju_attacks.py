"""Kaiju Incorporated clause by clause: the Kaiju Attack cards, the Special Case, decks, two players."""

from typing import Any

import pytest

from engine.core import Match
from engine.dice import Dice
from engine.games.kaiju import (
    KAIJU,
    THREAT,
    Attacked,
    Income,
    IncomeBegun,
    Options,
    Paid,
    Position,
    Rebuild,
    Rebuilt,
    Sacrifice,
    Threatened,
    ToSacrifice,
    ToTake,
    ToTurn,
    TurnBegun,
    income_of,
)
from engine.games.kaiju.pieces import DECK
from tests.games.answering import answer, heard, refusal, seat_to_answer
from tests.games.kaiju_tables import begin, carmen_and_david, player, state, table

# --- the Kaiju Attack cards ----------------------------------------------------------------------------------------


def struck(kaiju: str, *tableau: str, **fields: Any) -> Match[Position]:
    """Return a match after an attack of `kaiju` on seat 0, which takes income that moves its marker on."""
    match = begin(player(*tableau, "B36", kaiju=0, **fields), player(), player(), row=["B31", "B32"], threat=kaiju)
    answer(match, Income("B31"))
    return match


@pytest.mark.parametrize(
    ("kaiju", "takes"), [("K01", "B01"), ("K02", "B09"), ("K03", "B16"), ("K04", "B23"), ("K05", "B36"), ("K06", "B39")]
)
def test_six_kaiju_take_a_building_of_one_suit_and_timing(kaiju: str, takes: str) -> None:
    """K1.28, K6.3"""
    match = struck(kaiju, "B01", "B09", "B16", "B23", "B39")
    assert [card for card in ("B01", "B09", "B16", "B23", "B39", "B36") if card not in match.at.players[0].tableau] == [
        takes
    ]


def test_the_victim_chooses_among_those_that_fit() -> None:
    """K2.8, K3.6: the default is the cheapest, then the leftmost."""
    match = struck("K01", "B03", "B01", "B05")
    assert match.questions == {0: ToSacrifice("K01", ["B03", "B01", "B05"])}
    assert match.questions[0].default() == Sacrifice("B01")
    assert ToSacrifice("K01", ["B05", "B03"]).default() == Sacrifice("B05")
    assert refusal(match, Sacrifice("B36")) == "loses 'B36'; to choose from: B03, B01, B05"
    answer(match, Sacrifice("B05"))
    assert match.at.players[0].tableau == ["B03", "B01", "B36"]


def test_a_lost_start_card_leaves_the_game() -> None:
    """K2.4, K6.4, K7.19: Snobra finds all three alike."""
    match = begin(player("H01", "H02", "H03", kaiju=5), player(), player(), row=["B16", "B01"], threat="K10")
    answer(match, Income("B16"))
    assert match.questions == {0: ToSacrifice("K10", ["H01", "H02", "H03"])}
    answer(match, Sacrifice("H03"))
    assert match.at.players[0].tableau == ["H01", "H02"]
    assert match.at.discard == ["B16"]


def test_snobra_takes_one_of_the_dearest() -> None:
    """K6.3, K7.19"""
    match = struck("K10", "H01", "B20", "B25", "B03")
    assert match.questions == {0: ToSacrifice("K10", ["B20", "B25"])}


def test_touristor_takes_a_building_abroad_and_homewrecka_one_at_home() -> None:
    """K6.3, K7.20"""
    match = begin(player("H01", "B02", kaiju=5), player(), player(), row=["B06", "B01"], threat="K12")
    answer(match, Income("B06"))
    assert match.at.players[0].tableau == ["H01"]
    match = begin(player("H01", "B02", kaiju=5), player(), player(), row=["B06", "B01"], threat="K09")
    answer(match, Income("B06"))
    assert match.at.players[0].tableau == ["B02"]


@pytest.mark.parametrize(
    ("kaiju", "before", "after"),
    [("K11", (9, 0), (5, 0)), ("K07", (2, 0), (0, 0)), ("K08", (1, 4), (3, 0)), ("K07", (9, 0), (7, 0))],
)
def test_three_kaiju_take_money_or_research(kaiju: str, before: tuple[int, int], after: tuple[int, int]) -> None:
    """K2.19, K6.3, K7.21: half of 11 rounded up; no New Product for going back to Eureka. Income brings 2¥ first."""
    match = struck(kaiju, bank=before[0], research=before[1])
    assert state(match, 0)[:2] == after
    assert match.at.players[0].products == []


# --- the Special Case ----------------------------------------------------------------------------------------------


def penniless(**fields: object) -> Match[Position]:
    tableau = player("B32", "B39", bank=1)
    return begin(tableau, player(), player(), row=["B05", "S01", "B43", "B01"], **fields)


def test_who_earns_no_money_may_start_over() -> None:
    """K1.31, K2.17, K6.7, K7.15: all Buildings are discarded, the bank is 11, one that provides ¥ is bought."""
    match = penniless()
    assert match.questions == {0: ToTurn(["B05", "S01", "B43", "B01"], ["S01"], ["B05", "B01"], 1)}
    events = answer(match, Rebuild("B05"))
    me = match.at.players[0]
    assert (me.tableau, me.bank, match.at.discard) == (["B05"], 6, ["B32", "B39"])
    assert Rebuilt(0, "B05", ["B32", "B39"], 6) in events
    assert seat_to_answer(match) == 1


def test_the_special_case_is_an_option() -> None:
    """K1.31"""
    assert penniless(special_case=False).questions == {0: ToTurn(["B05", "S01", "B43", "B01"], ["S01"], [], 1)}


def test_an_empty_tableau_qualifies_and_any_building_that_earns_does_not() -> None:
    """K2.17, K6.7: of either timing."""
    for tableau, rebuild in (((), ["B01"]), (("H03",), []), (("B09", "B32"), [])):
        match = begin(player(*tableau), player(), player(), row=["B01", "B32", "S01"])
        assert match.questions[0] == ToTurn(["B01", "B32", "S01"], ["B01", "S01"], rebuild, 5)


# --- decks ---------------------------------------------------------------------------------------------------------


def test_cards_left_in_the_deck_are_dealt_before_the_reshuffled_discard_pile() -> None:
    """K1.33, K2.14, K7.16"""
    position = table(*(player() for _ in range(4)), deck=list(DECK[:2]), discard=list(DECK[2:22]), phase=0, goes=[])
    match = Match(KAIJU.rules, position)
    assert match.at.row[:2] == list(DECK[:2])
    assert set(match.at.row[2:]) < set(DECK[2:22])
    assert (len(match.at.row), len(match.at.deck), match.at.discard) == (5, 17, [])


def test_or_all_are_shuffled_together() -> None:
    """K2.14"""
    rows = set()
    for seed in range(30):
        position = table(
            *(player() for _ in range(4)), deck=list(DECK[:2]), discard=list(DECK[2:22]), phase=0, reshuffle="all"
        )
        position.dice, position.goes = Dice.of(str(seed)), []
        rows.add(Match(KAIJU.rules, position).at.row[0])
    assert len(rows) > 5


def test_an_empty_kaiju_deck_is_made_of_all_that_were_used() -> None:
    """K1.34, K7.17"""
    fields = {"threat": "K07", "kaiju_deck": [], "kaiju_discard": [card for card in THREAT if card != "K07"]}
    match = begin(player("B05", kaiju=5), player(), player(), row=["B01", "B31"], **fields)
    answer(match, Income("B01"))
    assert (len(match.at.kaiju_deck), match.at.kaiju_discard) == (11, [])
    assert sorted([match.at.threat, *match.at.kaiju_deck]) == sorted(THREAT)


def test_an_income_card_is_discarded_before_it_pays_and_a_lost_building_at_once() -> None:
    """K2.23"""
    match = carmen_and_david()
    answer(match, Income("B20"))
    assert isinstance(match.questions[3], ToTake)
    assert match.at.discard == ["B20", "B09"]


# --- two players ---------------------------------------------------------------------------------------------------


def duel(**fields: object) -> Match[Position]:
    seats = player("B24", bank=0), player("B25", bank=0)
    row = ["B31", "B32", "B33", "B34", "B35"]
    return begin(*seats, row=row, sixth="B16", **fields)


def test_two_players_alternate_until_each_has_taken_two() -> None:
    """K1.41, K1.42, K1.43, K1.44, K2.21, K7.33: the fifth is discarded; the sixth pays both; then the next turn."""
    match, order = duel(), []
    for card in ("B31", "B32", "B33", "B34"):
        order.append(seat_to_answer(match))
        events = answer(match, Income(card))
    assert order == [0, 1, 0, 1]
    assert (state(match, 0), state(match, 1)) == ((1, 1, 1), (2, 1, 1))
    assert heard(events, IncomeBegun)[-1] == IncomeBegun(None, "I", "B16")
    assert [(event.seat, event.source) for event in heard(events, Paid)] == [(0, "R"), (1, "R")]
    assert match.at.discard == ["B31", "B32", "B33", "B34", "B35", "B16"]
    assert (match.at.turn, match.at.start_player, seat_to_answer(match)) == (2, 1, 1)


def test_the_sixth_card_attacks_as_any_income_and_its_threat_is_replaced_after_both() -> None:
    """K1.43, K2.21"""
    match = duel()
    for me in match.at.players:
        me.kaiju = 5
    events = answer(match, *(Income(card) for card in ("B31", "B32", "B33", "B34")))
    assert [event.seat for event in heard(events, Attacked)] == [0, 1]
    assert len(heard(events, Threatened)) == 1


def test_with_two_the_rival_collects_at_each_income() -> None:
    """K1.45"""
    match = begin(player("B16", bank=0), player("B25", bank=0), row=["B17", "B18", "B31"], sixth="B01")
    answer(match, Income("B17"))
    assert (state(match, 0), state(match, 1)) == ((2, 1, 1), (2, 1, 1))


@pytest.mark.parametrize(("players", "row", "sixth"), [(2, 5, True), (3, 4, False)])
def test_the_variant_is_for_two_alone(players: int, row: int, *, sixth: bool) -> None:
    """K1.40, K1.45"""
    (begun,) = heard(KAIJU.start(Options(players), "s").hear(), TurnBegun)
    assert (len(begun.row), bool(begun.sixth)) == (row, sixth)


def test_income_is_of_one_suit_and_one_timing() -> None:
    """K1.17, K6.2"""
    tableau = ["H01", "H02", "B01", "B09", "B16", "B35"]
    assert income_of(tableau, "C", "Y") == (4, 0, 0)
    assert income_of(tableau, "C", "R") == (1, 0, 0)
    assert income_of(tableau, "I", "Y") == (4, 2, 2)
    assert income_of(tableau, "T", "R") == (0, 0, 0)
