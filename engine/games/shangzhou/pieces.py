"""The board, the tiles and the numbers of the rulebook, as data.

A sector is a number from 0 to 63, row by row. A tile is a letter: C Commerce, P Production, U Public, S Storage,
R Restricted, N Critical Node, and H Hacker and V Virus, which are kept in the hand.
"""

from typing import Final, Literal

Template = Literal["C", "P", "U", "S", "R", "N"]  # a tile that is put on the board
Tile = Literal["C", "P", "U", "S", "R", "H", "V", "N"]
Zone = Literal["", "home", "C", "P", "U", "S", "R", "N"]  # what lies on a sector, "" for nothing

TILES: Final[dict[Tile, int]] = {"C": 18, "P": 18, "U": 12, "S": 12, "R": 6, "H": 5, "V": 5, "N": 4}
NODES: Final = TILES["N"]

SIDE: Final = 8
SECTORS: Final = range(SIDE * SIDE)
HOMES: Final = (9, 14, 49, 54)  # one step in from each corner
OPPOSITE: Final = ((9, 54), (14, 49))

BASE_INCOME: Final = 4
PRODUCED: Final = 3  # Clout of a Production sector
DIE: Final = 6
DISPLAYED: Final = 4  # tiles a turn
MOST_PLACED: Final = 3  # Clout in one action
CLOUT_GOAL, SECTOR_GOAL = 25, 33

OFFERS: Final = 2  # of a player in a trade window
TOOLS: Final = TILES["H"] + TILES["V"]
MESSAGES, SAYINGS = 2, 200  # most with one answer, and of one seat in a match
LETTERS: Final = 200  # most in a message


def neighbours(sector: int) -> list[int]:
    """Return the sectors beside it; diagonals are not adjacent."""
    row, column = divmod(sector, SIDE)
    places = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [SIDE * r + c for r, c in places if 0 <= r < SIDE and 0 <= c < SIDE]


NEAR: Final = tuple((sector, *neighbours(sector)) for sector in SECTORS)  # each sector with its neighbours
