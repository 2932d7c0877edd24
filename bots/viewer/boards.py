"""The board of each game, drawn from its position."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, cast

from bots.games.gigabucks import board as gigabucks
from bots.games.kaiju import board as kaiju
from bots.games.network import board as network
from bots.games.shangzhou import board as shangzhou
from bots.games.zaibatsu import board as zaibatsu
from bots.viewer import outside
from bots.viewer.plain import PlainBoard
from bots.viewer.svg import Markup, Picture
from engine.core import Event, Seat
from engine.game import AnyGame
from engine.games import OUTSIDE

Recall = Callable[[Any, Sequence[Event]], dict[str, Markup]]  # of a position and the events before it
NOBODY: Final[frozenset[Seat]] = frozenset()


class Board(Protocol):
    """A module of this package, or the viewer of a game from outside."""

    UNIT: str  # what `worth` counts, for people: "victory points"

    def draw(self, position: Any, names: Sequence[str], shown: frozenset[Seat]) -> Picture:
        """The board as somebody sees it who knows what the seats in `shown` know together, and what all know.

        Nothing else may show: with `shown` a single seat, a position whose secrets are redrawn for that seat
        (`Game.redraw`) gives the same picture; with `shown` empty, one redrawn for any seat does.
        """
        ...

    def worth(self, position: Any) -> list[float]:
        """Return how each seat stands, by seat, for the chart: what the game would count if it ended now, as far as
        that says something. Public knowledge alone, so that a chart of a match under way may be shown."""
        ...


def from_outside(game: AnyGame) -> Board:
    viewer = outside.viewer_of(game.name)
    return cast("Board", viewer) if hasattr(viewer, "draw") else PlainBoard(game)


BOARDS: Final[Mapping[str, Board]] = {
    "zaibatsu": zaibatsu,
    "kaiju": kaiju,
    "shangzhou": shangzhou,
    "gigabucks": gigabucks,
    "network": network,
    **{package.game.name: from_outside(package.game) for package in OUTSIDE},
}
# Parts of a picture that tell of the latest events, which a position does not keep; without them they are empty.
RECALLS: Final[Mapping[str, Recall]] = {"gigabucks": gigabucks.recall}
