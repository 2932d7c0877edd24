"""Bundles on offer inside the ring: lines to read while there are bids, boxes to pick one of by the winner."""

from collections.abc import Sequence
from typing import Final

from bots.games.gigabucks.board.ring import MIDDLE
from bots.viewer.language import say
from bots.viewer.lettering import squeeze
from bots.viewer.svg import Markup, clip, group, rect, text
from engine.games.gigabucks import Bundle

WIDE: Final = 196  # what finds room there
LINES: Final = 3  # bundles listed one by one
IN_A_COLUMN, HIGH = 3, 30  # high enough for a finger
MOST_BUNDLES: Final = 6  # each in a box to pick it


def bundle_place(number: int) -> str:
    """Return the place of a bundle of the menu; "" for one that has no box."""
    return f"bundle:{number}" if number < MOST_BUNDLES else ""


def menu_lines(menu: Sequence[Bundle]) -> Markup:
    lines = [_bundle(bundle, 36) for bundle in menu[:LINES]]
    if len(menu) > LINES:
        lines[-1:] = [say("and %(number)s more", number=len(menu) - LINES + 1)]
    return "".join(
        squeeze(line, MIDDLE, MIDDLE - 1 + 13 * place, WIDE, "small middle") for place, line in enumerate(lines)
    )


def _bundle(bundle: Bundle, length: int) -> str:
    return clip(say("%(corps)s from $%(least)s", corps=", ".join(map(str, bundle.corps)), least=bundle.least), length)


def boxes(menu: Sequence[Bundle], bid: int) -> Markup:
    """The first bundles of the menu, each in a box; faint, if the bid is not enough for it."""
    shown = menu[:MOST_BUNDLES]
    columns = -(-len(shown) // IN_A_COLUMN)
    drawn = [
        _box(number, bundle, WIDE / columns, " faint" * (bundle.least > bid)) for number, bundle in enumerate(shown)
    ]
    more = say("and %(number)s more", number=len(menu) - len(shown)) if len(shown) < len(menu) else ""
    return "".join(drawn) + text(more, MIDDLE, MIDDLE + 96, "small faint middle") * bool(more)


def _box(number: int, bundle: Bundle, wide: float, ink: str) -> Markup:
    column, row = divmod(number, IN_A_COLUMN)
    x, y = MIDDLE - WIDE / 2 + wide * column, MIDDLE - 8 + HIGH * row
    plate = rect(x + 1.0, y + 1.0, wide - 2, HIGH - 2.0, "plate", rx=5)
    words = squeeze(_bundle(bundle, 36), x + wide / 2, y + HIGH / 2 + 4, wide - 12, f"small middle{ink}")
    return group(plate, words, data_place=bundle_place(number))
