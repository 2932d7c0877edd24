"""The maps and the numbers of the rulebook, as data.

Hexes are axial coordinates (q, r): the six neighbours are one step in q, in r, or one in each against the other.
Turned by 60 degrees about the start, (q, r) is (-r, q + r).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from engine.dice import Dice

Hex = tuple[int, int]
Kind = Literal["start", "standard", "city", "mountain"]

CASH: Final = 25  # of each player at the start
TREASURY: Final = 5  # of each company at the start
START_VALUE: Final = 5  # of the starting hex, which all companies own
CHIP: Final = 5  # dollars for each point of a hex's value
MOST_CHIPS: Final = 5  # on one hex
SHARES: Final = 5  # of each company, besides its charter
START: Final[Hex] = (0, 0)
AROUND: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
SMALL, LARGE = 3, 4  # radius of the map for up to three players, and for more


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the mountains and the cities of a map lie; the rest of the disc is standard, its middle the start."""

    radius: int
    mountains: tuple[Hex, ...]
    cities: tuple[Hex, ...]


def sixfold(*hexes: Hex) -> tuple[Hex, ...]:
    """Return the hexes turned by each multiple of 60 degrees, in reading order."""
    turned = set(hexes)
    for _ in range(5):
        hexes = tuple((-r, q + r) for q, r in hexes)
        turned |= set(hexes)
    return tuple(sorted(turned, key=reading_order))


def reading_order(hex_: Hex) -> Hex:
    return hex_[1], hex_[0]


# Neither favours a seat or a direction: all six turns and all mirrors of both are the same map.
MAPS: Final = {
    "small": Layout(SMALL, sixfold((1, 1)), sixfold((3, 0))),
    "large": Layout(LARGE, sixfold((1, 1), (4, 0)), sixfold((3, 0), (2, 2))),
}
GENERATED: Final = {SMALL: (2, 2), LARGE: (4, 4)}  # by radius: threefold groups of mountains, and of cities


def distance(hex_: Hex) -> int:
    """Return steps from the start."""
    q, r = hex_
    return max(abs(q), abs(r), abs(q + r))


@lru_cache(maxsize=8)
def disc(radius: int) -> tuple[Hex, ...]:
    """Return the hexes of a map, in reading order."""
    span = range(-radius, radius + 1)
    return tuple((q, r) for r in span for q in span if distance((q, r)) <= radius)


@lru_cache(maxsize=8)
def hex_numbers(radius: int) -> dict[Hex, int]:
    """Return the hexes of a map numbered in reading order."""
    return {hex_: number for number, hex_ in enumerate(disc(radius))}


@lru_cache(maxsize=8)
def hex_neighbours(radius: int) -> tuple[frozenset[int], ...]:
    """Return the neighbours of each hex, all by number."""
    number = hex_numbers(radius)
    near = [[(q + dq, r + dr) for dq, dr in AROUND] for q, r in disc(radius)]
    return tuple(frozenset(number[hex_] for hex_ in ring if hex_ in number) for ring in near)


class Board:
    """A layout with its hexes numbered in reading order. `open` are the neighbours of each that are no mountain."""

    def __init__(self, layout: Layout) -> None:
        self.layout, self.hexes, self.number = layout, disc(layout.radius), hex_numbers(layout.radius)
        self.start = self.number[START]
        mountains = frozenset(self.number[hex_] for hex_ in layout.mountains)
        self.open = [near - mountains for near in hex_neighbours(layout.radius)]
        self.kinds: list[Kind] = ["standard"] * len(self.hexes)
        for hex_ in layout.cities:
            self.kinds[self.number[hex_]] = "city"
        for number in mountains:
            self.kinds[number] = "mountain"
        self.kinds[self.start] = "start"

    def is_whole(self) -> bool:
        """Return whether each hex that can be built on can be reached from the start."""
        reached = edge = frozenset({self.start})
        while edge:
            edge = frozenset().union(*[self.open[number] for number in edge]) - reached
            reached |= edge
        return len(reached) == len(self.hexes) - len(self.layout.mountains)


@lru_cache(maxsize=256)
def board(layout: Layout) -> Board:
    return Board(layout)


def layout_of(radius: int, mountains: Sequence[Hex], cities: Sequence[Hex]) -> Layout:
    return Layout(radius, tuple(mountains), tuple(cities))


def generate(radius: int, dice: Dice) -> Layout:
    """Draw a map that looks the same from three sides, where all can be reached and the first ring is standard."""
    while True:
        groups = list(_threefold(radius))
        dice.shuffle(groups)
        mountains, cities = GENERATED[radius]
        high, ordinary = groups[:mountains], groups[mountains:]
        low = [group for group in ordinary if distance(group[0]) >= 3][:cities]
        layout = Layout(radius, _sorted(high), _sorted(low))
        if len(low) == cities and board(layout).is_whole():
            return layout


@lru_cache(maxsize=8)
def _threefold(radius: int) -> tuple[tuple[Hex, ...], ...]:
    """The hexes beyond the first ring in groups of three that are each other's turns by 120 degrees."""
    groups = {_sorted([((q, r), (-q - r, q), (r, -q - r))]) for q, r in disc(radius) if distance((q, r)) >= 2}
    return tuple(sorted(groups))


def _sorted(groups: Sequence[Sequence[Hex]]) -> tuple[Hex, ...]:
    return tuple(sorted((hex_ for group in groups for hex_ in group), key=reading_order))
