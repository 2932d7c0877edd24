"""The board of Corporate Gigabucks."""

import pytest

from bots.games.gigabucks import board as gigabucks
from bots.games.gigabucks.board.centre import seats_to_answer
from bots.games.gigabucks.board.lately import recall
from bots.games.gigabucks.commentary import tell
from bots.viewer.boards import NOBODY
from bots.viewer.svg import Picture
from engine.core import Event
from engine.games.gigabucks import (
    Bundle,
    Choose,
    Due,
    Exit,
    Lines,
    Moved,
    Offer,
    Owned,
    Paid,
    Position,
    Royalty,
    TurnBegun,
    Won,
)
from tests.bots.viewer.drawn import check_drawing, check_names, check_secrets, moments, parse, texts
from tests.games.gigabucks_tables import answer, bids, going, seed_board, table
from tests.games.record import recordings_of

CALLED = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"]
GAMES = recordings_of("gigabucks")


def draw(position: Position, *shown: int) -> Picture:
    return gigabucks.draw(position, CALLED[: position.options.players], frozenset(shown))


def words(position: Position, part: str) -> str:
    return " ".join(texts(draw(position).parts[part]))


@pytest.mark.parametrize("name", GAMES)
def test_every_moment_of_a_recorded_game_can_be_drawn(name: str) -> None:
    check_drawing(name)


@pytest.mark.parametrize("name", GAMES)
def test_who_is_about_to_leave_shows_to_nobody_else(name: str) -> None:
    check_secrets(name)


def test_names_are_words_and_not_markup() -> None:
    check_names(GAMES[0])


@pytest.mark.parametrize("name", GAMES)
def test_those_who_are_asked_are_known_from_the_position(name: str) -> None:
    for match, _names in moments(name):
        assert sorted(seats_to_answer(match.at)) == sorted(match.questions)


def test_a_space_shows_its_number_its_owner_and_its_lines() -> None:
    drawn = draw(seed_board(owner=2)).parts
    assert texts(drawn["space-28"]) == ["28", "2", "4"]
    assert texts(drawn["space-25"]) == ["25", "2"]
    assert texts(drawn["space-3"]) == ["3"]
    assert "seat-2" in drawn["space-28"]


def test_an_inactive_space_keeps_its_lines() -> None:
    drawn = draw(table(owner={5: None}, lines={5: 7})).parts["space-5"]
    assert texts(drawn) == ["5", "7"]
    assert "gb-inactive" in drawn


def test_more_lines_make_a_longer_bar() -> None:
    def height(lines: int) -> float:
        *_, number = parse(f"<g>{draw(table(owner={0: 1}, lines={0: lines})).parts['space-0']}</g>").iter("text")
        return float(number.get("y", ""))

    assert height(1) > height(2) > height(30) > height(200)


def test_a_token_stands_before_its_space_and_leaves_with_its_player() -> None:
    position = table(tokens=[28, 7, None, 9], exits=[Exit(2, 8, "bankrupt")])
    drawn = draw(position).parts
    assert texts(drawn["token-0"]) == ["0"]
    assert "gb-halo" in drawn["token-0"]
    assert "gb-halo" not in drawn["token-1"]
    assert drawn["token-2"] == ""
    assert words(position, "holding-2") == "bankrupt in turn 8"


def test_a_purchase_of_lines_changes_their_spaces_and_what_is_held() -> None:
    match = going(seed_board(owner=1, tokens=[28, 5, 6, 7]), "diversify", "end")
    bids(match, 2)
    before = draw(match.at)
    answer(match, Lines({"25": 2, "26": 1}))
    changed = set(draw(match.at).changes(before))
    assert {name for name in changed if name.startswith("space")} == {"space-25", "space-26"}
    assert {f"cash-{seat}" for seat in range(4)} < changed


def test_an_auction_shows_the_lot_the_price_and_who_is_still_in() -> None:
    match = going(table(tokens=[28, 5, 6, 7]), "charter", "end")
    sentence = "Charter of space 28 the winner pays each opponent"
    assert words(match.at, "sale") == f"{sentence} no bid yet 0 1 2 3 still in"
    bids(match, 4, 0)
    assert "$4 1" in words(match.at, "sale")
    assert "gb-lot" in draw(match.at).parts["lots"]
    assert "Dan bids" in draw(match.at).says


