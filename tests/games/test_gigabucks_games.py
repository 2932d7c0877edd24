"""Whole games of Corporate Gigabucks: recorded ones, invariants, and what every game must pass."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance import check
from engine.core import Event, Match
from engine.dice import Dice
from engine.game import AnyGame
from engine.games.gigabucks import (
    GIGABUCKS,
    Action,
    BidMade,
    Called,
    Ended,
    Exit,
    Options,
    Position,
    Untrue,
    appraisal,
    players_in,
    ranking,
)
from engine.games.gigabucks.pieces import KINDS, NAMED
from tests import thorough
from tests.games.record import events_in, recordings_of, replay_of

GAME: AnyGame = GIGABUCKS
seeds = st.integers(0, 10**6).map(str)
steps = st.fixed_dictionaries({}, optional={kind: st.integers(1, 5) for kind in KINDS})


def tables(most: int) -> st.SearchStrategy[Options]:
    """Small tables with any options: at most so many decisions."""
    return st.fixed_dictionaries(
        {
            "players": st.integers(2, 8),
            "currency": st.sampled_from([5, 40, 300]),
            "spaces": st.integers(32, 42),
            "dice": st.sampled_from([[6, 6], [12], [4, 4, 4]]),
            "seating": st.sampled_from(["random", "fixed", "auction"]),
            "flexible_rounds": st.integers(1, 3),
            "next_player": st.sampled_from(["clockwise", "after_winner"]),
            "bidding": st.sampled_from(["clockwise", "open", "proxy"]),
            "one_round": st.lists(st.sampled_from(KINDS), unique=True),
            "bid_step": steps,
            "diversify_on": st.sampled_from(["own_and_opponent", "own"]),
            "voluntary_sales": st.booleans(),
            "voluntary_retry": st.booleans(),
            "royalty": st.sampled_from(["chain", "simple", "product"]),
            "royalty_unit": st.integers(1, 2),
            "resigner_keeps_funds": st.booleans(),
            "talk": st.sampled_from(["off", "typed"]),
            "max_rounds": st.integers(1, 30),
            "max_decisions": st.integers(1, most),
        }
    ).map(GIGABUCKS.read_options)


def drawn(match: Match[Any], dice: Dice, *, stay: bool = False) -> dict[int, Any]:
    answers: dict[int, Any] = {seat: question.draw(dice) for seat, question in match.questions.items()}
    if stay:
        answers = {seat: replace(answer, resign=False) for seat, answer in answers.items()}
    return answers


# --- recorded games ------------------------------------------------------------------------------------------------


def test_each_way_to_end_is_recorded() -> None:
    """G-S5, G-E1, G-E2, G-O6, G-O8"""
    ends = [event for name in recordings_of("gigabucks") for event in events_in(name) if isinstance(event, Ended)]
    assert {end.reason for end in ends} == {"last", "resigned", "rounds", "decisions"}


def test_each_option_that_changes_the_flow_is_recorded() -> None:
    """G-F30 to G-F41"""
    stored = [GIGABUCKS.read_options(replay_of(name).options) for name in recordings_of("gigabucks")]
    for name, values in {
        "seating": {"random", "fixed", "auction"},
        "next_player": {"clockwise", "after_winner"},
        "bidding": {"clockwise", "open", "proxy"},
        "diversify_on": {"own_and_opponent", "own"},
        "voluntary_sales": {True, False},
        "voluntary_retry": {True, False},
        "royalty": {"chain", "simple", "product"},
        "resigner_keeps_funds": {True, False},
        "talk": {"off", "typed"},
    }.items():
        assert {getattr(options, name) for options in stored} == values
    assert any(options.one_round for options in stored)
    assert any(options.flexible_rounds == 3 for options in stored)


def test_the_recorded_games_show_every_kind_of_event_and_auction() -> None:
    """G-V3"""
    events = [event for name in recordings_of("gigabucks") for event in events_in(name)]
    assert {type(event) for event in events} == set(GIGABUCKS.events)
    assert {event.kind for event in events if isinstance(event, Called)} == set(KINDS)
    assert {event.auto for event in events if isinstance(event, BidMade)} == {True, False}


# --- what every game must pass -------------------------------------------------------------------------------------


@settings(max_examples=thorough.budget(3, full=80), deadline=None)
@given(tables(most=24), seeds)
def test_it_is_a_game_as_all_games_must_be(options: Options, seed: str) -> None:
    """G-V1, G-V2, G-S6, G-S7, G-S8: re-entry, bytes, refusals, secrets, JSON, end."""
    assert check(GAME, options, seed) <= options.max_decisions


def later(done: int, most: int) -> AnyGame:
    """The game from after so many decisions on, for `most` more at most."""

    def new(options: Options, dice: Dice) -> Position:
        match = GIGABUCKS.start(options, dice.key.hex(), listen=False)
        while not match.over and match.at.decisions < done:
            before = match.copy()
            match.apply(drawn(match, dice, stay=True))
            if match.over:
                match = before
                break
        match.at.options = replace(options, max_decisions=match.at.decisions + most)
        return match.at

    return replace(GAME, new=new)


@settings(max_examples=thorough.budget(2, full=100), deadline=None)
@given(tables(most=9), seeds, st.integers(30, 900))
def test_in_the_middle_of_a_match_too(options: Options, seed: str, done: int) -> None:
    """G-V1, G-V2, G-S2, G-S3, G-S4"""
    options = replace(options, currency=60, max_rounds=300, max_decisions=1000)
    assert check(later(done, 9), options, seed) <= 20


# --- invariants ----------------------------------------------------------------------------------------------------


def check_position(position: Position) -> None:
    """Money is conserved, no two tokens share a space, and corporations have an owner who is in, or none."""
    assert (
        sum(position.cash) + sum(position.kept) + position.escrow
        == position.options.players * position.options.currency
    )
    assert min(*position.cash, position.escrow) >= 0
    on_board = [space for space in position.tokens if space is not None]
    assert len(on_board) == len(set(on_board))
    players = players_in(position)
    assert {owner for owner in position.owner if owner is not None} <= set(players)
    assert all(position.chartered[space] for space, owner in enumerate(position.owner) if owner is not None)
    assert all(number == 0 or position.chartered[space] for space, number in enumerate(position.lines))
    assert not position.escrow or not players or position.escrow < len(players)


@settings(max_examples=thorough.budget(6, full=250), deadline=None)
@given(tables(most=1500), seeds)
def test_currency_tokens_and_corporations_are_conserved(options: Options, seed: str) -> None:
    """G-A5, G-F7, G-F10: after every step; and lines never get fewer."""
    match, dice = GIGABUCKS.start(options, seed, listen=False), Dice.of(seed)
    lines = match.at.lines.copy()
    while not match.over:
        match.apply(drawn(match, dice))
        check_position(match.at)
        assert all(now >= before for now, before in zip(match.at.lines, lines, strict=True))
        lines = match.at.lines.copy()
    assert match.at.decisions < options.max_decisions + options.players + NAMED


@settings(max_examples=thorough.budget(2, full=60), deadline=None)
@given(st.integers(2, 6), st.sampled_from(["clockwise", "open", "proxy"]), seeds)
def test_default_games_of_drawn_answers_end_with_one_player_left(players: int, bidding: str, seed: str) -> None:
    """G-E1, G-O1, G-E4"""
    match = GIGABUCKS.start(GIGABUCKS.read_options({"players": players, "bidding": bidding}), seed, listen=False)
    dice = Dice.of(seed)
    while not match.over:
        match.apply(drawn(match, dice, stay=True))
    assert len(match.at.exits) == players - 1
    (winner,) = players_in(match.at)
    assert GIGABUCKS.scores(match.at)[winner] == appraisal(match.at, winner)


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables(most=400), seeds, st.lists(st.sampled_from(["default", "stand_in", "draw", "extreme"]), min_size=8))
def test_stubborn_players_never_break_it(options: Options, seed: str, habits: list[str]) -> None:
    """G-E4: whoever always passes, resigns, or bids all it has."""
    match, dice = GIGABUCKS.start(options, seed), Dice.of(seed)
    while not match.over:
        match.apply({seat: stubborn(question, dice, habits[seat]) for seat, question in match.questions.items()})
        check_position(match.at)


def stubborn(question: Any, dice: Dice, habit: str) -> Action:
    if habit == "draw" or (habit == "extreme" and question.tag != "bid"):
        answer: Action = question.draw(dice)
    elif habit == "extreme":
        answer = replace(question.default(), amount=question.high)
    else:
        answer = question.default() if habit == "default" else question.stand_in()
    return answer


def events_of(options: Options, seed: str) -> list[Event]:
    match, dice = GIGABUCKS.start(options, seed), Dice.of(seed)
    events = match.hear()
    while not match.over:
        match.apply(drawn(match, dice))
        events += match.hear()
    return events


@settings(max_examples=thorough.budget(3, full=150), deadline=None)
@given(tables(most=300), seeds)
def test_what_is_not_passed_on_is_heard_by_its_author_alone(options: Options, seed: str) -> None:
    """G-O18, G-V2"""
    for event in events_of(options, seed):
        hearing = [seat for seat in range(options.players) if event.seen_by(seat)]
        assert hearing == ([event.seat] if isinstance(event, Untrue) else list(range(options.players)))


@settings(max_examples=thorough.budget(3, full=150), deadline=None)
@given(tables(most=300), seeds)
def test_places_follow_from_who_stayed_how_long(options: Options, seed: str) -> None:
    """G-O7, G-E1, G-E2"""
    match, dice = GIGABUCKS.start(replace(options, resigner_keeps_funds=False), seed, listen=False), Dice.of(seed)
    while not match.over:
        match.apply(drawn(match, dice))
    scores, stayed = ranking(match.at), players_in(match.at)

    def moment(out: Exit) -> tuple[int, bool]:
        return out.turn, out.how == "resigned"

    for early in match.at.exits:
        assert all(scores[seat] > scores[early.seat] for seat in stayed)
        for late in match.at.exits:
            assert (scores[early.seat] < scores[late.seat]) == (moment(early) < moment(late))
