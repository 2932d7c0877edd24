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


def with_buildings(at: Position, seat: int, city: str, number: int) -> int:
    """The points of a seat that has so many more Buildings there."""
    then, spare = deepcopy(at), [card for card, house in BUILDING.items() if house.city == city]
    then.players[seat].tableau += spare[:number]
    return KAIJU.scores(then)[seat]


@pytest.mark.parametrize("name", recordings_of("kaiju"))
def test_each_way_to_points_is_one(name: str) -> None:
    for at in positions(replay_of(name), EVERY):
        assert isinstance(at, Position)
        points = KAIJU.scores(at)
        for seat, line in enumerate(needs(at, CALLED[: len(points)])):
            me = at.players[seat]
            if found := RESEARCH.search(line):
                assert me.research + int(found[1]) == RESEARCH_SPACES
                then = deepcopy(at)
                then.players[seat].products.append(next(card for card in at.display if NAMES[card] == found[2]))
                assert KAIJU.scores(then)[seat] == points[seat] + int(found[3])
            if found := HOME.search(line):
                assert found[2] == CITIES[me.city]
                assert with_buildings(at, seat, me.city, int(found[1])) >= points[seat] + int(found[3])
            if found := ABROAD.search(line):
                [city, *_] = [city for city in CITIES if all(BUILDING[card].city != city for card in me.tableau)]
                assert with_buildings(at, seat, city, 1) >= points[seat] + int(found[1])


@pytest.mark.parametrize("name", ["kaiju-3", "kaiju-4"])
def test_the_game_ends_with_the_new_product_that_the_leader_is_told(name: str) -> None:
    """Every product taken turns up the next, and the one that turns up a Handbag is the last that is counted."""
    run = [at for at in positions(replay_of(name), 1) if isinstance(at, Position)]
    before = [sum(len(player.products) for player in at.players) for at in run]
    last = next(number for number, at in enumerate(run) if at.triggered)
    for at, taken in zip(run[:last], before, strict=False):
        told = [found for line in needs(at, CALLED[: len(at.players)]) if (found := END.search(line))]
        assert all(int(found[1]) == products_to_come(at) + 1 for found in told)
        assert taken + products_to_come(at) + 1 <= before[last]


def test_a_tie_at_the_end_is_told_with_what_breaks_it() -> None:
    at = table(player("H01", bank=3), player("H04", city="MOS", bank=5), player("H07", city="HKG"), ended="handbag")
    at.players[2].tableau.clear()
    assert needs(at, CALLED[:3])[1] == "level with Ann in front; has more in the bank"
    assert needs(at, CALLED[:3])[0] == "level with Ben in front"
