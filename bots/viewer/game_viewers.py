"""What games bring for people: the module `viewer` of their package. What it lacks is shown plainly.

It may hold a board (`UNIT`, `draw` and `worth`, all three or none), sentences (`tell`) and forms of answers (`ask`);
besides these what a board recalls (`recall`), icons (`VOCABULARY`), how to read it (`GUIDE`) and what each seat needs
to win (`needs`), what chances are weighed by (`outlook`) and how a difference of scores is written (`margin`).
"""

from functools import cache
from types import ModuleType
from typing import Any, Final

from bots.games import module_of
from engine.outside import VARIABLE, BadGame

BOARD: Final = ("UNIT", "draw", "worth")
ALL: Final = (*BOARD, "tell", "ask")


def part_of(game: str, name: str, otherwise: Any) -> Any:
    """Return that part of the game's viewer, or ours that does for any game."""
    return getattr(viewer_of(game), name, otherwise)


@cache
def viewer_of(game: str) -> ModuleType | None:
    """Return the game's viewer, None without one. Raises BadGame if it is there, and is none."""
    viewer = module_of(game, "viewer")
    if viewer is None:
        return None
    held = [name for name in ALL if hasattr(viewer, name)]
    if not held:
        raise BadGame(f"{VARIABLE}: {viewer.__name__} holds none of {', '.join(ALL)}.")
    if 0 < len(set(held) & set(BOARD)) < len(BOARD):
        board = ", ".join(BOARD)
        raise BadGame(f"{VARIABLE}: {viewer.__name__} has {', '.join(held)}; a board is {board}, all three of them.")
    return viewer
