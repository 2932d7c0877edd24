"""The shelf: every game by its name, ours and those that BOARDROOM_GAMES adds from outside."""

import os
from typing import Final

from engine import outside
from engine.game import AnyGame
from engine.games.gigabucks import GIGABUCKS
from engine.games.kaiju import KAIJU
from engine.games.network import NETWORK
from engine.games.shangzhou import SHANGZHOU
from engine.games.zaibatsu import ZAIBATSU

OUTSIDE: Final = tuple(outside.load(os.environ.get(outside.VARIABLE, "")))
GAMES: Final[dict[str, AnyGame]] = outside.shelf((ZAIBATSU, KAIJU, SHANGZHOU, GIGABUCKS, NETWORK), OUTSIDE)
