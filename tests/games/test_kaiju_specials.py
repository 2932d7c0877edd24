"""The Special Actions of Kaiju Incorporated, card by card."""

from typing import Any

import pytest

from engine.core import Event, Match, Question
from engine.games.kaiju import (
    Attacked,
    Build,
    Built,
    ChooseRival,
    ChooseSuit,
    Income,
    Insure,
    Paid,
    Player,
    Position,
    Prefab,
    ProductTaken,
    Reshuffled,
    SpecialDone,
    Take,
    TakeOver,
    Threatened,
    ToChooseRival,
    ToChooseSuit,
    ToInsure,
    ToPrefab,
    ToTakeOver,
)
from tests.games.answering import answer, heard, refusal, seat_to_answer
from tests.games.kaiju_tables import begin, player, state


def played(special: str, *players: Player, **fields: Any) -> tuple[Match[Position], list[Event]]:
    """Seat 0 has just paid for the Special Action."""
    match = begin(*players, row=[special, "B01", "B02"], **{"sixth": "B03" if len(players) == 2 else "", **fields})
    return match, answer(match, Build(special))


def test_a_special_action_is_paid_carried_out_and_discarded() -> None:
    """K1.15, K2.23, K3.4, K7.14: S01 gives 4¥, of which those above 11 are lost."""
    match, events = played("S01", player("H01", bank=9), player(), player())
    assert (match.at.players[0].bank, match.at.players[0].tableau, match.at.discard) == (11, ["H01"], ["S01"])
    assert events[:2] == [Built(0, "S01", 0, 9), SpecialDone(0, "S01")]
    assert seat_to_answer(match) == 1


def test_a_special_action_that_costs_too_much_cannot_be_taken() -> None:
    """K1.16"""
    match = begin(player(bank=3), player(), player(), row=["S09", "B01"])
    assert refusal(match, Build("S09")) == "builds S09 for 4¥; the bank holds 3¥"


# --- S02 -----------------------------------------------------------------------------------------------------------


def test_prefab_contract_reveals_three_and_builds_one_of_them_at_3_less() -> None:
    """K3.10: Buildings that the bank can pay for at that price; the others are discarded."""
    match, _ = played("S02", player(bank=7), player(), player(), deck=["B16", "S05", "B20", "B31"])
    question = match.questions[0]
    assert question == ToPrefab(["B16"], ["B16", "S05", "B20"])
    assert question.default() == Prefab(None)
    assert refusal(match, Prefab("B20")) == "builds 'B20'; to choose from: B16, None"
    events = answer(match, Prefab("B16"))
    assert (match.at.players[0].tableau, match.at.players[0].bank) == (["B16"], 2)
    assert match.at.discard == ["S05", "B20", "S02"]
    assert events == [SpecialDone(0, "S02", None, "B16", ("B16", "S05", "B20")), Built(0, "B16", 3, 2)]


@pytest.mark.parametrize(("deck", "asks"), [(["B09", "B16", "B20"], True), (["B16", "S05", "B20"], False)])
def test_prefab_contract_can_build_nothing_and_is_not_below_0(deck: list[str], *, asks: bool) -> None:
    """K3.10: with nothing to build it is not asked."""
    match, _ = played("S02", player(bank=2), player(), player(), deck=deck.copy())
    assert isinstance(match.questions.get(0), ToPrefab) == asks
    if asks:
        answer(match, Prefab("B09"))
        assert (match.at.players[0].bank, match.at.players[0].tableau) == (0, ["B09"])
    else:
        assert match.at.discard == [*deck, "S02"]


def test_prefab_contract_reshuffles_the_discard_pile_but_not_itself() -> None:
    """K2.14, K2.23"""
    match, events = played("S02", player(bank=9), player(), player(), deck=["B20"], discard=["B16", "B09"])
    assert heard(events, Reshuffled) == [Reshuffled("building", 3)]
    assert match.at.revealed[0] == "B20"
    assert sorted(match.at.revealed) == ["B09", "B16", "B20"]
    assert match.at.special == "S02"


