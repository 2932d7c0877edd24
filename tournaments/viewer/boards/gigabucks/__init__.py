"""Corporate Gigabucks: the ring with its owners and product lines, the auction inside it, the players beneath."""

from collections.abc import Sequence

from engine.core import Seat
from engine.games.gigabucks import GIGABUCKS, Position, appraisal, corporations
from tournaments.viewer.boards.gigabucks import ring
from tournaments.viewer.boards.gigabucks.centre import doing, sale, to_answer, turn
from tournaments.viewer.boards.lettering import squeeze
from tournaments.viewer.svg import Markup, Picture, badge, clip, rect, text

UNIT = "gigabucks"
WIDE, HIGH = 207, 46  # of a player's plate
KEY = ("number in colour:", "the owner", "bar: product lines")
PLATES = 2 * ring.MIDDLE + 2  # where they begin


def draw(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:
    seats, due = range(len(names)), to_answer(at)
    parts = {
        "corner": _corner(at),
        **{f"space-{number}": ring.space(at, number) for number in range(at.options.spaces)},
        "lots": ring.lots(at),
        **{f"token-{seat}": ring.token(at, seat) for seat in seats},
        "turn": turn(at, names),
        "sale": sale(at),
    }
    for seat in seats:
        parts |= _player(at, seat, names[seat], seat in due, shown)
    rows = (len(names) + 1) // 2
    return Picture(2 * ring.MIDDLE, PLATES + rows * (HIGH + 4) + 2, parts, _says(at, names))


def worth(at: Position) -> list[float]:
    """As the game scores: currency and what one landing on each space would bring; nothing for those who left."""
    return [float(points) for points in GIGABUCKS.scores(at)]


def _corner(at: Position) -> Markup:
    round_ = (at.turn + len(at.order) - 1) // len(at.order)
    waiting = text(f"${at.escrow} to be shared", 4, PLATES - 8, "small faint") if at.escrow else ""
    key = [text(words, PLATES - 6, 14 + 14 * line, "small faint end") for line, words in enumerate(KEY)]
    when = text(f"Turn {at.turn}", 4, 18, "title") + text(f"round {round_}", 4, 33, "small faint")
    return when + waiting + "".join(key)


def _player(at: Position, seat: Seat, name: str, due: bool, shown: frozenset[Seat]) -> dict[str, Markup]:
    """A player, clockwise in the order of turns, two in a row: what changes seldom apart from what changes often."""
    row, column = divmod(at.order.index(seat), 2)
    x, y = 5 + column * (WIDE + 4), PLATES + row * (HIGH + 4)
    return {
        f"plate-{seat}": rect(x + 1, y + 1, WIDE - 2, HIGH - 2, "felt chosen" if due else "felt", rx=8),
        f"player-{seat}": badge(seat, x + 18, y + 16) + squeeze(clip(name, 18), x + 34, y + 21, 104, "strong", 8),
        f"cash-{seat}": text(f"${at.cash[seat]}", x + WIDE - 9, y + 21, "title end"),
        f"holding-{seat}": squeeze(_holding(at, seat, shown), x + 9, y + 38, WIDE - 18, "small faint"),
    }


def _holding(at: Position, seat: Seat, shown: frozenset[Seat]) -> str:
    if how := next((left for left in at.exits if left.seat == seat), None):
        kept = f", kept ${at.kept[seat]}" if at.kept[seat] else ""
        return f"{how.how} in turn {how.turn}{kept}"
    if seat in shown and at.leaving[seat]:  # known to the player alone
        return "resigns when this turn ends"
    corps = corporations(at, seat)
    lines = sum(at.lines[corp] for corp in corps)
    return f"{_many(len(corps), 'space')}, {_many(lines, 'line')}, worth ${appraisal(at, seat)}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _says(at: Position, names: Sequence[str]) -> str:
    gone = {left.seat: left.how for left in at.exits}
    standing = ", ".join(f"{clip(names[seat], 18)} {gone.get(seat) or f'${at.cash[seat]}'}" for seat in at.order)
    return clip(f"Turn {at.turn}. {doing(at, names)}. In hand: {standing}.", 399)
