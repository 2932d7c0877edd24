"""What has just happened: the dice of this turn in the middle of the ring; and the latest deals, newest first,
there too, or in a corner while an auction takes that room.

No position keeps them; they come from the events that the film has told so far.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bots.games.gigabucks.board.ring import MIDDLE
from bots.viewer.language import say, say_number
from bots.viewer.lettering import squeeze
from bots.viewer.svg import Markup, badge, element, group, rect, text, tooltip
from engine.core import Event, Seat
from engine.games.gigabucks import Bankrupt, Diversified, Moved, Owned, Paid, Position, Resigned, TurnBegun, Won

MOST_DICE: Final = 3
DEALS: Final = 4  # that find room where there is no auction
DIE: Final = 19
CORNER: Final = 2 * MIDDLE - 36  # where the first of three lines is written, below the ring on the right
SPOTS: Final = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}  # of a face's nine, row by row


class Deal(NamedTuple):
    seat: Seat
    words: str


def recall(position: Position, events: Sequence[Event]) -> dict[str, Markup]:
    """Return the part of the picture that shows the latest events. `events`: oldest first."""
    latest = [*deals(events)][: -DEALS - 1 : -1]
    return {"lately": _dice(_rolled(events)) + (_cornered(latest) if position.auction else _listed(latest))}


def _rolled(events: Sequence[Event]) -> Sequence[int]:
    """The dice of this turn."""
    since = max((number for number, event in enumerate(events) if isinstance(event, TurnBegun)), default=0)
    return next((event.dice for event in events[since:] if isinstance(event, Moved)), ())


def deals(events: Sequence[Event]) -> Iterator[Deal]:
    """Return who got what, and the price where an event just before says it."""
    price = for_each = ""
    for event in events:
        match event:
            case Won(bid=bid):
                price, for_each = (
                    say(" for $%(bid)s", bid=bid) * bool(bid),
                    say(" at $%(bid)s each", bid=bid) * bool(bid),
                )
            case Owned(corps=corps, seat=int(seat)):
                yield Deal(seat, say("gets %(corps)s%(price)s", corps=", ".join(map(str, corps)), price=price))
            case Diversified(seat=seat, add=add):
                yield Deal(seat, say("adds %(values)s%(price)s", values=_lines(sum(add.values())), price=for_each))
            case Paid(seat=seat, to=to, each=each, why="royalty"):
                yield Deal(seat, say("pays seat %(to)s $%(each)s", to=", ".join(map(str, to)), each=each))
            case Bankrupt(seat=seat):
                yield Deal(seat, say("is bankrupt"))
            case Resigned(seat=seat):
                yield Deal(seat, say("resigns"))


def _lines(number: int) -> str:
    return say_number("%(number)s line", "%(number)s lines", number)


def _listed(latest: Sequence[Deal]) -> Markup:
    if not latest:
        return ""
    head = text(say("latest deals"), MIDDLE, MIDDLE + 16, "small faint middle")
    return head + "".join(_deal(deal, MIDDLE + 35 + 19 * row) for row, deal in enumerate(latest))


def _deal(deal: Deal, y: float) -> Markup:
    return badge(deal.seat, MIDDLE - 66, y - 4.5, 8) + squeeze(deal.words, MIDDLE - 52, y, 124, "small")


def _cornered(latest: Sequence[Deal]) -> Markup:
    if not latest:
        return ""
    head = text(say("latest deals"), 2 * MIDDLE - 4, CORNER, "small faint end")
    return head + "".join(_end(*deal, CORNER + 16 * row, 96 + 34 * row) for row, deal in enumerate(latest[:2], 1))


def _end(seat: Seat, words: str, y: float, width: float) -> Markup:
    return badge(seat, 2 * MIDDLE - 12, y - 4.5, 7) + squeeze(words, 2 * MIDDLE - 23, y, width, "small end")


def _dice(eyes: Sequence[int]) -> Markup:
    """Draw the dice beside the sign of the player whose turn it is."""
    dice = [_die(number, MIDDLE + 17 + (DIE + 4) * place) for place, number in enumerate(eyes[:MOST_DICE])]
    return group(tooltip(say("the dice of this turn")), *dice) if dice else ""


def _die(eyes: int, x: float) -> Markup:
    return group(face(eyes), at=(x, MIDDLE - 96))


def face(eyes: int) -> Markup:
    """Draw a face of a die."""
    spots = "".join(_spot("abcdefghi".index(spot)) for spot in SPOTS.get(eyes, ""))
    return rect(0, 0, DIE, DIE, "plate", rx=4) + (spots or text(eyes, DIE / 2, 14, "small middle"))


def _spot(number: int) -> Markup:
    row, column = divmod(number, 3)
    return element("circle", cx=4.5 + 5 * column, cy=4.5 + 5 * row, r=1.8, class_="gb-spot")
