"""How a game of Kaiju Incorporated ends and is scored; sums and points against slow and plain ones."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.kaiju import (
    BUILDING,
    COST,
    HANDBAGS,
    KAIJU,
    PRODUCT,
    Ended,
    Income,
    Options,
    Player,
    ProductTaken,
    Scored,
    Take,
    income_of,
    majority_vp,
    product_vp,
    vp,
)
from engine.games.kaiju.pieces import CITIES, CITIES_VP, MAJORITY_VP, SUITS, Suit, Timing
from engine.games.kaiju.rules import ranking
from engine.referee import Conduct
from tests.games.answering import answer, heard
from tests.games.kaiju_tables import begin, player, table

tableaus = st.lists(st.sampled_from(sorted(BUILDING)), unique=True, max_size=30)


# --- the end -------------------------------------------------------------------------------------------------------


def test_the_first_handbag_turned_up_triggers_the_end_and_the_turn_is_played_out() -> None:
    """K1.35, K2.13, K5.5, K7.18: in a two-player game with the income of the sixth card."""
    seats = player("B35", "B37", research=4), player("B09", bank=0)
    match = begin(*seats, row=["B31", "B03", "B04"], goes=[0, 1], sixth="B01", product_deck=["N05", *HANDBAGS])
    events = answer(match, Income("B31"), Take("N01"))
    assert not match.at.triggered
    events += answer(match, Take("N02"))
    assert [event.trigger for event in heard(events, ProductTaken)] == [False, True]
    assert match.at.triggered
    assert not match.over
    events = answer(match, Income("B03"))
    assert match.over
    assert match.at.players[1].bank == 1
    assert heard(events, Ended) == [Ended(1, capped=False, ranks=[1, 2])]


def test_a_second_handbag_triggers_nothing_more() -> None:
    """K2.13: and a face-up Handbag may be taken."""
    seats = player("B35", "B37", research=4), player()
    match = begin(*seats, row=["B31", "B03"], goes=[0], sixth="B01", product_deck=list(HANDBAGS))
    events = answer(match, Income("B31"), Take("N01"), Take("N18"))
    taken = [(event.card, event.refill, event.trigger) for event in heard(events, ProductTaken)]
    assert taken == [("N01", "N18", True), ("N18", "N19", False)]


def test_the_fifteenth_product_taken_triggers_the_end() -> None:
    """K5.4, K7.18"""
    match, taken = KAIJU.start(Options(4), "s"), 0
    while not match.at.triggered:
        match.apply({seat: question.draw(match.at.dice.fork()) for seat, question in match.questions.items()})
        taken = sum(len(me.products) for me in match.at.players)
    assert taken == 15


def test_a_game_without_products_is_cut_short_and_scored_as_usual() -> None:
    """K2.22, K5.6"""
    match = begin(player("H01"), player("H04"), player("H07"), row=["B31", "B01", "B02", "B03"], max_turns=1)
    events = answer(match, Income("B31"), Income("B01"), Income("B02"))
    assert match.over
    assert heard(events, Ended)[0].capped
    assert match.at.ended == "cap"


# --- scoring -------------------------------------------------------------------------------------------------------

HANDS = (("H01", "H02", "H03", "B01", "B03"), ("H04", "H05", "B11"), ("H07", "B05", "B14", "B04"))


def companies_vp(players: list[Player], cities_of: str) -> list[int]:
    return [vp(players, seat, "any" if cities_of == "any" else "own") for seat in range(len(players))]


def test_a_company_scores_a_majority_in_its_city_and_the_number_of_cities() -> None:
    """K1.37, K1.38, K2.10, K5.1, K6.6, K7.28: a tie gives none."""
    assert companies_vp([player(*hand) for hand in HANDS], "own") == [6, 1, 6]


@pytest.mark.parametrize(("cities_of", "points"), [("own", [6, 1, 6]), ("any", [6, 1, 11])])
def test_a_majority_counts_in_ones_own_city_or_any_in_play(cities_of: str, points: list[int]) -> None:
    """K2.9, K6.6, K7.29"""
    assert companies_vp([*(player(*hand) for hand in HANDS[:2]), player(*HANDS[2], "B16")], cities_of) == points


def test_victory_points_are_products_majority_and_cities() -> None:
    """K1.36, K5.1, K5.3, K7.30: money gives none."""
    products = (["N10", "N04"], ["N18"], ["N11", "N16"])
    hands = (HANDS[0], HANDS[1], (*HANDS[2], "B16"))
    seats = [player(*hand, products=mine, bank=9) for hand, mine in zip(hands, products, strict=True)]
    assert companies_vp(seats, "own") == [18, 3, 12]


def test_what_each_product_brings() -> None:
    """K2.11, K6.5, K7.31"""
    tableau = ("H01", "H02", "H03", "B01", "B02", "B16", "B31", "B36")
    points = [3, 2, 3, 6, 0, 4, 0, 4, 2, 6, 1, 0, 1, 3, 6, 4, 0]
    assert [product_vp(f"N{number:02}", tableau) for number in range(1, 18)] == points
    assert [product_vp(handbag, tableau) for handbag in HANDBAGS] == [2] * 5
    assert product_vp("N16", ()) == product_vp("N15", ("B01", "B16")) == 0


def test_the_points_are_told_seat_by_seat() -> None:
    """K4.2, K5.3"""
    match = begin(player("H01", products=["N01"]), player("H04"), player("H07"), row=["B31", "B33"], max_turns=1)
    match.at.goes = [0]
    match = match.copy()
    match.at.heard = []
    events = answer(match, Income("B31"))
    assert heard(events, Scored)[0] == Scored(0, {"N01": 1}, 5, 1, 0, 1, 5, 6)


@pytest.mark.parametrize(("banks", "places"), [((4, 4, 4), [1, 3, 2]), ((3, 4, 4), [3, 2, 1])])
def test_a_tie_goes_to_the_bank_and_then_to_who_went_later_on_the_first_turn(
    banks: tuple[int, ...], places: list[int]
) -> None:
    """K1.39, K5.2, K7.32: 5 points each; seat 1 started."""
    seats = (player(card, bank=bank) for card, bank in zip(("H01", "H04", "H07"), banks, strict=True))
    position = table(*seats, first_start=1)
    assert KAIJU.scores(position) == [5, 5, 5]
    assert Conduct.of(3, 3).result(KAIJU, position).places == places


# --- independent checks --------------------------------------------------------------------------------------------


@given(tableaus)
def test_income_is_the_plain_sum_over_all_cards(tableau: list[str]) -> None:
    """K6.2: card by card and coin by coin."""
    timings: tuple[Timing, ...] = ("Y", "R")
    pairs: list[tuple[Suit, Timing]] = list(product(SUITS, timings))
    counted: Counter[tuple[str, str, str]] = Counter()
    for card in tableau:
        building = BUILDING[card]
        for what, points in (("money", building.money), ("research", building.research), ("kaiju", building.kaiju)):
            for _ in range(abs(points)):
                counted[building.suit, building.timing, what] += 1 if points > 0 else -1
    for suit, timing in pairs:
        plain = tuple(counted[suit, timing, what] for what in ("money", "research", "kaiju"))
        assert income_of(tableau, suit, timing) == plain


def by_the_text(number: int, tableau: list[str]) -> int:
    """The points of a New Product as its text says, one Building at a time."""
    cards, points = [BUILDING[card] for card in tableau], 0
    if number <= 3:
        return min(6, len([building for building in cards if building.suit == "CIT"[number - 1]]))
    if number <= 9:
        suit, timing = "CIT"[(number - 4) // 2], "YR"[number % 2]
        return min(6, 2 * len([building for building in cards if building.suit == suit and building.timing == timing]))
    if number <= 14:
        for _ in [building for building in cards if building.city == CITIES[number - 10]]:
            points += 3  # halves
        return min(7, points // 2)
    if number == 15:
        piles = [[building for building in cards if building.suit == suit] for suit in SUITS]
        while all(piles):
            points += 3
            for pile in piles:
                pile.pop()
        return min(9, points)
    if number == 16:
        return sum(any(building.city == city for building in cards) for city in CITIES)
    return min(8, 2 * len([card for card in tableau if COST[card] in (7, 8, 9, 10)])) if number == 17 else 2


@given(tableaus)
def test_products_bring_what_their_texts_say(tableau: list[str]) -> None:
    """K1.36, K6.5"""
    for number in range(1, len(PRODUCT) + 1):
        assert product_vp(f"N{number:02}", tableau) == by_the_text(number, tableau)


@given(st.lists(st.integers(0, 3), min_size=60, max_size=60))
def test_a_majority_is_more_than_any_other_single_player_has(owners: list[int]) -> None:
    """K1.37, K6.6: by sorting the counts of each city."""
    seats = [player(city=city) for city in CITIES[:3]]
    for owner, card in zip(owners, sorted(BUILDING), strict=True):
        if owner < 3:
            seats[owner].tableau.append(card)
    for seat, me in enumerate(seats):
        leads = {}
        for city in CITIES:
            counts = [sum(BUILDING[card].city == city for card in other.tableau) for other in seats]
            leads[city] = counts[seat] == max(counts) and counts.count(max(counts)) == 1
        assert majority_vp(seats, seat, "own") == MAJORITY_VP * leads[me.city]
        assert majority_vp(seats, seat, "any") == MAJORITY_VP * sum(leads[other.city] for other in seats)
        assert vp(seats, seat, "own") - majority_vp(seats, seat, "own") in CITIES_VP


@given(st.lists(st.tuples(st.integers(0, 11), st.booleans()), min_size=4, max_size=4), st.integers(0, 3))
def test_ranks_are_never_shared_and_follow_points_bank_and_order(facts: list[tuple[int, bool]], first: int) -> None:
    """K1.39, K5.2"""
    seats = [player(bank=bank, city=city) for (bank, _), city in zip(facts, CITIES, strict=False)]
    for me, (_, leads) in zip(seats, facts, strict=True):
        me.products = ["N18"] * leads
    position = table(*seats, first_start=first)
    plain = [(2 * leads, bank, (seat - first) % 4) for seat, (bank, leads) in enumerate(facts)]
    order = sorted(range(4), key=ranking(position).__getitem__)
    assert order == sorted(range(4), key=plain.__getitem__)
    assert len(set(ranking(position))) == 4
