"""Whole games of Shangzhou-Gold: recorded ones, invariants, and what every game must pass."""

from collections import Counter
from dataclasses import fields, replace
from itertools import islice
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance import check
from engine.core import Event, Match, Question
from engine.dice import Dice
from engine.game import AnyGame
from engine.games.shangzhou import (
    SHANGZHOU,
    TILES,
    Applied,
    Awarded,
    Checked,
    Dropped,
    Engaged,
    Expand,
    Expanded,
    Gift,
    Given,
    Income,
    Options,
    Overseen,
    Pass,
    Position,
    Relinquished,
    Said,
    ToExpand,
    Traded,
    TurnBegun,
    Unsold,
    Use,
    Used,
    fights,
    imagine,
    see,
    valid,
)
from engine.games.shangzhou.pieces import SAYINGS
from engine.records import Record, canonical
from tests import thorough
from tests.games.record import RECORDINGS, events_in, recordings_of

GAME: AnyGame = SHANGZHOU


def tables(turns: int) -> st.SearchStrategy[Options]:
    """Any options, with as many turns at most."""
    drawn = st.builds(
        Options,
        players=st.integers(2, 4),
        home_layout=st.sampled_from(["chance", "choose"]),
        base_income=st.integers(0, 10),
        clout_goal=st.sampled_from([15, 25, 60]),
        sector_goal=st.sampled_from([20, 33]),
        critical_rule=st.sampled_from(["exclusive", "present"]),
        oversight_tie=st.sampled_from(["priority", "random"]),
        overseer_power=st.sampled_from(["order", "start"]),
        trading=st.sampled_from(["full", "gifts", "off"]),
        trade_windows=st.sampled_from(["auto", 0, 1, 2]),
        talk=st.sampled_from(["public", "private", "off"]),
        restricted_cover=st.sampled_from(["keep", "evict"]),
        max_turns=st.integers(1, turns),
        max_bids=st.sampled_from([1, 5, 30]),
        max_expansions=st.sampled_from([1, 5, 40]),
    )
    return drawn.filter(lambda options: options.error() is None)


seeds = st.integers(0, 10**6).map(str)


def test_the_recorded_games_show_each_way_to_end_and_each_option() -> None:
    """Z5.1, Z5.6, Z1.23"""
    names = recordings_of("shangzhou")
    assert {events_in(name)[-1].reason for name in names} == {  # type: ignore[attr-defined]
        *("critical", "sectors", "clout", "cap")
    }
    stored = [SHANGZHOU.read_options(RECORDINGS[name].options) for name in names]
    for option in fields(Options):
        values = {getattr(options, option.name) for options in stored}
        assert len(values) > 1, option.name
    assert {options.trading for options in stored} == {"full", "gifts", "off"}
    assert {options.talk for options in stored} == {"public", "private", "off"}


def test_the_recorded_games_show_gifts_deals_uses_and_disputes() -> None:
    """Z1.7, Z1.21, Z1.31, Z1.32, Z2.20, Z2.22, Z4.2"""
    events = [event for name in recordings_of("shangzhou") for event in events_in(name)]
    seen = {type(event) for event in events}
    assert {Given, Traded, Used, Engaged, Said, Dropped, Unsold} <= seen
    assert {event.tile for event in events if isinstance(event, Used)} == {"hacker", "virus"}
    assert {event.done for event in events if isinstance(event, Traded)} == {True, False}


@settings(max_examples=thorough.budget(3, full=120), deadline=None)
@given(tables(3), seeds)
def test_it_is_a_game_as_all_games_must_be(options: Options, seed: str) -> None:
    """Z3.12, Z4.1, Z4.3: re-entry, bytes, refusals, secrets, JSON, end; seed and answers are enough."""
    check(GAME, options, seed)


def drawn(question: Question[Any], dice: Dice) -> Record:
    return question.draw(dice)  # type: ignore[no-any-return]


