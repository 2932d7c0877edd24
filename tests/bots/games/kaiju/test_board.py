"""The board of Kaiju Incorporated."""

from typing import Any

import pytest

from bots.games.kaiju import board as kaiju
from bots.games.kaiju.board.cards import card, product_card, tag, tile
from bots.games.kaiju.board.words import CHOICES, EFFECT, SPECIALLY, actor, task
from bots.viewer.boards import NOBODY
from bots.viewer.svg import Picture
from engine.games.kaiju import NAMES, Gain, Income, Owed, Position, Take
from tests.bots.viewer.drawn import check_drawing, check_names, check_secrets, moments, parse, texts
from tests.games.kaiju_tables import begin, carmen_and_david, player, table
from tests.games.record import recordings_of

CALLED = ["Ann", "Ben", "Carmen", "David", "Eve"]
GAMES = recordings_of("kaiju")
HOME = ("H01", "H02", "H03")
TOLD = {
    "turn": "takes a card",
    "product": "takes a New Product",
    "sacrifice": "loses a Building",
    "prefab": CHOICES["S02"],
    "insure": CHOICES["S04"],
    "suit": CHOICES["S05"],
    "takeover": CHOICES["S07"],
    "rival": CHOICES["S10"],
}


def draw(position: Position) -> Picture:
    return kaiju.draw(position, CALLED[: position.options.players], NOBODY)


def titles(markup: str) -> list[str]:
    return [title.text or "" for title in parse(f"<svg>{markup}</svg>").iter("title")]


def words(position: Position, part: str) -> str:
    return " ".join(texts(draw(position).parts[part]))


