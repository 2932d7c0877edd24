"""The board of each game, drawn from its position."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, cast

from bots.viewer import game_viewers
from bots.viewer.plain import PlainBoard
from bots.viewer.svg import Markup, Picture
from engine.core import Event, Seat
from engine.games import GAMES, OUTSIDE

Recall = Callable[[Any, Sequence[Event]], dict[str, Markup]]  # of a position and the events before it
NOBODY: Final[frozenset[Seat]] = frozenset()


class Board(Protocol):
    """The viewer of a game that has a board."""

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


def board_of(game: str) -> Board:
    """Return the game's board, or a table of what each seat knows."""
    viewer = game_viewers.viewer_of(game)
    return cast("Board", viewer) if hasattr(viewer, "draw") else PlainBoard(GAMES[game])


def recall_of(game: str) -> Recall | None:
    """Return what draws the parts that tell of the latest events, which a position does not keep: without it they are
    empty."""
    return cast("Recall | None", game_viewers.part_of(game, "recall", None))


for _outside in OUTSIDE:  # what cannot be shown is refused when the process starts
    game_viewers.viewer_of(_outside.game.name)
