"""The shelf: every game by its name, ours and those that BOARDROOM_GAMES adds from outside."""

import os
from typing import Final

from engine import outside
from engine.shelf import Shelf

OWN = ("zaibatsu", "kaiju", "shangzhou", "gigabucks", "network")
OUTSIDE: Final = tuple(outside.load_games(os.environ.get(outside.VARIABLE, "")))
GAMES: Final[Shelf] = outside.extend_shelf(Shelf({name: f"{__name__}.{name}" for name in OWN}), OUTSIDE)
