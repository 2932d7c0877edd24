"""Who has how many points after the last round, the best first: where piles and auctions were."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.language import say, say_number
from bots.viewer.lettering import squeeze
from bots.viewer.svg import Markup, badge, clip, rect, text
from engine.core import Seat
from engine.games.zaibatsu import Position
from engine.games.zaibatsu.rules import scores

TOP, HEAD, LINE = 28, 32, 25
FINAL: Final = "The reckoning"


def parts(position: Position, names: Sequence[str], wide: float, slim: float) -> dict[str, Markup]:
    """Draw the reckoning in the place of the auction, and nothing in the places of piles."""
    numbers = range(1, len(position.piles) + 1)
    nothing = {f"pile-{number}": "" for number in numbers} | {f"slim-pile-{number}": "" for number in numbers}
    return {"auction": _drawn(position, names, wide), "slim-auction": _drawn(position, names, slim), **nothing}


def bottom(position: Position) -> float:
    return TOP + HEAD + LINE * len(position.hands) + 8


def _drawn(position: Position, names: Sequence[str], width: float) -> Markup:
    sums = scores(position)
    seats = sorted(range(len(names)), key=lambda seat: -sums[seat])
    ranks = [_rank(seat, names, sums[seat], width, TOP + HEAD + LINE * place) for place, seat in enumerate(seats)]
    frame = rect(1, TOP, width - 2, HEAD + LINE * len(seats), "felt", rx=6)
    return frame + text(say(FINAL), 10, TOP + 20, "strong") + "".join(ranks)


def _rank(seat: Seat, names: Sequence[str], points: int, width: float, y: float) -> Markup:
    name = squeeze(clip(names[seat], 24), 38, y + 15, width - 130, "", 8)
    return (
        badge(seat, 20, y + 10, name=names[seat])
        + name
        + text(say_number("%(number)s point", "%(number)s points", points), width - 10, y + 15, "strong end")
    )
