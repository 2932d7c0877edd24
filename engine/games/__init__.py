"""The shelf: every game by its name."""

from engine.game import AnyGame
from engine.games.gigabucks import GIGABUCKS
from engine.games.kaiju import KAIJU
from engine.games.network import NETWORK
from engine.games.shangzhou import SHANGZHOU
from engine.games.zaibatsu import ZAIBATSU

GAMES: dict[str, AnyGame] = {game.name: game for game in (ZAIBATSU, KAIJU, SHANGZHOU, GIGABUCKS, NETWORK)}
