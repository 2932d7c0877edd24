"""The guided first game of Zaibatsu: what a pile is worth to you, and what to pay for it."""

from collections.abc import Callable
from typing import Any, Final

from bots.games.zaibatsu.commentary import companies
from bots.viewer.first_games import Facts, read_lesson
from engine.core import Seat
from engine.games.zaibatsu import Position, best
from engine.games.zaibatsu.pieces import INCOME, ROUNDS
from engine.games.zaibatsu.rules import scores

SEATS: Final = ("you", "mika", "noor")  # as texts call them


def _added(position: Position, seat: Seat, pile: int) -> int:
    """Return what a pile adds to a seat's companies that run."""
    owned = position.owned[seat]
    return best([*owned, *position.piles[pile - 1].cards]).score - best(owned).score


def _facts(before: Position, after: Position, seat: Seat) -> Facts:
    """Return what each pile is worth to each seat after the choice; and of the auction before it."""
    numbers = range(1, len(after.piles) + 1)
    piles = [(who, name, pile) for who, name in enumerate(SEATS) for pile in numbers]
    money = {f"{name}_has": before.cash[who] for who, name in enumerate(SEATS)}
    lot = before.auction.lot if before.auction else 1
    ran, run = best(before.owned[seat]).operating, best(after.owned[seat]).operating
    return {
        **{f"{name}{pile}": _added(after, who, pile) for who, name, pile in piles},
        **{f"{name}{pile}_before": _added(before, who, pile) for who, name, pile in piles},
        **money,
        "pile": lot,
        "cards": companies(before.piles[lot - 1].cards),
        "worth": _added(before, seat, lot),
        "price": before.auction.high if before.auction else 0,
        "runs": companies([card for card in run if card not in ran]),
    }


def _sold(before: Position, now: Position) -> bool:
    """Return whether the auction that was under way, or is called first, is over."""
    if before.auction is None:
        return now.owned != before.owned or now.discarded != before.discarded or now.round != before.round
    return now.auction is None or now.auction.lot != before.auction.lot


def _to_the_end(_before: Position, now: Position) -> bool:
    return now.round > ROUNDS


def _over_all_piles(worth: Callable[[Position, int], int]) -> Callable[[Any], float]:
    return lambda position: sum(worth(position, pile) for pile in range(1, len(position.piles) + 1))


_on_offer = _over_all_piles(lambda position, pile: _added(position, 0, pile))
_ahead_of_rivals = _over_all_piles(
    lambda position, pile: _added(position, 0, pile) - max(_added(position, 1, pile), _added(position, 2, pile))
)


def _earned(position: Position) -> int:
    """Return the reader's points without what everybody gets with each round."""
    return scores(position)[0] - INCOME * (position.round - 1)


UNTIL: Final = {"sold": _sold, "to_the_end": _to_the_end}
MEASURES: Final = {"ahead_of_rivals": _ahead_of_rivals, "earned": _earned, "on_offer": _on_offer}
LESSON: Final = read_lesson("zaibatsu", _facts, UNTIL, MEASURES)
