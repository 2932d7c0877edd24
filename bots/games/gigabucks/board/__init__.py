"""Corporate Gigabucks: the ring with its owners and product lines, the auction inside it, the players beneath."""

from collections.abc import Iterable, Sequence
from typing import Final

from bots.games.gigabucks.board import ring
from bots.games.gigabucks.board.centre import doing, sale, seats_to_answer, turn
from bots.games.gigabucks.board.in_words import in_words
from bots.games.gigabucks.board.lately import recall as recall
from bots.viewer.language import say, say_number
from bots.viewer.lettering import squeeze
from bots.viewer.screens import WIDE as WIDE_SCREEN
from bots.viewer.screens import same_place
from bots.viewer.svg import Layout, Markup, Picture, Place, badge, clip, group, rect, text, tooltip
from engine.core import Seat
from engine.games.gigabucks import GIGABUCKS, Position, appraisal, corporations

UNIT = "gigabucks"
WIDE, HIGH = 207, 46  # of a player's plate
OF_A_PLAYER: Final = ("plate", "player", "cash", "holding")
QUIET: Final = ("corner", "turn", "lately", "lots", "plate-", "player-", "holding-")
HOW: Final = {"bankrupt": "bankrupt", "resigned": "resigned"}
PLATES = 2 * ring.MIDDLE + 2  # where they begin
KEY = ("colour: the owner", "bar: product lines", "sign inside: a player")
# Where its lines are: a third one in a corner would reach the ring's figures.
CORNERS = ((PLATES - 6, 14, "small faint end"), (PLATES - 6, 28, "small faint end"), (4, PLATES - 8, "small faint"))


def draw(position: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:
    seats, due = range(len(names)), seats_to_answer(position)
    parts = {
        "corner": _corner(position),
        **{f"space-{number}": ring.space(position, number) for number in range(position.options.spaces)},
        "lots": ring.sale_frames(position),
        **{f"token-{seat}": ring.ring_token(position, seat) for seat in seats},
        "turn": turn(position, names),
        "sale": sale(position, names),
        "lately": "",
        "places": ring.space_areas(position.options.spaces),
    }
    for place, seat in enumerate(position.order):
        parts |= _player(position, place, names[seat], seat in due, shown)
    slim = Layout(2 * ring.MIDDLE, PLATES + (len(names) + 1) // 2 * (HIGH + 4) + 2, _slim(position))
    words = in_words(position, names, shown)
    return Picture(*WIDE_SCREEN, parts, _says(position, names), _wide(position, parts), slim, QUIET, words)


def _slim(position: Position) -> dict[str, Place]:
    """The ring, and below it the players, two in a row."""
    spots = [divmod(place, 2) for place in range(len(position.order))]
    return _seated([Place(5 + column * (WIDE + 4), PLATES + row * (HIGH + 4)) for row, column in spots])


def _wide(position: Position, parts: Iterable[str]) -> dict[str, Place]:
    """The ring, and beside it the players under each other."""
    high, count = WIDE_SCREEN[1], len(position.order)
    of_ring = high / (2 * ring.MIDDLE)
    scale = min(1.9, high / (count * (HIGH + 4)))
    top = (high - scale * count * (HIGH + 4)) / 2
    spots = [Place(high + 24, top + scale * (HIGH + 4) * place, scale) for place in range(count)]
    on_ring = ("corner", "space-", "lots", "token-", "turn", "sale", "lately", "places")
    in_ring = same_place(parts, *on_ring, place=Place(0, 0, of_ring))
    return in_ring | _seated(spots)


def _seated(spots: Sequence[Place]) -> dict[str, Place]:
    """Return the places of all parts of the players; `spots` are in the order of turns."""
    return {f"{part}-{place}": spot for place, spot in enumerate(spots) for part in OF_A_PLAYER}


def worth(position: Position) -> list[float]:
    """Return currency and what one landing on each space would bring, as the game scores; 0 for those who left."""
    return [float(points) for points in GIGABUCKS.scores(position)]


def _corner(position: Position) -> Markup:
    round_ = (position.turn + len(position.order) - 1) // len(position.order)
    waiting = (
        text(say("$%(escrow)s to be shared", escrow=position.escrow), 4, 47, "small faint") if position.escrow else ""
    )
    key = [text(say(words), *CORNERS[line]) for line, words in enumerate(KEY)]
    when = text(say("Turn %(turn)s", turn=position.turn), 4, 18, "title") + squeeze(
        say("round %(round)s of %(rounds)s", round=round_, rounds=position.options.max_rounds), 4, 33, 90, "small faint"
    )
    return when + waiting + "".join(key)


def _player(position: Position, place: int, name: str, due: bool, shown: frozenset[Seat]) -> dict[str, Markup]:
    """Return the parts of the player at a place in the order of turns: what changes seldom apart from what changes
    often."""
    seat = position.order[place]
    return {
        f"plate-{place}": rect(1, 1, WIDE - 2, HIGH - 2, "felt chosen" if due else "felt", rx=8),
        f"player-{place}": badge(seat, 18, 16, name=name) + squeeze(clip(name, 18), 34, 21, 104, "strong", 8),
        f"cash-{place}": group(
            tooltip(say("money to bid and pay with")), text(f"${position.cash[seat]}", WIDE - 9, 21, "title end")
        ),
        f"holding-{place}": group(
            tooltip(say("Worth: its money, and what one landing on each of its spaces would bring")),
            squeeze(_holding(position, seat, shown), 9, 38, WIDE - 18, "small faint"),
        ),
    }


def _holding(position: Position, seat: Seat, shown: frozenset[Seat]) -> str:
    if how := next((left for left in position.exits if left.seat == seat), None):
        kept = say(", kept $%(money)s", money=position.kept[seat]) if position.kept[seat] else ""
        return say("%(how)s in turn %(turn)s%(kept)s", how=say(HOW[how.how]), turn=how.turn, kept=kept)
    if seat in shown and position.leaving[seat]:  # known to the player alone
        return say("resigns when this turn ends")
    corps = corporations(position, seat)
    lines = sum(position.lines[corp] for corp in corps)
    worth = appraisal(position, seat)
    return say(
        "%(corps)s, %(lines)s: $%(cash)s + $%(charges)s = worth $%(worth)s",
        cash=position.cash[seat],
        charges=worth - position.cash[seat],
        corps=say_number("%(number)s space", "%(number)s spaces", len(corps)),
        lines=say_number("%(number)s line", "%(number)s lines", lines),
        worth=worth,
    )


def _says(position: Position, names: Sequence[str]) -> str:
    gone = {left.seat: say(HOW[left.how]) for left in position.exits}
    standing = ", ".join(
        f"{clip(names[seat], 18)} {gone.get(seat) or f'${position.cash[seat]}'}" for seat in position.order
    )
    return clip(
        say(
            "Turn %(turn)s. %(doing)s. In hand: %(standing)s.",
            turn=position.turn,
            doing=doing(position, names),
            standing=standing,
        ),
        399,
    )
