"""What each player of Kaiju Incorporated lacks: what the line says brings at least the points that it names."""

import re
from copy import deepcopy

import pytest

from bots.games.kaiju.board.words import CITIES
from bots.games.kaiju.guide import needs, products_to_come
from engine.games.kaiju import BUILDING, KAIJU, NAMES, Position
from engine.games.kaiju.pieces import RESEARCH_SPACES
from tests.bots.viewer.replays import positions, replay_of
from tests.games.kaiju_tables import player, table
from tests.games.record import recordings_of

CALLED = ["Ann", "Ben", "Cleo", "Dan", "Eve"]
RESEARCH = re.compile(r"(\d) research for the ([^(]+) \(\+(\d+)\)")
HOME = re.compile(r"(\d+) more Buildings? in ([\w ]+) \(\+(\d+)\)")
ABROAD = re.compile(r"a Building in a new city \(\+(\d+)\)")
END = re.compile(r"once (\d+) more New Products? (?:is|are) taken")
EVERY = 9


def with_buildings(position: Position, seat: int, city: str, number: int) -> int:
    """Return the points of a seat that has so many more Buildings there."""
    then, spare = deepcopy(position), [card for card, house in BUILDING.items() if house.city == city]
    then.players[seat].tableau += spare[:number]
    return KAIJU.scores(then)[seat]


@pytest.mark.parametrize("name", recordings_of("kaiju"))
def test_each_way_to_points_is_one(name: str) -> None:
    for position in positions(replay_of(name), EVERY):
        assert isinstance(position, Position)
        points = KAIJU.scores(position)
        for seat, line in enumerate(needs(position, CALLED[: len(points)])):
            me = position.players[seat]
            if match := RESEARCH.search(line):
                assert me.research + int(match[1]) == RESEARCH_SPACES
                then = deepcopy(position)
                then.players[seat].products.append(next(card for card in position.display if NAMES[card] == match[2]))
                assert KAIJU.scores(then)[seat] == points[seat] + int(match[3])
            if match := HOME.search(line):
                assert match[2] == CITIES[me.city]
                assert with_buildings(position, seat, me.city, int(match[1])) >= points[seat] + int(match[3])
            if match := ABROAD.search(line):
                [city, *_] = [city for city in CITIES if all(BUILDING[card].city != city for card in me.tableau)]
                assert with_buildings(position, seat, city, 1) >= points[seat] + int(match[1])


@pytest.mark.parametrize("name", ["kaiju-3", "kaiju-4"])
def test_the_game_ends_with_the_new_product_that_the_leader_is_told(name: str) -> None:
    """A product that is taken turns up the next, and the one that turns up a Handbag is the last that is counted."""
    run = [position for position in positions(replay_of(name), 1) if isinstance(position, Position)]
    before = [sum(len(player.products) for player in position.players) for position in run]
    last = next(number for number, position in enumerate(run) if position.triggered)
    for position, taken in zip(run[:last], before, strict=False):
        matches = [match for line in needs(position, CALLED[: len(position.players)]) if (match := END.search(line))]
        assert all(int(match[1]) == products_to_come(position) + 1 for match in matches)
        assert taken + products_to_come(position) + 1 <= before[last]


def test_a_tie_at_the_end_is_told_with_what_breaks_it() -> None:
    position = table(
        player("H01", bank=3), player("H04", city="MOS", bank=5), player("H07", city="HKG"), ended="handbag"
    )
    position.players[2].tableau.clear()
    assert needs(position, CALLED[:3])[1] == "level with Ann in front; has more in the bank"
    assert needs(position, CALLED[:3])[0] == "level with Ben in front"
