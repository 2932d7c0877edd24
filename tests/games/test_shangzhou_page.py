"""The tables of docs/games/shangzhou.md are the tiles and the options."""

import json
import re
from dataclasses import fields

from bots.games.shangzhou import commentary as story
from engine.games.shangzhou import HOMES, TILES, Options
from tests.games.test_pages import page


def test_the_table_of_tiles_lists_each_with_its_name_and_number() -> None:
    """Z1.2"""
    rows = re.findall(r"^\| ([A-Z]) \| ([A-Za-z ]+) \| (\d+) \|", page("shangzhou"), re.MULTILINE)
    assert {tile: int(number) for tile, _, number in rows} == TILES
    assert {tile: name for tile, name, _ in rows} == story.TILES


def test_the_board_is_drawn_with_its_sectors_and_the_homes_are_named() -> None:
    """Z1.1, Z1.6"""
    board = re.findall(r"^[ \d]\d(?: [ \d]\d){7}", page("shangzhou"), re.MULTILINE)
    rows = [[int(number) for number in row.split()] for row in board]
    assert sorted(number for row in rows for number in row) == list(range(64))
    assert rows == [list(range(row, row + 8)) for row in range(56, -1, -8)]
    homes = re.search(r"(\d+) and (\d+), (\d+) and (\d+) are the places of Home Nodes", page("shangzhou"))
    assert homes
    assert sorted(map(int, homes.groups())) == list(HOMES)


def test_the_table_of_options_lists_each_with_its_default() -> None:
    """Z1.34"""
    table = page("shangzhou").split("| option | default |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| `?([^`|]+?)`? \|", table, re.MULTILINE)
    assert {name: json.loads(default) for name, default in rows} == {
        option.name: option.default for option in fields(Options)
    }
