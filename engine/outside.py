"""Games from outside: packages that BOARDROOM_GAMES names, each with one game. docs/add-a-game.md shows one.

A package holds `GAME` (an `engine.game.Game`). Beside it lie `rules.md` (its page) and, if it has them, what games of
ours have in `bots/games/GAME/` too: `samples/` (bots), `viewer.py` (its board) and others, which are read where they
are used. Bots import the package in their sandbox, so like the engine it uses the standard library alone.
"""

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from engine.game import AnyGame, Game
from engine.shelf import Shelf

VARIABLE = "BOARDROOM_GAMES"
PACKAGE = re.compile(r"[a-z][a-z0-9_]*")
MOST_PLAYERS = 8
NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")  # it stands in addresses, names of files and names of queues


class BadGame(Exception):
    """Why a package from outside cannot be played, in a sentence."""


@dataclass(frozen=True, slots=True)
class Outside:
    """A game from outside, and the folder of its package."""

    package: str
    folder: Path
    game: AnyGame


def load_games(names: str) -> Iterator[Outside]:
    """Return the games of packages that are named with commas between. Raises BadGame for the first that is none."""
    for package in filter(None, map(str.strip, names.split(","))):
        if not PACKAGE.fullmatch(package):
            raise BadGame(f"{VARIABLE} names {package!r}; a package has a plain name such as 'tender', without dots.")
        module = import_package(package)
        yield Outside(package, folder_of(module), _game_of(module))


def import_package(name: str) -> ModuleType:
    """Import the package and return it. Raises BadGame with what went wrong."""
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise BadGame(f"{VARIABLE}: {name} cannot be imported: {type(error).__name__}: {error}.") from error


def folder_of(module: ModuleType) -> Path:
    if not module.__file__ or not hasattr(module, "__path__"):
        raise BadGame(f"{VARIABLE}: {module.__name__} is no package; it must be a folder with an __init__.py.")
    return Path(module.__file__).parent


def _game_of(module: ModuleType) -> AnyGame:
    game: object = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise BadGame(f"{VARIABLE}: {module.__name__} lacks GAME, an engine.game.Game.")
    if not NAME.fullmatch(game.name):
        raise BadGame(
            f"{VARIABLE}: the game of {module.__name__} is called {game.name!r}; a name has up to 30 small letters, "
            "digits and _, and begins with a letter."
        )
    if game.version < 1 or not game.players or game.players[0] < 1 or game.players[-1] > MOST_PLAYERS:
        raise BadGame(f"{VARIABLE}: {game.name} needs a version from 1 on, and from 1 to {MOST_PLAYERS} players.")
    return game


def extend_shelf(shelf: Shelf, outside: tuple[Outside, ...]) -> Shelf:
    """Return the shelf with these too. Raises BadGame where two have the same name."""
    for new in outside:
        if new.game.name in shelf:
            raise BadGame(f"{VARIABLE}: {new.package} brings {new.game.name}, and there is a game of that name.")
        shelf[new.game.name] = new.game
    return shelf
