"""Whole games of Zaibatsu: recorded ones, invariants, and what every game must pass."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance import check
from engine.core import Event
from engine.dice import Dice
from engine.game import AnyGame
from engine.games.zaibatsu import (
    CARDS,
    ZAIBATSU,
    BidMade,
    Called,
    Dealt,
    Options,
    Placed,
    Position,
    Scored,
    Sold,
    Unsold,
    best,
)
from engine.games.zaibatsu.pieces import INCOME, MONEY
from tests import thorough
from tests.games.record import events_in, recordings_of, replay_of

GAME: AnyGame = ZAIBATSU
tables = st.builds(
    Options,
    players=st.integers(2, 4),
    first=st.sampled_from(["random", 0, 1]),
    unsold=st.sampled_from(["discard", "carry"]),
    piles=st.sampled_from(["open", "closed"]),
)
seeds = st.integers(0, 10**6).map(str)


def test_a_game_is_recorded_for_each_player_count_and_option() -> None:
    """Z-F1, Z-O3, Z-O6, Z-O7"""
    stored = [ZAIBATSU.read_options(replay_of(name).options) for name in recordings_of("zaibatsu")]
    assert {options.players for options in stored} == {2, 3, 4}
    assert {options.unsold for options in stored} == {"discard", "carry"}
    assert {options.piles for options in stored} == {"open", "closed"}
    assert {options.first == "random" for options in stored} == {True, False}


def test_the_recorded_games_show_each_way_a_pile_can_go() -> None:
    """Z-F21, Z-O3: sold, discarded and carried; empty piles are bought too."""
    events = [event for name in recordings_of("zaibatsu") for event in events_in(name)]
    unsold = [event for event in events if isinstance(event, Unsold)]
    assert {event.carried for event in unsold if event.cards} == {True, False}
    assert any(not event.cards for event in events if isinstance(event, Sold))


@settings(max_examples=thorough.budget(3, full=80), deadline=None)
@given(tables, seeds)
def test_it_is_a_game_as_all_games_must_be(options: Options, seed: str) -> None:
    """Z-E3, Z-V1, Z-V2: re-entry, bytes, refusals, secrets, JSON, end."""
    decisions = check(GAME, options, seed)
    assert decisions <= {2: 84, 3: 112, 4: 148}[options.players]


def companies_of(position: Position) -> list[str]:
    piles = [[*pile.cards, *(down.card for down in pile.hidden)] for pile in position.piles]
    return sorted(
        card
        for cards in (position.deck, position.discarded, *position.hands, *position.owned, *piles)
        for card in cards
    )


def check_position(position: Position) -> None:
    """48 companies are always somewhere, and nobody owes."""
    assert companies_of(position) == sorted(CARDS)
    assert min(position.cash) >= 0


@settings(max_examples=thorough.budget(7, full=300), deadline=None)
@given(tables, seeds)
def test_companies_and_money_are_conserved(options: Options, seed: str) -> None:
    """Z-F3, Z-F17, Z-O2: money comes from the bank and goes back to it for piles."""
    match, dice, paid = ZAIBATSU.start(options, seed), Dice.of(seed), 0
    while not match.over:
        paid += sum(event.price for event in match.hear() if isinstance(event, Sold))
        given_out = sum(MONEY[options.players]) + INCOME * options.players * (match.at.round - 1)
        assert sum(match.at.cash) + paid == given_out
        check_position(match.at)
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
    check_position(match.at)


def events_of(options: Options, seed: str) -> list[Event]:
    match, dice = ZAIBATSU.start(options, seed), Dice.of(seed)
    events = match.hear()
    while not match.over:
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
        events += match.hear()
    return events


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables, seeds)
def test_each_game_has_its_fixed_number_of_turns(options: Options, seed: str) -> None:
    """Z-E3, Z-S3, Z-S4: in each round twelve cards are placed and each pile is called once."""
    events = events_of(options, seed)
    called = [event.pile for event in events if isinstance(event, Called)]
    piles = list(range(1, options.players + 2))
    assert sum(isinstance(event, Placed) for event in events) == 48
    assert sum(isinstance(event, BidMade) for event in events) == 4 * options.players * len(piles)
    assert [sorted(called[start : start + len(piles)]) for start in range(0, len(called), len(piles))] == [piles] * 4


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables, seeds)
def test_events_tell_nobody_another_hand(options: Options, seed: str) -> None:
    """Z-V2: before it is placed face up or called, a card is named to its holder only."""
    shown: set[str] = set()
    for event in events_of(options, seed):
        if isinstance(event, Dealt):
            assert not shown & set(event.hand)
        if isinstance(event, Placed):
            names = {
                seen.card for seat in range(options.players) if seat != event.seat for seen in [event.seen_by(seat)]
            }
            assert names == ({""} if options.piles == "closed" else {event.card})
        if isinstance(event, Called):
            shown |= set(event.cards)


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables, seeds)
def test_totals_are_the_best_operation_and_cash(options: Options, seed: str) -> None:
    """Z-E1, Z-A1"""
    for event in events_of(options, seed):
        if isinstance(event, Scored):
            assert event.total == event.op + event.cash
            assert best(event.operating).score == event.op
