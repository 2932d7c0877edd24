"""Corporate Gigabucks, by rules of thumb.

A line is worth what it adds to the royalties of all our spaces, a corporation what it joins. We bid up to that as long
as enough is left to pay the dearest space of a rival, and keep our longest conglomerate in balance.
"""

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

LANDINGS = 30  # of opponents that we count on, on the whole track
CHARTER, JOINED, DENIED = 3.0, 1.5, 0.7  # what a corporation is worth, alone and for each space it would join


def royalties(view: View, seat: int) -> int:
    """What one landing on each space of `seat` would bring."""
    return sum(due(view, space) for space, owner in enumerate(view.owner) if owner == seat)


def due(view: View, space: int) -> int:
    return sum(parts_of(view.opts, view.owner, view.lines, space).values())


def join(view: View, seat: int, space: int) -> int:
    """How many other spaces the conglomerate of `space` would have if it were the seat's."""
    owner = view.owner.copy()
    owner[space] = seat
    return len(conglomerate(owner, space)) - 1


def corporation(view: View, space: int) -> float:
    """What `space` is worth to us: what it joins, keeps rivals from joining, and earns."""
    rivals = max(join(view, seat, space) for seat in range(view.opts.players) if seat != view.seat)
    before, owner = royalties(view, view.seat), view.owner[space]
    view.owner[space] = view.seat
    earns = royalties(view, view.seat) - before
    view.owner[space] = owner
    return CHARTER + JOINED * join(view, view.seat, space) + DENIED * rivals + earns * LANDINGS / len(view.owner)


def spare(view: View) -> int:
    """What we can spend: half of all but what the dearest space of a rival costs."""
    rivals = (space for space, owner in enumerate(view.owner) if owner not in (None, view.seat))
    return max(0, view.cash[view.seat] - max((due(view, space) for space in rivals), default=0)) // 2


def worth(view: View) -> float:
    """What we would bid at most if currency did not matter."""
    auction = view.auction
    assert auction
    if auction.kind == "diversification":
        longest = max(len(conglomerate(view.owner, space)) for space in owned(view, view.seat))
        return LANDINGS * longest / len(view.owner)
    if auction.kind == "involuntary":
        return max(corporation(view, space) for space in owned(view, view.current))
    if auction.kind == "voluntary":
        return max((bundle_worth(view, number) for number in range(len(auction.menu))), default=0)
    return 0 if auction.space is None else corporation(view, auction.space)


def bundle_worth(view: View, number: int) -> float:
    assert view.auction
    return sum(corporation(view, space) for space in view.auction.menu[number].corps)


def owned(view: View, seat: int) -> list[int]:
    return [space for space, owner in enumerate(view.owner) if owner == seat]


def bid(view: View, question: ToBid) -> Bid:
    """One step above the last bid, or our limit where all bid once."""
    assert view.auction
    opponents = len(view.cash) - len(view.exits) - 1
    most = min(int(worth(view)), spare(view) // (opponents if view.auction.to_each else 1), question.high)
    amount = most // question.step * question.step if view.opts.bidding == "proxy" else question.low
    return Bid(amount if question.low <= amount <= most else 0)


def buy(view: View, question: ToBuyLines) -> Lines:
    """As many as we can spare, for the longest conglomerate, one by one where there are fewest."""
    run = max((conglomerate(view.owner, corp) for corp in question.corps), key=len)
    lines = {corp: view.lines[corp] for corp in run}
    for _ in range(max(1, min(question.most, spare(view) // question.price))):
        lines[min(run, key=lines.__getitem__)] += 1
    return Lines({str(corp): lines[corp] - view.lines[corp] for corp in run if lines[corp] > view.lines[corp]})


def choose(view: View, question: Asked[Action]) -> Action:
    match question:
        case ToBid():
            return bid(view, question)
        case ToBuyLines():
            return buy(view, question)
        case ToPlace():
            return Place(max(question.spaces, key=lambda space: corporation(view, space)))
        case ToPick():
            return Pick(max(question.corps, key=lambda corp: corporation(view, corp)))
        case ToChoose():
            return Choose(max(question.bundles, key=lambda number: bundle_worth(view, number)))
    return question.default()


if __name__ == "__main__":
    play(choose)