def steps(options: Options, seed: str) -> Any:
    """Yield the positions of a match with drawn answers."""
    match, dice = SHANGZHOU.start(options, seed, listen=False), Dice.of(seed)
    while not match.over:
        yield match.at
        match.apply({seat: drawn(question, dice) for seat, question in match.questions.items()})
    yield match.at


def all_tiles(position: Position) -> Counter[str]:
    held = [tile for templates in position.templates for tile in templates]
    out: Counter[str] = Counter(
        [*position.stack, *(zone for zone in position.zones if zone not in ("", "home")), *held]
    )
    out.update(lot.tile for lot in position.lots)
    out.update({"H": sum(position.hackers), "V": sum(position.viruses)})
    out.update(position.gone)
    return +out


@settings(max_examples=thorough.budget(6, full=250), deadline=None)
@given(tables(12), seeds)
def test_eighty_tiles_are_always_somewhere_and_nothing_is_negative(options: Options, seed: str) -> None:
    """Z6.9, Z1.2"""
    for position in steps(options, seed):
        check_position(position)


def check_position(position: Position) -> None:
    """Check what is so at every moment."""
    assert all_tiles(position) == Counter(TILES)
    assert min(map(min, [position.clout, position.hackers, position.viruses, *position.agents])) >= 0
    assert [position.zones[home] for home in position.homes if home >= 0] == ["home"] * (
        position.options.players - len(position.to_settle)
    )
    assert max(position.acts) <= max(position.options.max_expansions, position.options.max_bids)
    assert sorted(position.priority) == sorted(position.order) == list(range(position.options.players))
    assert max(position.said) <= SAYINGS
    assert bool(position.winners) == (position.ending not in ("", "cap"))


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables(6), seeds)
def test_clout_comes_from_income_and_goes_to_bids_agents_and_the_bank(options: Options, seed: str) -> None:
    """Z1.9, Z1.13, Z1.16, Z1.19, Z1.25, Z2.18: all of it is accounted for at each check and after it."""
    match, dice = SHANGZHOU.start(options, seed), Dice.of(seed)
    events = match.hear()
    while not match.over:
        match.apply({seat: drawn(question, dice) for seat, question in match.questions.items()})
        events += match.hear()
    clout = 0
    for event in events:
        clout += change(event, options.players)
        if isinstance(event, Income | Checked):
            assert sum(event.clout) == clout
        if isinstance(event, Relinquished):
            assert sum(event.kept) == clout


def change(event: Event, players: int) -> int:
    """Return what the event adds to all Clout there is."""
    match event:
        case Income(base, sectors, _):
            return base * players + sum(sum(payout.paid) for payout in sectors)
        case Relinquished(_, lost):
            return -sum(lost)
        case Overseen(bids):
            return -sum(bids)
        case Awarded(price=price):
            return -price
        case Expanded(_, sectors):
            return -len(sectors)
    return 0


@settings(max_examples=thorough.budget(3, full=150), deadline=None)
@given(tables(8), seeds)
def test_what_is_asked_is_what_the_board_says(options: Options, seed: str) -> None:
    """Z6.3, Z3.9, Z3.11: valid sectors against the rule read literally; whoever is asked has a choice."""
    match, dice = SHANGZHOU.start(options, seed, listen=False), Dice.of(seed)
    while not match.over:
        for seat, question in match.questions.items():
            if isinstance(question, ToExpand):
                assert question.valid == (plain_valid(match.at, seat) if match.at.clout[seat] else [])
                assert question.valid or question.fights
        match.apply({seat: drawn(question, dice) for seat, question in match.questions.items()})


