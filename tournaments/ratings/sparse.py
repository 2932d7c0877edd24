"""Sums of products over the few cells of each line of a large matrix, as fast as Python alone can.

A call for each line costs more than its few cells. So lines with as many cells stand together, and all of such a block
goes through one call: values, products, and each line's exact sum. Every sum is rounded once (`math.fsum`), so the
order in which lines stand changes no bit.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, repeat
from math import fsum
from operator import itemgetter, mul
from typing import TypeVar

LARGEST = 1 << 16  # cells of a block, so that what is between two calls stays small
Getter = Callable[[Sequence[float]], Sequence[float]]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of `width` cells each, one after another."""

    lines: Sequence[int]  # where they stand in the matrix
    width: int
    values: Getter  # of a vector in the order of the blocks, one for each cell

    def by_line(self, cells: Iterable[float]) -> Iterable[tuple[float, ...]]:
        """Return the block's cells, given one after the other, as lines."""
        stream = iter(cells)
        return zip(*[stream] * self.width, strict=True) if self.width else repeat((), len(self.lines))


class Lines:
    """Where the cells of a matrix are. Vectors are in `order` here: that of the blocks."""

    def __init__(self, cells: Sequence[Sequence[int]]) -> None:
        self.order = sorted(range(len(cells)), key=lambda line: len(cells[line]))
        self.place = [0] * len(cells)
        for position, line in enumerate(self.order):
            self.place[line] = position
        widths = groupby(self.order, key=lambda line: len(cells[line]))
        self.blocks = [
            _block(part, width, cells, self.place) for width, line in widths for part in _parts([*line], width)
        ]

    def ordered(self, vector: Sequence[float]) -> list[float]:
        return list(map(vector.__getitem__, self.order))

    def restored(self, vector: Sequence[Value]) -> list[Value]:
        """Return the vector in the order of the matrix."""
        return list(map(vector.__getitem__, self.place))

    def matrix(self, cells: Sequence[Sequence[float]]) -> list[list[float]]:
        """Return the values of the cells, by block."""
        return [list(chain.from_iterable(map(cells.__getitem__, block.lines))) for block in self.blocks]

    def times(self, matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
        """Return each line's sum of products."""
        products: list[float] = []
        for block, cells in zip(self.blocks, matrix, strict=True):
            products += map(fsum, block.by_line(map(mul, cells, block.values(vector))))
        return products


def _parts(lines: Sequence[int], width: int) -> list[Sequence[int]]:
    size = max(1, LARGEST // max(1, width))
    return [lines[first : first + size] for first in range(0, len(lines), size)]


def _block(lines: Sequence[int], width: int, cells: Sequence[Sequence[int]], place: Sequence[int]) -> Block:
    return Block(lines, width, getter([place[cell] for line in lines for cell in cells[line]]))


def getter(places: Sequence[int]) -> Getter:
    """Return a getter of the values at these places. For a single value it is a slice, as it would come bare."""
    if len(places) > 1:
        return itemgetter(*places)
    first = places[0] if places else 0
    return itemgetter(slice(first, first + len(places)))
