"""What shows each game and plays it: a package for each, ours in this folder, and those of games from outside.

docs/add-a-game.md says which modules a package may have. Each is loaded when it is first asked for.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final

from engine.games import OUTSIDE, OWN
from engine.outside import import_package

PACKAGES: Final = {
    **{game: f"{__name__}.{game}" for game in OWN},
    **{outside.game.name: outside.package for outside in OUTSIDE},
}
FOLDERS: Final = {
    **{game: Path(__file__).parent / game for game in OWN},
    **{outside.game.name: outside.folder for outside in OUTSIDE},
}


def has_module(game: str, name: str) -> bool:
    """Return whether the package of the game has a module of that name."""
    return find_spec(f"{PACKAGES[game]}.{name}") is not None


@cache
def module_of(game: str, name: str) -> ModuleType | None:
    """Return the module of that name in the package of the game, None without one. Raises BadGame."""
    return import_package(f"{PACKAGES[game]}.{name}") if has_module(game, name) else None
