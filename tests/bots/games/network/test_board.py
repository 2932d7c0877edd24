"""The board of Network."""

import pytest

from bots.games.network import board as network
from bots.viewer.boards import NOBODY
from bots.viewer.svg import Picture
from engine.games.network import Auction, Position
from tests.bots.viewer.drawn import check_drawing, check_names, check_secrets, moments, texts
from tests.games.network_tables import act, answer, begin, shares, table
from tests.games.record import recordings_of

NAMES = ["Ann", "Ben", "Cleo"]
GAMES = recordings_of("network")


def draw(position: Position) -> Picture:
    return network.draw(position, NAMES[: position.options.players], NOBODY)


@pytest.mark.parametrize("name", GAMES)
def test_every_moment_of_a_recorded_game_can_be_drawn(name: str) -> None:
    check_drawing(name)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_is_drawn_is_secret(name: str) -> None:
    check_secrets(name)


def test_names_are_words_and_not_markup() -> None:
    check_names(GAMES[0])


@pytest.mark.parametrize("name", GAMES)
def test_the_one_who_is_asked_is_pointed_at(name: str) -> None:
    for match, _ in moments(name):
        assert network.seat_to_answer(match.at) == next(iter(match.questions), None)


def test_a_built_hex_shows_its_company_and_its_chips() -> None:
    position = table(built={(1, 0): (2, 3)})
    drawn = draw(position).parts[f"hex-{position.board.number[1, 0]}"]
    assert texts(drawn) == ["C", "3"]
    assert drawn.count("<ellipse") == 3


def test_to_build_changes_one_hex_and_what_it_is_paid_with() -> None:
    match = begin(treasury=[9, 5, 5])
    before = draw(match.at)
    answer(match, act(0, 1, 0))
    changed = draw(match.at).changes(before)
    assert [name for name in changed if name.startswith(("hex-", "network-", "company-"))] == [
        f"hex-{match.at.board.number[1, 0]}",
        "network-0",
        "company-0",
    ]


def test_a_company_shows_who_owns_its_shares_who_holds_them_and_what_lies_in_the_pool() -> None:
    position = table(owned=shares(3, p0=(1, 1, 0), p2=(0, 1, 1)), unauctioned=[4, 1, 4], pool=[0, 2, 0])
    assert texts(draw(position).parts["company-1"]) == ["B", "Bay", "$5", "$5", "0", "2", "B"]
    assert draw(position).parts["company-1"].count('"nw-pool"') == 2


def test_an_auction_tells_the_price_and_who_is_still_in() -> None:
    match = begin(unauctioned=[4, 4, 4])
    match.apply({0: Auction(0, "hand", 6)})
    assert texts(draw(match.at).parts["deal"]) == ["From the unsold shares of Ann, for $5 or more; $6 by Ann"]
    assert texts(draw(match.at).parts["bidders"]) == ["1", "2", "0"]


def test_worth_is_cash_and_owned_shares() -> None:
    position = table(cash=[12, 0, 3], owned=shares(3, p0=(2, 1, 0)), share_value=[9, 6, 5])
    assert network.worth(position) == [36, 0, 3]


def test_at_the_end_the_winner_is_told() -> None:
    position = table(cash=[12, 40, 3], ending="all_pass")
    assert texts(draw(position).parts["asked"]) == ["1", "All have passed in a row: Ben wins"]
    assert "Ben, $45" in draw(position).says


def test_a_company_has_a_name_and_says_where_its_routes_go() -> None:
    position = table(built={(1, 0): (2, 3)})
    drawn = draw(position)
    assert 'aria-label="Cape, company 2: 3 on (1, 0)"' in drawn.parts["company-2"]
    assert 'aria-label="Arc, company 0: the start alone"' in drawn.parts["company-0"]
    assert 'data-follow="2"' in drawn.parts[f"hex-{position.board.number[1, 0]}"]
    assert 'role="group"' in drawn.svg()
