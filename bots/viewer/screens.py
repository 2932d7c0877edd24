"""The two shapes of place that every board is laid out for, and how parts are put there.

No letter is smaller than 11 pixels on a laptop of 1366 by 768 and 10 on a phone of 390 by 844: beside its controls a
board has some 990 by 550 there, and 374 by 600 here. A test measures it in a browser.
"""

from collections.abc import Iterable
from typing import Final

from bots.viewer.svg import Place

WIDE: Final = (1000, 552)  # units of a board on a laptop: some pixels each


def same_place(names: Iterable[str], *begins: str, place: Place) -> dict[str, Place]:
    """The same place for all parts whose names begin so."""
    return {name: place for name in names if name.startswith(begins)}


def rows(begin: str, count: int, first: Place, pitch: float) -> dict[str, Place]:
    """Parts with a number at the end of their names, one under the other."""
    return {f"{begin}-{number}": Place(first.x, first.y + pitch * number, first.scale) for number in range(count)}