def plain_valid(position: Position, seat: int) -> list[int]:
    from_here = [position.homes[seat], *(sector for sector in range(64) if position.agents[seat][sector])]

    def near(sector: int, other: int) -> bool:
        return abs(sector // 8 - other // 8) + abs(sector % 8 - other % 8) <= 1

    return [to for to in range(64) if position.zones[to] != "R" and any(near(to, start) for start in from_here)]


@settings(max_examples=thorough.budget(5, full=200), deadline=None)
@given(tables(6), seeds)
def test_whatever_goes_with_an_answer_never_raises(options: Options, seed: str) -> None:
    """Z2.19, Z2.20: gifts and uses of all kinds, most of which cannot be, leave the rest of the answer as it is."""
    match, dice = SHANGZHOU.start(options, seed, listen=False), Dice.of(seed)
    while not match.over:
        match.apply({seat: loaded(match, seat, dice) for seat in match.questions})
        check_position(match.at)


def loaded(match: Match[Position], seat: int, dice: Dice) -> Record:
    """A drawn answer with odd gifts and uses, or the default if that is refused."""
    question: Any = match.questions[seat]
    answer = question.draw(dice)
    answer.gifts = [
        Gift(to=dice.below(5) - 1, clout=dice.below(4) - 1, hackers=dice.below(2), templates=["P"] * dice.below(3))
        for _ in range(dice.below(4))
    ]
    answer.uses = [Use(dice.pick(("hacker", "virus")), dice.below(80) - 8) for _ in range(dice.below(4))]
    if question.error(answer):
        answer = question.default()
    return answer  # type: ignore[no-any-return]


@settings(max_examples=thorough.budget(2, full=100), deadline=None)
@given(tables(10), seeds)
def test_a_view_hides_the_stack_and_tells_all_else(options: Options, seed: str) -> None:
    """Z3.12, Z4.1: what is imagined from it differs in the order of the stack and the dice alone, and where talk is
    private in how much others said."""
    dice = Dice.of(seed)
    for position in islice(steps(options, seed), 0, None, 7):
        if position.ending:
            continue
        views = [see(position, seat) for seat in range(options.players)]
        assert [view.said[seat] for seat, view in enumerate(views)] == position.said
        plain = {canonical(replace(view, seat=0, said=hidden(view.said, options))) for view in views}
        assert len(plain) == 1
        other = imagine(views[0], [], dice)
        assert sorted(other.stack) == sorted(position.stack)
        assert hidden(other.said, options) == hidden(position.said, options)
        other.stack, other.dice, other.said = position.stack, position.dice, position.said
        assert other == position


def hidden(counts: list[int], options: Options) -> list[int]:
    return [] if options.talk == "private" else counts


def test_a_match_of_defaults_lasts_to_the_cap() -> None:
    """Z2.24, Z5.6, Z7.33"""
    match = SHANGZHOU.start(Options(3), "defaults")
    events = match.hear()
    while not match.over:
        match.apply({seat: question.default() for seat, question in match.questions.items()})
        events += match.hear()
    assert match.at.ending == "cap"
    assert [event.turn for event in events if isinstance(event, TurnBegun)][-1] == 30
    assert not any(isinstance(event, Applied) for event in events)


@settings(max_examples=thorough.budget(2, full=60), deadline=None)
@given(st.integers(2, 4), seeds)
def test_even_busy_players_stay_within_the_bounds(players: int, seed: str) -> None:
    """Z5.7: nobody passes while it can act, and a turn is still over after fewer than 400 decisions."""
    match, dice, turn, questions = (
        SHANGZHOU.start(Options(players, max_turns=8), seed, listen=False),
        Dice.of(seed),
        0,
        0,
    )
    while not match.over:
        questions = questions + len(match.questions) if match.at.turn == turn else len(match.questions)
        turn = match.at.turn
        assert questions < 400
        match.apply({seat: busy(match, seat, dice) for seat in match.questions})


def busy(match: Match[Position], seat: int, dice: Dice) -> Record:
    """Never passes if anything else is legal, and places one Clout at a time."""
    question = match.questions[seat]
    if isinstance(question, ToExpand) and question.valid:
        return Expand([dice.pick(question.valid)])
    answer = drawn(question, dice)
    for _ in range(20):
        if not isinstance(answer, Pass):
            break
        answer = drawn(question, dice)
    return answer


def test_fights_and_valid_sectors_can_be_asked_for_any_seat() -> None:
    """Z3.9: by bots too."""
    position = SHANGZHOU.start(Options(2), "any").at
    assert valid(position, 0) != valid(position, 1)
    assert fights(position, 0) == []
