"""Whole games of Network: recorded ones, invariants, and what every game must pass."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance import check
from engine.core import Match
from engine.dice import Dice
from engine.game import AnyGame
from engine.games.network import NETWORK, Built, Options, PaidOut, Pass, Position, Sold, ToTurn, Unsold, UpkeepPaid
from engine.games.network.pieces import Kind
from engine.games.network.routes import Land, land_of
from engine.records import Record, canonical, to_plain
from tests import thorough
from tests.games.record import RECORDINGS, events_in, recordings_of

GAME: AnyGame = NETWORK
tables = st.builds(
    Options,
    players=st.integers(2, 6),
    map=st.sampled_from(["auto", "small", "large", "generated"]),
    first=st.sampled_from(["random", 0, 1]),
    bank_buys_unsold=st.booleans(),
)
seeds = st.integers(0, 10**6).map(str)


def test_the_recorded_games_show_each_way_to_end_each_map_and_each_option() -> None:
    """N-E1, N-O2, N-O3, N-O15"""
    games = [events_in(name) for name in recordings_of("network")]
    assert {game[-1].reason for game in games} == {"all_pass", "sold_out", "cap"}  # type: ignore[attr-defined]
    options = [NETWORK.read_options(RECORDINGS[name].options) for name in recordings_of("network")]
    assert {option.map for option in options} == {"auto", "small", "large", "generated"}
    assert {option.bank_buys_unsold for option in options} == {True, False}
    assert {option.first == "random" for option in options} == {True, False}


def test_the_recorded_games_show_leases_pools_and_cities() -> None:
    """N-F18, N-F23, N-F31, N-F33"""
    events = [event for name in recordings_of("network") for event in events_in(name)]
    assert {event.reason for event in events if isinstance(event, PaidOut)} == {"city", "lease"}
    assert {event.to for event in events if isinstance(event, Sold)} == {"treasury", "bank"}
    assert {event.source for event in events if isinstance(event, Unsold)} == {"hand", "bank"}
    assert any(event.pooled for event in events if isinstance(event, UpkeepPaid))
    assert any(len(event.path) > 1 for event in events if isinstance(event, Built))


@settings(max_examples=thorough.budget(3, full=80), deadline=None)
@given(tables, seeds)
def test_it_is_a_game_as_all_games_must_be(options: Options, seed: str) -> None:
    """N-V1, N-V2, N-D1, N-D2, N-D3: re-entry, bytes, refusals, secrets, JSON, end; seed and answers are enough."""
    check(GAME, options, seed)


@settings(max_examples=thorough.budget(4, full=80), deadline=None)
@given(tables, seeds)
def test_a_question_tells_the_sites_of_its_moment_whenever_it_is_read(options: Options, seed: str) -> None:
    match, dice = GAME.start(options, seed), Dice.of(seed)
    asked: list[tuple[str, Record]] = []
    while not match.over:
        afresh = Match(GAME.rules, GAME.read_position(to_plain(match.at)))
        asked += [(canonical(afresh.questions[seat]), question) for seat, question in match.questions.items()]
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
    assert [then for then, _ in asked] == [canonical(question) for _, question in asked]


def check_position(position: Position) -> None:
    """Shares are neither made nor lost, a share value is what its hexes say, nobody owes."""
    for company in range(position.options.players):
        built = sum(value for owner, value in zip(position.owner, position.value, strict=True) if owner == company)
        assert position.share_value[company] == 5 + built
        assert position.auctioned(company) + position.unauctioned[company] + position.pool[company] == 5
        assert position.auctioned(company) >= 1
    assert all(
        (owner < 0) == (value == 0) and value <= 5 for owner, value in zip(position.owner, position.value, strict=True)
    )
    assert min(*position.cash, *position.treasury, *position.unauctioned, *position.pool) >= 0


@settings(max_examples=thorough.budget(10, full=400), deadline=None)
@given(tables, seeds)
def test_shares_values_and_money_hold_at_every_step(options: Options, seed: str) -> None:
    """N-A4, N-F5, N-F9, N-O6: what is kept up step by step equals what is counted afresh."""
    match, dice = NETWORK.start(options, seed), Dice.of(seed)
    turns = 0
    while not match.over:
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
        check_position(match.at)
        turns = match.at.turn
    standard = sum(kind in ("standard", "city") for kind in match.at.board.kinds)
    assert turns <= (standard + 8 * options.players + 1) * options.players
    assert match.at.ending != "cap"


@settings(max_examples=thorough.budget(2, full=100), deadline=None)
@given(st.integers(2, 6), seeds)
def test_even_players_who_only_hinder_come_to_an_end(players: int, seed: str) -> None:
    """N-E3, N-O4: pooled shares that nobody wants are passes."""
    match, dice = NETWORK.start(Options(players), seed), Dice.of(seed)
    while not match.over:
        match.apply({seat: hindering(match, seat, dice) for seat in match.questions})
    assert match.at.ending != "cap"


def hindering(match: Match[Position], seat: int, dice: Dice) -> Record:
    """Offers, and bids nothing; a pass now and then."""
    question = match.questions[seat]
    if not isinstance(question, ToTurn):
        return question.default()
    return question.draw(dice) if dice.below(3) else Pass()


def test_what_is_kept_of_the_land_as_it_grows_is_what_a_new_look_finds() -> None:
    lots, most = Dice.of("grows"), 0
    for number in range(12):
        match = GAME.start(GAME.read_options({"players": 4}), f"grows/{number}")
        while not match.over:
            match.move({seat: question.draw(lots) for seat, question in match.questions.items()})
            kept, fresh = land_of(match.at), Land.of(match.at.board, match.at.owner, match.at.value)
            assert (kept.built, kept.access) == (fresh.built, fresh.access)
            most = max(most, len(kept.built))
    assert most > 10


KINDS: tuple[Kind | None, ...] = (None, "city", "standard")


def test_a_site_looked_at_alone_is_what_the_list_says() -> None:
    lots, leased = Dice.of("alone"), 0
    for number in range(6):
        match = GAME.start(GAME.read_options({"players": 4, "map": "generated"}), f"alone/{number}")
        while not match.over:
            match.move({seat: question.draw(lots) for seat, question in match.questions.items()})
            position = match.at
            for company, kind in product(range(4), KINDS):
                listed = Land.of(position.board, position.owner, position.value).reach(company, 30, 3, kind).all()
                alone = Land.of(position.board, position.owner, position.value).reach(company, 30, 3, kind)
                assert [alone[place] for place in range(len(alone))] == listed
                assert [alone.on(site.hex) for site in listed] == listed
                assert {position.board.hexes[place]: chips for place, chips in alone.chips.items()} == {
                    site.hex: site.most for site in listed
                }
                assert alone.on((0, 0)) is None
                leased += sum(bool(site.routes) for site in listed)
    assert leased > 100
