"""Corporate Gigabucks, by rules of thumb.

A line is worth what it adds to the royalties of all our spaces, a corporation what it joins. We bid up to that as long
as enough is left to pay the dearest space of a rival, and keep our longest conglomerate in balance.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bots.sdk import play
from engine.games.gigabucks import (
    Action,
    Bid,
    Choose,
    Lines,
    Pick,
    Place,
    ToBid,
    ToBuyLines,
    ToChoose,
    ToPick,
    ToPlace,
    View,
    conglomerate,
    parts_of,
)
from engine.games.gigabucks.questions import Asked
from engine.games.gigabucks.royalties import RULES


class Taste(NamedTuple):
    """What we think things are worth, in $."""

    landings: float = 30  # of opponents that we count on, on the whole track
    spend: float = 0.5  # of what we have beyond the dearest space of a rival
    charter: float = 3.0  # a corporation alone
    joined: float = 1.5  # each space that it joins
    denied: float = 0.7  # each space that it keeps a rival from joining


USUAL = Taste()


@lru_cache(maxsize=64)
def spaces(rule: str, owner: Sequence[int | None], lines: Sequence[int]) -> list[tuple[int, int]]:
    """Return by space what landing there costs in units of royalty, and the size of its conglomerate."""
    parts = [{} if holder is None else RULES[rule](owner, lines, space) for space, holder in enumerate(owner)]
    return [(sum(part.values()), len(part)) for part in parts]


def known(view: View) -> list[tuple[int, int]]:
    """The same for what we see. Boards change less often than we are asked, so they are remembered."""
    return spaces(view.opts.royalty, tuple(view.owner), tuple(view.lines))


def with_owner(view: View, space: int, seat: int) -> list[int | None]:
    """Return who would own what if `space` were the seat's."""
    owner = view.owner.copy()
    owner[space] = seat
    return owner


def corporation(view: View, space: int, taste: Taste) -> float:
    """Return what `space` is worth to us: what it joins, keeps rivals from joining, and earns."""
    rivals = (seat for seat in range(view.opts.players) if seat != view.seat)
    denied = max(len(conglomerate(with_owner(view, space, seat), space)) - 1 for seat in rivals)
    owner = with_owner(view, space, view.seat)
    run = conglomerate(owner, space)
    earns = 0
    if view.lines[space] or view.opts.royalty != "chain":  # else it is the weakest link
        after, now = sum(sum(parts_of(view.opts, owner, view.lines, other).values()) for other in run), known(view)
        before = sum(now[other][0] for other in run if view.owner[other] == view.seat)
        earns = after - before * view.opts.royalty_unit
    worth = taste.charter + taste.joined * (len(run) - 1) + taste.denied * denied
    return worth + earns * taste.landings / len(view.owner)


def spare(view: View, taste: Taste) -> int:
    """Return what we can spend: a part of all but what the dearest space of a rival costs."""
    dues = [due for (due, _), owner in zip(known(view), view.owner, strict=True) if owner not in (None, view.seat)]
    beyond = view.cash[view.seat] - max(dues, default=0) * view.opts.royalty_unit
    return max(0, int(beyond * taste.spend))


def worth(view: View, taste: Taste) -> float:
    """Return what we would bid at most if currency did not matter."""
    auction = view.auction
    assert auction
    if auction.kind == "diversification":
        board = known(view)
        longest = max(board[space][1] for space in owned(view, view.seat))
        return taste.landings * longest / len(view.owner)
    if auction.kind == "involuntary":
        return max(corporation(view, space, taste) for space in owned(view, view.current))
    if auction.kind == "voluntary":
        return max((bundle_worth(view, number, taste) for number in range(len(auction.menu))), default=0)
    return 0 if auction.space is None else corporation(view, auction.space, taste)


def bundle_worth(view: View, number: int, taste: Taste) -> float:
    assert view.auction
    return sum(corporation(view, space, taste) for space in view.auction.menu[number].corps)


def owned(view: View, seat: int) -> list[int]:
    return [space for space, owner in enumerate(view.owner) if owner == seat]


def bid(view: View, question: ToBid, taste: Taste) -> Bid:
    """One step above the last bid, or our limit where all bid once."""
    assert view.auction
    opponents = len(view.cash) - len(view.exits) - 1
    purse = min(question.high, spare(view, taste) // (opponents if view.auction.to_each else 1))
    most = min(int(worth(view, taste)), purse) if purse >= question.low else 0
    amount = most // question.step * question.step if view.opts.bidding == "proxy" else question.low
    return Bid(amount if question.low <= amount <= most else 0)


def buy(view: View, question: ToBuyLines, taste: Taste) -> Lines:
    """Buy as many lines as we can spare, for the longest conglomerate, one by one where there are fewest."""
    board = known(view)
    run = conglomerate(view.owner, max(question.corps, key=lambda corp: board[corp][1]))
    lines = {corp: view.lines[corp] for corp in run}
    for _ in range(max(1, min(question.most, spare(view, taste) // question.price))):
        lines[min(run, key=lines.__getitem__)] += 1
    return Lines({str(corp): lines[corp] - view.lines[corp] for corp in run if lines[corp] > view.lines[corp]})


def choose(view: View, question: Asked[Action], taste: Taste = USUAL) -> Action:
    match question:
        case ToBid():
            return bid(view, question, taste)
        case ToBuyLines():
            return buy(view, question, taste)
        case ToPlace():
            return Place(max(question.spaces, key=lambda space: corporation(view, space, taste)))
        case ToPick():
            return Pick(max(question.corps, key=lambda corp: corporation(view, corp, taste)))
        case ToChoose():
            return Choose(max(question.bundles, key=lambda number: bundle_worth(view, number, taste)))
    return question.default()


if __name__ == "__main__":
    play(choose)