def test_with_two_players_it_draws_below_the_sixth_card() -> None:
    """K2.15"""
    match, _ = played("S02", player(bank=9), player(), deck=["B16", "S05", "B20", "B31"])
    assert (match.at.revealed, match.at.sixth, match.at.deck) == (["B16", "S05", "B20"], "B03", ["B31"])


# --- the others ----------------------------------------------------------------------------------------------------


def test_coastal_barrier_moves_the_kaiju_marker_back_without_an_attack() -> None:
    """K2.16, K3.2"""
    match, events = played("S03", player(kaiju=5), player(), player())
    assert match.at.players[0].kaiju == 0
    assert not heard(events, Attacked)


def test_insurance_payout_discards_a_building_for_its_cost_and_2() -> None:
    """K3.11, K6.4: a Start card leaves the game; none may be chosen; with no Building it is not asked."""
    match, _ = played("S04", player("H01", "B16", bank=1), player(), player())
    assert match.questions == {0: ToInsure(["H01", "B16"])}
    assert match.questions[0].default() == Insure(None)
    assert refusal(match, Insure("B31")) == "discards 'B31'; to choose from: H01, B16, None"
    start = match.copy()
    answer(match, Insure("B16"))
    assert (match.at.players[0].bank, match.at.discard) == (8, ["B16", "S04"])
    answer(start, Insure("H01"))
    assert (start.at.players[0].bank, start.at.discard) == (2, ["S04"])
    empty, _ = played("S04", player(), player(), player())
    assert seat_to_answer(empty) == 1


def test_double_shift_pays_own_income_of_a_suit_and_rivals_nothing() -> None:
    """K3.7, K7.26"""
    match, _ = played("S05", player("H01", "B03", bank=3), player("B11"), player())
    assert match.questions == {0: ToChooseSuit()}
    assert match.questions[0].default() == ChooseSuit("C")
    answer(match, ChooseSuit("C"))
    assert [me.bank for me in match.at.players] == [5, 5, 5]


def test_double_shift_may_bring_an_attack_and_replaces_the_card() -> None:
    """K2.16"""
    match, _ = played("S05", player("B05", bank=3, kaiju=5), player(), player())
    events = answer(match, ChooseSuit("C"))
    assert heard(events, Attacked) == [Attacked(0, "K07", money=4)]
    assert len(heard(events, Threatened)) == 1


def test_toxic_dumping_moves_each_rivals_kaiju_marker_by_2() -> None:
    """K2.16, K7.23"""
    rivals = player(bank=8, kaiju=4), player(bank=8, kaiju=3)
    match, events = played("S06", player(bank=2), *rivals)
    assert [state(match, seat) for seat in range(3)] == [(1, 0, 0), (4, 0, 0), (8, 0, 5)]
    assert len(heard(events, Threatened)) == 1
    assert [(event.seat, event.source) for event in heard(events, Paid)] == [(1, "S06"), (2, "S06")]


def test_hostile_takeover_moves_a_building_of_7_or_less() -> None:
    """K3.9: no Start card; clockwise from the left, each in the order of the tableau."""
    seats = player(bank=7), player("H01", "B20", "B07"), player("B16")
    match, _ = played("S07", *seats)
    assert match.questions == {0: ToTakeOver([TakeOver(1, "B07"), TakeOver(2, "B16")])}
    assert match.questions[0].default() == TakeOver(1, "B07")
    reason = "takes over 'B20' of seat 1; to choose from: B07 of seat 1, B16 of seat 2"
    assert refusal(match, TakeOver(1, "B20")) == reason
    events = answer(match, TakeOver(2, "B16"))
    assert (match.at.players[0].tableau, match.at.players[2].tableau) == (["B16"], [])
    assert events == [SpecialDone(0, "S07", 2, "B16")]


