"""What is scored at the end: New Products, the majority in a city, different cities."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from engine.games.kaiju.pieces import (
    BUILDING,
    CITIES_VP,
    COST,
    MAJORITY_VP,
    PAYS_ON,
    PRODUCT,
    SUIT,
    SUITS,
    Kind,
    Product,
)
from engine.games.kaiju.position import Player

Tableau = Sequence[str]


class Assets(NamedTuple):
    """What a player is scored by."""

    city: str
    tableau: tuple[str, ...]
    products: tuple[str, ...]


Players = Sequence[Player | Assets]

# What a New Product counts in a tableau, in VP; `of` is the sort that it wants.
COUNTS: Final[dict[Kind, Callable[[Tableau, str], int]]] = {
    "suit": lambda tableau, suit: sum(SUIT[card] == suit for card in tableau),
    "paying": lambda tableau, key: 2 * [PAYS_ON[card] for card in tableau].count(key),
    "city": lambda tableau, city: in_city(tableau, city) * 3 // 2,
    "set": lambda tableau, _: 3 * min(map([SUIT[card] for card in tableau].count, SUITS)),
    "cities": lambda tableau, _: cities(tableau),
    "dear": lambda tableau, _: 2 * sum(COST[card] >= 7 for card in tableau),
    "fixed": lambda _tableau, _: 2,
}


def in_city(tableau: Tableau, city: str) -> int:
    return [BUILDING[card].city for card in tableau].count(city)


def cities(tableau: Tableau) -> int:
    """Return how many different cities a tableau has."""
    return len({BUILDING[card].city for card in tableau})


def product_vp(card: str, tableau: Tableau) -> int:
    """Return Victory points of a New Product, by the Buildings in its owner's tableau."""
    product: Product = PRODUCT[card]
    return min(product.most, COUNTS[product.kind](tableau, product.of))


def majority_vp(players: Players, seat: int, cities_of: Literal["own", "any"]) -> int:
    """Return 5 VP for more Buildings of one's own city than any other has; with "any", for each city in play."""
    contested = [players[seat].city] if cities_of == "own" else [player.city for player in players]
    return sum(MAJORITY_VP for city in contested if _leads(players, seat, city))


def _leads(players: Players, seat: int, city: str) -> bool:
    most = in_city(players[seat].tableau, city)
    return all(most > in_city(player.tableau, city) for other, player in enumerate(players) if other != seat)


def vp(players: Players, seat: int, cities_of: Literal["own", "any"]) -> int:
    """Return the Victory points of a player, as if the game ended now."""
    me = players[seat]
    products = sum(product_vp(card, me.tableau) for card in me.products)
    return products + majority_vp(players, seat, cities_of) + CITIES_VP[cities(me.tableau)]


def all_vp(players: Players, cities_of: Literal["own", "any"]) -> list[int]:
    """Return Victory points of all players, by seat. Cached: most questions come after nothing was built."""
    held = [Assets(player.city, tuple(player.tableau), tuple(player.products)) for player in players]
    return [*_all_vp(tuple(held), cities_of)]


@lru_cache(maxsize=1 << 10)
def _all_vp(held: tuple[Assets, ...], cities_of: Literal["own", "any"]) -> tuple[int, ...]:
    return tuple([vp(held, seat, cities_of) for seat in range(len(held))])
