"""Kaiju Incorporated: Victory points, and the buildings that bring more."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.chances import Outlook, clamp
from engine.core import Seat
from engine.games.kaiju import BUILDING, Player, Position
from engine.games.kaiju.pieces import DISPLAY, HANDBAGS, KAIJU_SPACES, PAYS_ON, PRODUCTS, RESEARCH_SPACES
from engine.games.kaiju.scoring import cities, in_city

FEATURES: Final = (
    "points",
    "bank",
    "own",  # ¥ that buildings bring on one's own turns
    "rivals",  # and on those of others
    "research",  # points of all buildings
    "kaiju",
    "wheel",  # research gone on the way to the next product
    "danger",  # and on the way to the next attack
    "buildings",
    "cities",
    "home",  # buildings of its city beyond those of the best other player
)
DRAWN: Final = len(PRODUCTS) - len(HANDBAGS) - DISPLAY  # until the first Handbag is turned up


def outlook(position: Position, worth: Sequence[float]) -> Outlook:
    left = len(position.product_deck) - len(HANDBAGS)
    time = 1.0 if position.triggered else clamp(0.95 * (1 - left / DRAWN))
    return Outlook(time, [_row(position.players, seat, points) for seat, points in enumerate(worth)])


def _row(players: Sequence[Player], seat: Seat, points: float) -> list[float]:
    me = players[seat]
    built = [(BUILDING[card], PAYS_ON[card][1]) for card in me.tableau]
    money = [sum(house.money for house, when in built if when == timing) / 10 for timing in "YR"]
    brings = [sum(house.research for house, _ in built) / 5, sum(house.kaiju for house, _ in built) / 5]
    wheels = [me.research / RESEARCH_SPACES, me.kaiju / KAIJU_SPACES]
    spread = [len(me.tableau) / 10, cities(me.tableau) / 5, _home(players, seat) / 5]
    return [points / 10, me.bank / 10, *money, *brings, *wheels, *spread]


def _home(players: Sequence[Player], seat: Seat) -> int:
    city = players[seat].city
    rivals = [in_city(player.tableau, city) for other, player in enumerate(players) if other != seat]
    return in_city(players[seat].tableau, city) - max(rivals)