@pytest.mark.parametrize("name", GAMES)
def test_every_moment_of_a_recorded_game_can_be_drawn(name: str) -> None:
    check_drawing(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_order_of_the_decks_does_not_show(name: str) -> None:
    check_secrets(name)


def test_names_are_words_and_not_markup() -> None:
    check_names(GAMES[0])


@pytest.mark.parametrize("name", GAMES)
def test_who_is_asked_what_is_known_from_the_position(name: str) -> None:
    for match, _names in moments(name):
        seats = list(match.questions)
        assert seats == ([] if actor(match.at) is None else [actor(match.at)])
        assert all(TOLD[question.tag] in task(match.at) for question in match.questions.values())


def test_who_is_asked_is_framed() -> None:
    parts = draw(table(player(*HOME), player(), player(), goes=[1, 2])).parts
    assert [seat for seat in range(3) if "chosen" in parts[f"plate-{seat}"]] == [1]


def test_all_cards_have_faces_and_texts() -> None:
    for id_ in NAMES:
        faces: dict[str, Any] = {
            "H": [tile],
            "B": [card, tile],
            "S": [card],
            "N": [product_card, lambda product: tag(product, 3)],
        }
        for face in faces.get(id_[0], []):
            parse(face(id_))
        assert id_[0] != "S" or all(SPECIALLY[id_])
        assert id_[0] != "K" or EFFECT[id_]


def test_a_building_shows_its_suit_its_city_and_what_it_brings() -> None:
    assert texts(tile("B20")) == ["I TYO", "2", "2", "2"]
    assert texts(tile("B10")) == ["C SYD", "1", "-1"]


def test_what_pays_on_a_rivals_turn_is_hollow() -> None:
    assert "kj-hollow" in tile("B12")
    assert "kj-hollow" not in tile("B03")


def test_a_tableau_lies_by_suit_and_timing() -> None:
    position = table(player("H03", "B12", "H02", "H01"), player(), player())
    assert texts(draw(position).parts["tableau-0"])[::2][0] == "C TYO"
    assert [word for word in texts(draw(position).parts["tableau-0"]) if " " in word] == [
        "C TYO",
        "C TYO",
        "I TYO",
        "T TYO",
    ]


def test_of_a_large_tableau_buildings_of_a_kind_lie_on_a_heap() -> None:
    position = table(player(*(f"B{number:02}" for number in range(1, 21))), player(), player())
    heaps = [word for word in texts(draw(position).parts["tableau-0"]) if "×" in word]
    assert sum(int(word.split("×")[1]) for word in heaps) == 20
    assert len(heaps) == 3
    assert "×" not in draw(table(player(*HOME), player(), player())).parts["tableau-0"]


def test_a_new_product_shows_what_it_brings_now() -> None:
    position = table(player(*HOME, products=["N01", "N16", "N20"]), player(), player())
    assert texts(draw(position).parts["products-0"]) == ["C", "1", "cities", "1", "bag", "2"]


def test_to_take_income_changes_little() -> None:
    match = begin(player(*HOME), player("H04"), player("H07"), row=["B22", "S01", "B31"], deck=[])
    before = draw(match.at)
    match.apply({0: Income("S01")})
    changed = set(draw(match.at).changes(before))
    of_players = {"plate-0", "plate-1", "tracks-0"}
    on_phones = {f"slim-{part}" for part in of_players}
    assert changed == {"turn", "now", "left", "row-1", "row-2", *of_players, *on_phones}


def test_an_attack_marks_what_it_may_take() -> None:
    position = table(player("H01", "B02", "B12"), player(), player(), threat="K01", owed=Owed(0, 0, 1))
    drawn = draw(position).parts["tableau-0"]
    assert drawn.count("kj-aim") == 2
    assert "loses a Building to Girdersaur" in words(position, "turn")


def test_income_yet_to_come_is_told() -> None:
    position = table(player(*HOME), player(), player(), owed=Owed(0, 2, 1), gains=[Gain(2, "R", 3, 0, -1)])
    assert words(position, "now") == "Income: Ann 2 New Products and 1 attack; then Carmen 3¥ −1 Kaiju"


def test_cards_turned_up_by_a_special_action_lie_over_the_display() -> None:
    position = table(player(*HOME), player(), player(), special="S02", revealed=["B16", "S05", "B20"], step=1)
    assert "Armour Plate" in words(position, "revealed")
    assert words(position, "now").startswith("Prefab Contract: turn up 3 cards")


def test_the_sixth_card_keeps_its_place() -> None:
    two = table(player(*HOME), player("H04"), row=["B22"], sixth="B31")
    assert "Tremor App" in words(two, "sixth")
    assert texts(draw(two).parts["row-1"]) == []


def test_the_threat_says_what_it_does_and_whether_it_has_struck() -> None:
    match = carmen_and_david()
    assert words(match.at, "threat") == "Mortarra Whose Kaiju wheel is round: lose a Rival's Turn Construction Building"
    match.apply({2: Income("B20")})
    assert words(match.at, "threat").endswith("has struck")
    match.apply({3: Take("N01")})
    assert "Mortarra" not in words(match.at, "threat")


def test_worth_is_victory_points_and_what_they_are_for_is_told() -> None:
    position = table(player(*HOME, "B16", products=["N20"]), player("H04"), player("H07"))
    assert kaiju.worth(position) == [8, 0, 5]
    assert texts(draw(position).parts["points-0"]) == ["8", "VP", "2 cities +1", "majority +5"]
    assert titles(draw(position).parts["points-0"]) == [
        "8 victory points: New Products 2, different cities 1, majority 5"
    ]
    assert "Ann 8, Ben 0, Carmen 5" in draw(position).says


def test_wheels_bank_and_skyline_say_what_they_count() -> None:
    position = table(player(*HOME, bank=7, research=3, kaiju=4), player("H04"), player("H07"))
    parts = draw(position).parts
    assert titles(parts["tracks-0"]) == [
        "In the bank: 7¥ of 11 at most",
        "Research: 3 of 5 steps to the next New Product",
        "Kaiju: 4 of 6 steps to the next attack",
    ]
    assert titles(parts["wide-scene"])[:2] == ["Tokyo: 3 Buildings", "Moscow: 1 Building"]
    assert titles(parts["threat"]) == ["Tollgator attacks whoever’s Kaiju wheel comes round"]


def test_the_last_turn_and_the_end_are_told() -> None:
    position = table(player(*HOME), player(), player(), triggered=True)
    assert "the last one" in words(position, "turn")
    position.ended = "handbag"
    assert words(position, "turn") == "Turn 1 seat 0 begins The game is over"
