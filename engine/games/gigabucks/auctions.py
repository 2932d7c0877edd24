"""The kinds of auction, as section 6 of the rulebook has them. How bids are made is in `bidding`."""

from collections.abc import Sequence
from typing import Literal

from engine.core import Flow, Seat, tell
from engine.games.gigabucks.bidding import ask_unless_forced, hold_auction
from engine.games.gigabucks.events import Called, Diversified, Owned, Paid
from engine.games.gigabucks.pieces import LEAST_CUT, Kind
from engine.games.gigabucks.position import Auction, Bundle, Position, corporations, from_left, players_in
from engine.games.gigabucks.questions import ToBuyLines, ToChoose, ToCut, ToOffer, ToPick


def call(
    at: Position,
    kind: Kind,
    bidding: Sequence[Seat],
    *,
    by: Seat | None,
    space: int | None = None,
    menu: Sequence[Bundle] = (),
) -> Auction:
    """Bidding starts at the left of the player who calls, and goes on clockwise."""
    least = min((bundle.least for bundle in menu), default=1)
    at.auction = Auction(list(bidding), kind=kind, by=by, space=space, menu=list(menu), least=least)
    tell(at, Called(kind, by, space, list(menu)))
    return at.auction


def charter(at: Position) -> Flow[None]:
    """The winner pays the bid to each opponent and owns the corporation, which has no product lines yet."""
    yield from sell_charter(at, "charter")


def reactivate(at: Position) -> Flow[None]:
    """The same for an inactive corporation. It keeps the product lines it has."""
    yield from sell_charter(at, "reactivation")


def sell_charter(at: Position, kind: Literal["charter", "reactivation"]) -> Flow[None]:
    """If nobody bids, nobody gets it."""
    space = at.tokens[at.current]
    auction = at.auction or call(at, kind, from_left(at, at.current), by=at.current, space=space)
    yield from hold_auction(at, auction)
    if auction.leader is not None and auction.space is not None:
        pay_each(at, auction.leader, auction.high, kind)
        at.chartered[auction.space] = True
        give(at, [auction.space], auction.leader)
    at.auction = None


def diversify(at: Position) -> Flow[None]:
    """The bid is the price of a product line to each opponent. The winner says how many it buys, and for which spaces.

    Only those who own a corporation can bid.
    """
    owners = [seat for seat in from_left(at, at.current) if seat in at.owner]
    if not owners:
        return
    auction = at.auction or call(at, "diversification", owners, by=at.current)
    yield from hold_auction(at, auction)
    if auction.leader is not None:
        yield from buy_lines(at, auction.leader, auction.high)
    at.auction = None


def buy_lines(at: Position, seat: Seat, bid: int) -> Flow[None]:
    price = bid * (len(players_in(at)) - 1)
    question = ToBuyLines(corporations(at, seat), at.cash[seat] // price, price)
    add = (yield from ask_unless_forced(at, seat, question)).add
    pay_each(at, seat, bid * sum(add.values()), "diversification")
    for corp, number in add.items():
        at.lines[int(corp)] += number
    tell(at, Diversified(seat, add))


def offer(at: Position) -> Flow[None]:
    """The player may offer bundles of its corporations, each with a minimum. The winner takes one of them.

    It may not bid, nor take the offer back. The winner pays it alone.
    """
    own = corporations(at, at.current)
    if not own or not at.options.voluntary_sales:
        return
    if not at.auction:
        menu = (yield from ask_unless_forced(at, at.current, ToOffer(own))).menu
        if menu:
            offer_menu(at, menu)
    while at.auction:
        yield from hold_auction(at, at.auction)
        if at.auction.leader is None:
            yield from cut_minimum(at, at.auction)
        else:
            yield from take_bundle(at, at.auction, at.auction.leader)


def offer_menu(at: Position, menu: Sequence[Bundle]) -> None:
    call(at, "voluntary", from_left(at, at.current)[:-1], by=at.current, menu=menu)


def cut_minimum(at: Position, auction: Auction) -> Flow[None]:
    """If nobody met the minimum there is no sale; by an optional rule, the seller may lower it and offer again."""
    question = ToCut(LEAST_CUT, auction.least - 1)
    by = 0
    if at.options.voluntary_retry and question.low <= question.high:
        by = (yield from ask_unless_forced(at, at.current, question)).by
    at.auction = None
    if by:
        offer_menu(at, [Bundle(bundle.corps, max(1, bundle.least - by)) for bundle in auction.menu])


def take_bundle(at: Position, auction: Auction, seat: Seat) -> Flow[None]:
    """The winner chooses among the bundles whose minimum it bid. Product lines stay where they are."""
    enough = [number for number, bundle in enumerate(auction.menu) if bundle.least <= auction.high]
    chosen = (yield from ask_unless_forced(at, seat, ToChoose(enough))).bundle
    pay(at, seat, [at.current], auction.high, "voluntary")
    give(at, auction.menu[chosen].corps, seat)
    at.auction = None


def sell_one(at: Position) -> Flow[bool]:
    """All opponents may bid for the right to buy one corporation of their choice. They pay the debtor alone."""
    auction = at.auction or call(at, "involuntary", from_left(at, at.current)[:-1], by=at.current)
    yield from hold_auction(at, auction)
    if auction.leader is not None:
        corps = sorted(corporations(at, at.current), key=lambda corp: -at.lines[corp])
        corp = (yield from ask_unless_forced(at, auction.leader, ToPick(corps))).corp
        pay(at, auction.leader, [at.current], auction.high, "involuntary")
        give(at, [corp], auction.leader)
    at.auction = None
    return auction.leader is not None


def pay(at: Position, seat: Seat, to: list[Seat], each: int, why: Kind | Literal["royalty"]) -> None:
    at.cash[seat] -= each * len(to)
    for other in to:
        at.cash[other] += each
    tell(at, Paid(seat, to, each, why))


def pay_each(at: Position, seat: Seat, each: int, why: Kind) -> None:
    """Pay each opponent."""
    pay(at, seat, [other for other in players_in(at) if other != seat], each, why)


def give(at: Position, corps: Sequence[int], seat: Seat | None) -> None:
    for corp in corps:
        at.owner[corp] = seat
    if corps:
        tell(at, Owned(list(corps), seat))
