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
    position: Position,
    kind: Kind,
    bidding: Sequence[Seat],
    *,
    by: Seat | None,
    space: int | None = None,
    menu: Sequence[Bundle] = (),
) -> Auction:
    """Bidding starts at the left of the player who calls, and goes on clockwise."""
    least = min((bundle.least for bundle in menu), default=1)
    position.auction = Auction(list(bidding), kind=kind, by=by, space=space, menu=list(menu), least=least)
    tell(position, Called(kind, by, space, list(menu)))
    return position.auction


def charter(position: Position) -> Flow[None]:
    """The winner pays the bid to each opponent and owns the corporation, which has no product lines yet."""
    yield from sell_charter(position, "charter")


def reactivate(position: Position) -> Flow[None]:
    """The same for an inactive corporation. It keeps the product lines it has."""
    yield from sell_charter(position, "reactivation")


def sell_charter(position: Position, kind: Literal["charter", "reactivation"]) -> Flow[None]:
    """Auction the corporation on which the player stands. Without a bid it stays nobody's."""
    space = position.tokens[position.current]
    auction = position.auction or call(
        position, kind, from_left(position, position.current), by=position.current, space=space
    )
    yield from hold_auction(position, auction)
    if auction.leader is not None and auction.space is not None:
        pay_each(position, auction.leader, auction.high, kind)
        position.chartered[auction.space] = True
        give(position, [auction.space], auction.leader)
    position.auction = None


def diversify(position: Position) -> Flow[None]:
    """The bid is the price of a product line to each opponent. The winner says how many it buys, and for which spaces.

    Only those who own a corporation can bid.
    """
    owners = [seat for seat in from_left(position, position.current) if seat in position.owner]
    if not owners:
        return
    auction = position.auction or call(position, "diversification", owners, by=position.current)
    yield from hold_auction(position, auction)
    if auction.leader is not None:
        yield from buy_lines(position, auction.leader, auction.high)
    position.auction = None


def buy_lines(position: Position, seat: Seat, bid: int) -> Flow[None]:
    price = bid * (len(players_in(position)) - 1)
    question = ToBuyLines(corporations(position, seat), position.cash[seat] // price, price)
    add = (yield from ask_unless_forced(position, seat, question)).add
    pay_each(position, seat, bid * sum(add.values()), "diversification")
    for corp, number in add.items():
        position.lines[int(corp)] += number
    tell(position, Diversified(seat, add))


def offer_bundles(position: Position) -> Flow[None]:
    """The player may offer bundles of its corporations, each with a minimum. The winner takes one of them.

    It may not bid, nor take the offer back. The winner pays it alone.
    """
    corps = corporations(position, position.current)
    if not corps or not position.options.voluntary_sales:
        return
    if not position.auction:
        menu = (yield from ask_unless_forced(position, position.current, ToOffer(corps))).menu
        if menu:
            offer_menu(position, menu)
    while position.auction:
        yield from hold_auction(position, position.auction)
        if position.auction.leader is None:
            yield from cut_minimum(position, position.auction)
        else:
            yield from take_bundle(position, position.auction, position.auction.leader)


def offer_menu(position: Position, menu: Sequence[Bundle]) -> None:
    call(position, "voluntary", from_left(position, position.current)[:-1], by=position.current, menu=menu)


def cut_minimum(position: Position, auction: Auction) -> Flow[None]:
    """The sale fails if nobody met the minimum; by an optional rule, the seller may lower it and offer again."""
    question = ToCut(LEAST_CUT, auction.least - 1)
    by = 0
    if position.options.voluntary_retry and question.low <= question.high:
        by = (yield from ask_unless_forced(position, position.current, question)).by
    position.auction = None
    if by:
        offer_menu(position, [Bundle(bundle.corps, max(1, bundle.least - by)) for bundle in auction.menu])


def take_bundle(position: Position, auction: Auction, seat: Seat) -> Flow[None]:
    """The winner chooses among the bundles whose minimum it bid. Product lines stay where they are."""
    enough = [number for number, bundle in enumerate(auction.menu) if bundle.least <= auction.high]
    chosen = (yield from ask_unless_forced(position, seat, ToChoose(enough))).bundle
    pay(position, seat, [position.current], auction.high, "voluntary")
    give(position, auction.menu[chosen].corps, seat)
    position.auction = None


def sell_one(position: Position) -> Flow[bool]:
    """Opponents may bid for the right to buy one corporation of their choice. They pay the debtor alone."""
    auction = position.auction or call(
        position, "involuntary", from_left(position, position.current)[:-1], by=position.current
    )
    yield from hold_auction(position, auction)
    if auction.leader is not None:
        corps = sorted(corporations(position, position.current), key=lambda corp: -position.lines[corp])
        corp = (yield from ask_unless_forced(position, auction.leader, ToPick(corps))).corp
        pay(position, auction.leader, [position.current], auction.high, "involuntary")
        give(position, [corp], auction.leader)
    position.auction = None
    return auction.leader is not None


def pay(position: Position, seat: Seat, to: list[Seat], amount: int, why: Kind | Literal["royalty"]) -> None:
    position.cash[seat] -= amount * len(to)
    for other in to:
        position.cash[other] += amount
    tell(position, Paid(seat, to, amount, why))


def pay_each(position: Position, seat: Seat, amount: int, why: Kind) -> None:
    """Pay each opponent."""
    pay(position, seat, [other for other in players_in(position) if other != seat], amount, why)


def give(position: Position, corps: Sequence[int], seat: Seat | None) -> None:
    for corp in corps:
        position.owner[corp] = seat
    if corps:
        tell(position, Owned(list(corps), seat))