@pytest.mark.parametrize(("owned", "taken"), [((), []), (("H01", "B20"), []), (("H01", "B16"), ["B16"])])
def test_with_one_target_or_none_there_is_no_choice(owned: tuple[str, ...], taken: list[str]) -> None:
    """K3.3, K3.9"""
    match, _ = played("S07", player(bank=7), player(*owned), player())
    assert match.at.players[0].tableau == taken
    assert seat_to_answer(match) == 1


EIGHT = tuple(f"B{number}" for number in range(16, 24))


@pytest.mark.parametrize(("buildings", "money"), [(("B16", "B23", "B01"), 2), (EIGHT, 6)])
def test_export_boom_gives_1_for_each_industrial_building_up_to_6(buildings: tuple[str, ...], money: int) -> None:
    """K3.2"""
    match, _ = played("S08", player(*buildings, bank=1), player(), player())
    assert match.at.players[0].bank == money


def test_crash_programme_is_3_steps_of_research() -> None:
    """K3.2, K3.5"""
    match, _ = played("S09", player(bank=4, research=2), player(), player())
    events = answer(match, Take("N03"))
    assert match.at.players[0].research == 0
    assert len(heard(events, ProductTaken)) == 1


def test_kaiju_lure_makes_a_rival_suffer_without_moving_a_marker() -> None:
    """K2.16, K3.8, K7.24"""
    match, _ = played("S10", player(bank=3), player(), player(bank=11, kaiju=3), threat="K11")
    assert match.questions == {0: ToChooseRival("S10", [1, 2])}
    assert match.questions[0].default() == ChooseRival(1)
    assert refusal(match, ChooseRival(0)) == "names seat 0; to choose from: 1, 2"
    events = answer(match, ChooseRival(2))
    assert state(match, 2) == (5, 0, 3)
    assert heard(events, Threatened) == [Threatened("K11", "K01")]


def test_patent_pool_is_a_step_of_research_for_each_technology_building_up_to_4() -> None:
    """K3.2, K7.27"""
    match, _ = played("S11", player("B31", "B32", "B33", "B34", "B39", bank=3, research=1), player(), player())
    answer(match, Take("N01"))
    assert (match.at.players[0].research, match.at.players[0].products) == (0, ["N01"])


def test_industrial_espionage_moves_up_to_2_steps_but_none_below_eureka() -> None:
    """K2.19, K3.8, K7.25"""
    match, _ = played("S12", player(bank=4, research=4), player(research=1), player())
    answer(match, ChooseRival(1), Take("N01"))
    assert (match.at.players[0].research, match.at.players[1].research) == (0, 0)
    assert (match.at.players[0].products, match.at.players[1].products) == (["N01"], [])


@pytest.mark.parametrize("special", ["S10", "S12"])
def test_with_two_players_the_rival_is_not_asked_for(special: str) -> None:
    """K3.3, K3.8"""
    match, events = played(special, player(bank=9), player(research=2))
    assert heard(events, SpecialDone) == [SpecialDone(0, special, 1)]
    assert seat_to_answer(match) == 1


def test_every_question_offers_all_its_answers_by_chance() -> None:
    """K3.12, K3.13"""
    from_row = begin(player(bank=11), player(), player(), row=["B01", "S01"])
    questions: list[tuple[Question[Any], int]] = [
        (from_row.questions[0], 5),  # two incomes, two builds, a rebuild
        (ToPrefab(["B01"], ["B01", "S01"]), 2),
        (ToInsure(["B01", "B02"]), 3),
        (ToChooseSuit(), 3),
        (ToChooseRival("S10", [1, 2]), 2),
        (ToTakeOver([TakeOver(1, "B01"), TakeOver(2, "B02")]), 2),
    ]
    for question, count in questions:
        drawn = {str(question.draw(from_row.at.dice)) for _ in range(200)}
        assert len(drawn) == count
    assert str(Income("B01")) in {str(from_row.questions[0].draw(from_row.at.dice)) for _ in range(200)}
