"""The map table of docs/games/network.md is the maps."""

import re

from engine.games.network import MAPS, Hex
from tests.games.test_pages import page


def hexes(text: str) -> set[Hex]:
    return {(int(q), int(r)) for q, r in re.findall(r"(-?\d+),(-?\d+)", text)}


def test_the_table_lists_mountains_and_cities_as_they_are() -> None:
    rows = re.findall(r"^\| (small|large) \| ([-\d, ]+) \| ([-\d, ]+) \|$", page("network"), re.MULTILINE)
    assert {name: (hexes(mountains), hexes(cities)) for name, mountains, cities in rows} == {
        name: (set(layout.mountains), set(layout.cities)) for name, layout in MAPS.items()
    }
