"""What games from outside bring for people: the module `viewer` of their package. What it lacks is shown plainly.

It may hold a board (`UNIT`, `draw` and `worth`, all three or none), sentences (`tell`) and forms of answers (`ask`).
"""

from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from engine.games import OUTSIDE
from engine.outside import VARIABLE, BadGame, imported

PACKAGES: Final = {outside.game.name: outside.package for outside in OUTSIDE}
BOARD: Final = ("UNIT", "draw", "worth")
ALL: Final = (*BOARD, "tell", "ask")


def part(game: str, name: str, otherwise: Any) -> Any:
    """That function of the game's viewer, or ours that does for any game."""
    return getattr(viewer_of(game), name, otherwise)


@cache
def viewer_of(game: str) -> ModuleType | None:
    """Raises BadGame if it is there, and is none. Not before it is asked for: it imports what a board is made of."""
    name = f"{PACKAGES[game]}.viewer"
    if find_spec(name) is None:
        return None
    viewer = imported(name)
    held = [part for part in ALL if hasattr(viewer, part)]
    if not held:
        raise BadGame(f"{VARIABLE}: {name} holds none of {', '.join(ALL)}.")
    if 0 < len(set(held) & set(BOARD)) < len(BOARD):
        raise BadGame(f"{VARIABLE}: {name} has {', '.join(held)}; a board is {', '.join(BOARD)}, all three of them.")
    return viewer
