"""Tiles and tools by their signs."""

from bots.games.shangzhou.board.marks import SHAPES
from bots.games.shangzhou.commentary import TILES
from bots.viewer.icons import Vocabulary
from bots.viewer.svg import Markup, element


def _sign(shape: str, class_: str) -> Markup:
    place = "translate(8 8) scale(0.62)"
    return element("path", d=SHAPES[shape], transform=place, class_=class_, fill_rule="evenodd")


VOCABULARY = Vocabulary(
    {**{tile: _sign(tile, f"sz-ink-{tile}") for tile in TILES}, "home": _sign("home", "faint")},
    {**{name: [tile] for tile, name in TILES.items()}, "Critical Nodes": ["N"], "Home Nodes": ["home"]},
)
