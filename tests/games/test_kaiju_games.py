"""Whole games of Kaiju Incorporated: recorded ones, invariants, and what every game must pass."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance import check
from engine.core import Event, Match
from engine.dice import Dice
from engine.game import AnyGame
from engine.games.kaiju import (
    HANDBAGS,
    KAIJU,
    PRODUCT,
    THREAT,
    Attacked,
    Ended,
    IncomeBegun,
    Options,
    Paid,
    Position,
    ProductTaken,
    Rebuilt,
    Reshuffled,
    SpecialDone,
    ToTurn,
    imagine,
    redraw,
    see,
)
from engine.games.kaiju.pieces import CITIES_VP, DECK, MAJORITY_VP
from engine.records import canonical, to_plain
from tests import thorough
from tests.games.record import events_in, recordings_of, replay_of

GAME: AnyGame = KAIJU


@st.composite
def tables(draw: st.DrawFn) -> Options:
    players = draw(st.integers(2, 5))
    choices: dict[str, list[Any]] = {
        "start_player": ["random", players - 1],
        "companies": ["random", ["C3", "C1", "C5", "C2", "C4"][:players]],
        "special_case": [True, False],
        "city_majority": ["own", "any"],
        "kaiju_backwards": ["attack", "stop"],
        "reshuffle": ["keep_top", "all"],
        "max_turns": [60, 60, 60, 1],
    }
    return KAIJU.read_options(
        {"players": players, **{name: draw(st.sampled_from(these)) for name, these in choices.items()}}
    )


seeds = st.integers(0, 10**6).map(str)


def play_on(match: Match[Position], dice: Dice) -> list[Event]:
    match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
    return match.hear()


def events_of(options: Options, seed: str) -> list[Event]:
    match, dice = KAIJU.start(options, seed), Dice.of(seed)
    events = match.hear()
    while not match.over:
        events += play_on(match, dice)
    return events


# --- recorded games ------------------------------------------------------------------------------------------------


def test_a_game_is_recorded_for_each_player_count_and_option() -> None:
    """K1.1, K1.45, K2.9, K2.14, K2.22"""
    stored = [KAIJU.read_options(replay_of(name).options) for name in recordings_of("kaiju")]
    assert {options.players for options in stored} == {2, 3, 4, 5}
    for name in ("start_player", "companies"):
        assert {getattr(options, name) == "random" for options in stored} == {True, False}
    for name in ("special_case", "city_majority", "kaiju_backwards", "reshuffle"):
        assert len({getattr(options, name) for options in stored}) == 2


def test_the_recorded_games_show_each_way_to_end_and_everything_that_can_happen() -> None:
    """K1.31, K1.33, K1.34, K5.6: every kind of event, every Special Action, every Kaiju."""
    events = [event for name in recordings_of("kaiju") for event in events_in(name)]
    assert {type(event) for event in events} == set(KAIJU.events)
    assert {event.capped for event in events if isinstance(event, Ended)} == {True, False}
    assert len({event.card for event in events if isinstance(event, SpecialDone)}) == 12
    assert {event.kaiju for event in events if isinstance(event, Attacked)} == set(THREAT)
    assert {event.deck for event in events if isinstance(event, Reshuffled)} == {"building", "kaiju"}
    assert any(isinstance(event, Rebuilt) for event in events)
    assert any(isinstance(event, IncomeBegun) and event.seat is None for event in events)
    assert any(isinstance(event, Paid) and event.kaiju < 0 < event.attacks for event in events)


# --- every game ----------------------------------------------------------------------------------------------------


@settings(max_examples=thorough.budget(3, full=80), deadline=None)
@given(tables(), seeds)
def test_it_is_a_game_as_all_games_must_be(options: Options, seed: str) -> None:
    """K2.24, K3.3, K3.12, K4.3, K5.7: re-entry, bytes, refusals, secrets, JSON, end; under 950 decisions."""
    assert check(GAME, options, seed) < 950


def check_position(position: Position) -> None:
    tableaus = [card for me in position.players for card in me.tableau]
    sixth, special = [position.sixth] * bool(position.sixth), [position.special] * bool(position.special)
    deck = [*position.deck, *position.discard, *position.row, *sixth, *special, *position.revealed]
    assert sorted([*deck, *(card for card in tableaus if card[0] != "H")]) == sorted(DECK)
    assert len(set(tableaus)) == len(tableaus)
    products = [*position.product_deck, *position.display, *(card for me in position.players for card in me.products)]
    assert sorted(products) == sorted(PRODUCT)
    assert sorted([position.threat, *position.kaiju_deck, *position.kaiju_discard]) == sorted(THREAT)
    for me in position.players:
        assert 0 <= me.bank <= 11
        assert 0 <= me.research <= 4
        assert 0 <= me.kaiju <= 5


@settings(max_examples=thorough.budget(7, full=300), deadline=None)
@given(tables(), seeds)
def test_cards_are_conserved_and_money_and_markers_stay_on_their_tracks(options: Options, seed: str) -> None:
    """K1.7, K1.12, K2.14, K6.8: and the row can always be filled."""
    match, dice = KAIJU.start(options, seed), Dice.of(seed)
    while not match.over:
        check_position(match.at)
        if isinstance(question := next(iter(match.questions.values())), ToTurn):
            assert len(question.row) == len(match.at.goes) + 1
        play_on(match, dice)
    check_position(match.at)


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables(), seeds, st.integers(0, 2))
def test_stubborn_players_cannot_break_it_nor_play_for_ever(options: Options, seed: str, habit: int) -> None:
    """K2.22, K5.6, K5.7: always the default, always the last that is legal, or both in turn."""
    match, steps = KAIJU.start(options, seed), 0
    while not match.over:
        ((seat, question),) = match.questions.items()
        drawn = [question.draw(Dice.of(f"{seed} {steps} {n}")) for n in range(4)]
        last = max(drawn, key=canonical)
        match.apply({seat: question.default() if habit == 0 or (habit == 2 and steps % 2) else last})
        steps += 1
        check_position(match.at)
    assert steps < 950


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables(), seeds)
def test_the_end_is_triggered_by_the_fifteenth_product_or_the_cap(options: Options, seed: str) -> None:
    """K5.4, K5.5, K5.6"""
    events = events_of(options, seed)
    triggers = [number for number, event in enumerate(_taken(events), 1) if event.trigger]
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert triggers == ([] if ended.capped else [15])
    assert not ended.capped or ended.turn == options.max_turns
    assert sorted(ended.ranks) == list(range(1, options.players + 1))


def _taken(events: list[Event]) -> list[ProductTaken]:
    return [event for event in events if isinstance(event, ProductTaken)]


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables(), seeds)
def test_nothing_is_secret_but_the_order_of_the_decks(options: Options, seed: str) -> None:
    """K2.24, K3.12, K4.1: what is drawn afresh or imagined has the same cards in its decks, Handbags at the bottom."""
    match, dice = KAIJU.start(options, seed), Dice.of(seed)
    for _ in range(25):
        if match.over:
            break
        (seat,) = match.questions
        for other in (redraw(match.at, seat, dice), imagine(see(match.at, seat), [], dice)):
            for name in ("deck", "product_deck", "kaiju_deck"):
                assert Counter(getattr(other, name)) == Counter(getattr(match.at, name))
            bags = [[card in HANDBAGS for card in position.product_deck] for position in (match.at, other)]
            assert bags[0] == bags[1] == sorted(bags[0])
        play_on(match, dice)


@settings(max_examples=thorough.budget(2, full=100), deadline=None)
@given(tables(), seeds)
def test_all_players_see_the_same(options: Options, seed: str) -> None:
    """K4.1, K4.2: views differ in `seat` alone, and everybody hears everything."""
    match, dice = KAIJU.start(options, seed), Dice.of(seed)
    for _ in range(12):
        if match.over:
            break
        views = [{**to_plain(see(match.at, seat)), "seat": 0} for seat in range(options.players)]
        assert all(view == views[0] for view in views)
        assert all(event.seen_by(0) is event for event in play_on(match, dice))


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables(), seeds)
def test_scores_are_what_the_last_events_say(options: Options, seed: str) -> None:
    """K4.2, K5.1, K5.3"""
    match, dice, events = KAIJU.start(options, seed), Dice.of(seed), []
    while not match.over:
        events = play_on(match, dice)
    scored = events[-1 - options.players : -1]
    for seat, event in enumerate(scored):
        plain = to_plain(event)
        assert plain["seat"] == seat
        assert plain["majority"] % MAJORITY_VP == 0
        assert plain["cities_vp"] == CITIES_VP[plain["cities"]]
        assert plain["vp"] == sum(plain["products"].values()) + plain["majority"] + plain["cities_vp"]
        assert plain["vp"] == KAIJU.scores(match.at)[seat]
