"""Places on a board whose names hang on how it is drawn: boards draw them, choices of forms name them."""

from collections.abc import Sequence
from typing import Final

from engine.games.kaiju.pieces import PAYS_ON

MOST_TILES: Final = 10  # of a player of Kaiju Incorporated side by side; more are heaps of a suit and timing
MOST_BUNDLES: Final = 6  # of a menu in Corporate Gigabucks, each in a box to pick it
MOST_TEMPLATES: Final = 4  # kinds in a hand of Shangzhou-Gold that lie where the tiles up for bid did


def card(id_: str, tableaus: Sequence[Sequence[str]] = ()) -> str:
    """A card of Kaiju Incorporated by itself, or the heap of a player that it is in."""
    heaped = (seat for seat, cards in enumerate(tableaus) if id_ in cards and len(cards) > MOST_TILES)
    return next((f"heap:{seat}-{PAYS_ON[id_]}" for seat in heaped), f"card:{id_}")


def bundle_place(number: int) -> str:
    """Return the place of a bundle of the menu; "" for one that has no box."""
    return f"bundle:{number}" if number < MOST_BUNDLES else ""


def templates(hand: Sequence[str]) -> dict[str, str]:
    """Return where each kind lies while it is to be placed."""
    return {kind: f"template:{kind}" for kind in list(dict.fromkeys(hand))[:MOST_TEMPLATES]}
