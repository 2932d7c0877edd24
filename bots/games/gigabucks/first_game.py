"""The guided first game of Gigabucks: neighbouring corporations, and product lines spread over all of them."""

from typing import Final

from bots.viewer.first_games import Facts, read_lesson
from engine.core import Seat
from engine.games.gigabucks import Position
from engine.games.gigabucks.royalties import appraisal, conglomerate, royalty


def _facts(before: Position, after: Position, seat: Seat) -> Facts:
    """Return money, the longest row of corporations and what a landing there costs, before the choice and after it."""
    return {
        "cash": before.cash[seat],
        "mika_cash": before.cash[1],
        "high": before.auction.high if before.auction else 0,
        "row": _longest_row(before),
        "row_now": _longest_row(after),
        "worth": appraisal(before, seat),
        "worth_now": appraisal(after, seat),
        "mika_worth": appraisal(before, 1),
        "mika_worth_now": appraisal(after, 1),
        "dearest": _dearest(before),
        "dearest_now": _dearest(after),
    }


def _own_spaces(position: Position) -> list[int]:
    return [space for space, owner in enumerate(position.owner) if owner == 0]


def _owned(position: Position) -> int:
    return len(_own_spaces(position))


def _longest_row(position: Position) -> int:
    """Return how many corporations in a row the reader owns at most."""
    return max((len(conglomerate(position.owner, space)) for space in _own_spaces(position)), default=0)


def _dearest(position: Position) -> int:
    return max((royalty(position, space) for space in _own_spaces(position)), default=0)


def _turn_over(before: Position, now: Position) -> bool:
    return now.turn != before.turn or all(step == "end" for step in now.to_do)


UNTIL: Final = {"turn_over": _turn_over}
MEASURES: Final = {"longest_row": _longest_row, "owned": _owned}
LESSON: Final = read_lesson("gigabucks", _facts, UNTIL, MEASURES)