def test_an_offer_shows_its_bundles_and_then_what_is_left_of_a_long_menu() -> None:
    match = going(table(owner=dict.fromkeys(range(2, 8), 0), tokens=[2, 30, 31, 32]), "offer", "diversify", "end")
    assert words(match.at, "sale") == "may offer corporations for sale"
    answer(match, Offer([Bundle([2], 9), Bundle([3, 4], 20), Bundle([5], 8), Bundle([6], 7)]))
    assert "2 from $9 3, 4 from $20 and 2 more $7 or more" in words(match.at, "sale")
    assert draw(match.at).parts["lots"].count("gb-lot") == 5
    bids(match, 25, 0, 0)
    assert "takes what it has bid for" in words(match.at, "sale")
    answer(match, Choose(1))
    assert "Product lines" in words(match.at, "sale")


def test_royalties_are_told_and_their_conglomerate_is_marked() -> None:
    position = seed_board(owner=1, tokens=[28, 5, 6, 7], due=Due(1, 15), to_do=["offer", "end"])
    assert words(position, "turn") == "0 Ann on space 28, paid seat 1 $15"
    assert draw(position).parts["lots"].count("gb-due") == 8
    position.to_do[0] = "liquidate"
    assert "owes seat 1 $15" in words(position, "turn")


def test_a_plan_to_resign_shows_to_those_who_know_of_it() -> None:
    position = table(leaving=[False, True, False, False])
    assert "resigns when this turn ends" in texts(draw(position, 1).parts["holding-1"])
    assert draw(position, 0, 2).parts == draw(position).parts != draw(position, 1).parts


def test_players_sit_in_the_order_of_turns() -> None:
    position = table(order=[3, 1, 0, 2])
    assert [texts(draw(position).parts[f"player-{place}"])[0] for place in range(4)] == ["3", "1", "0", "2"]
    tops = [draw(position).places[f"plate-{place}"].y for place in range(4)]
    assert tops == sorted(set(tops))


@pytest.mark.parametrize("spaces", [12, 42, 57, 100])
def test_a_ring_of_any_size_is_drawn(spaces: int) -> None:
    position = table(2, owner={0: 1, spaces - 1: 1}, options={"spaces": spaces})
    assert len([name for name in draw(position).parts if name.startswith("space-")]) == spaces


def test_worth_is_what_the_game_scores() -> None:
    position = seed_board(owner=1, cash=[10, 120, 0, 5], exits=[Exit(2, 8, "resigned")])
    assert gigabucks.worth(position) == [10, 195, 0, 5]
    assert words(position, "holding-1") == "8 spaces, 25 lines: $120 + $75 = worth $195"
    assert "Ann $10, Ben $120, Cleo resigned, Dan $5" in draw(position).says


def test_the_end_is_told() -> None:
    position = table(to_do=[], exits=[Exit(2, 8, "bankrupt")])
    assert words(position, "turn") == "The game is over"
    assert gigabucks.draw(position, CALLED[:4], NOBODY).says.startswith("Turn 9. The game is over. In hand: ")


TOLD: list[Event] = [
    Won("charter", 2, 7),
    Owned([3], 2),
    TurnBegun(4, 0),
    Moved(0, [6, 5], 3, 0),
    Paid(0, [2], 9, "royalty"),
    Owned([8], None),
]


def test_the_centre_shows_the_dice_of_the_turn_and_the_latest_deals() -> None:
    drawn = recall(table(), TOLD)["lately"]
    assert drawn.count("gb-spot") == 6 + 5
    assert texts(drawn) == ["latest deals", "0", "pays seat 2 $9", "2", "gets 3 for $7"]
    assert recall(table(), [*TOLD, TurnBegun(5, 1)])["lately"].count("gb-spot") == 0


def test_while_there_is_an_auction_the_two_latest_deals_stand_in_a_corner() -> None:
    position = going(table(tokens=[28, 5, 6, 7]), "charter", "end").at
    drawn = recall(position, TOLD)["lately"]
    assert texts(drawn) == ["latest deals", "0", "pays seat 2 $9", "2", "gets 3 for $7"]
    assert drawn != recall(table(), TOLD)["lately"]


def test_nothing_that_is_owed_is_no_line() -> None:
    lines = [tell(Royalty(0, 1, 5, {}, amount), ["Ann", "Ben"]) for amount in (0, 3)]
    assert [line is None for line in lines] == [True, False]
