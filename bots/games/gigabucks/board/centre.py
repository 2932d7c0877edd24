"""Inside the ring: whose turn it is, what it owes, and the auction."""

from collections.abc import Sequence
from typing import Final

from bots.games.gigabucks.board import menu
from bots.games.gigabucks.board.menu import WIDE
from bots.games.gigabucks.board.ring import MIDDLE
from bots.viewer.language import say
from bots.viewer.lettering import squeeze
from bots.viewer.svg import Markup, badge, clip, element, group, text, tooltip
from engine.core import Seat
from engine.games.gigabucks import Auction, Position
from engine.games.gigabucks.bidding import next_bid, payees, purse

LEFT: Final = MIDDLE - WIDE / 2
TO_EACH, TO_SELLER = "the winner pays each opponent", "the winner takes its choice"
TASKS: Final = {"place": "places its token", "offer": "may offer corporations for sale"}
OFFERED: Final = "may lower its price"
WON: Final = {
    "diversification": "buys product lines",
    "voluntary": "takes what it has bid for",
    "involuntary": "picks a corporation",
}


def seats_to_answer(position: Position) -> list[Seat]:
    """Return the seats whose answer is due, as far as that is public."""
    auction = position.auction
    if not position.to_do:
        return []
    if not auction:
        return [position.current]
    if auction.over:
        return [position.current if auction.leader is None else auction.leader]
    if position.options.bidding == "clockwise":
        return auction.bidding[:1]
    step, to = position.options.bid_step.of(auction.kind), payees(position, auction)
    low = next_bid(auction, step)
    return [seat for seat in auction.bidding if seat != auction.leader and purse(position, to, step, seat) >= low]


def doing(position: Position, names: Sequence[str]) -> str:
    """The question, in a sentence without its full stop."""
    seats = seats_to_answer(position)
    if not seats:
        return say("The game is over")
    return say("All who are in bid at once") if len(seats) > 1 else f"{names[seats[0]]} {_verb(position)}"


def _verb(position: Position) -> str:
    """Return what the seat whose answer is due is to do."""
    auction = position.auction
    if not auction:
        return say(TASKS.get(position.to_do[0], "")) if position.to_do else ""
    if not auction.over:
        return say("bids")
    return say(OFFERED if auction.leader is None else WON.get(auction.kind, ""))


def turn(position: Position, names: Sequence[str]) -> Markup:
    """Draw whose turn it is, and how it stands."""
    if not position.to_do:
        return text(say("The game is over"), MIDDLE, MIDDLE - 52, "title middle")
    if position.auction and position.auction.kind == "seat":
        return text(say("Before the first turn"), MIDDLE, MIDDLE - 52, "strong middle")
    name = squeeze(clip(names[position.current], 22), MIDDLE, MIDDLE - 56, WIDE - 20, "strong middle", 8)
    return (
        badge(position.current, MIDDLE, MIDDLE - 86, name=names[position.current])
        + name
        + text(_standing(position), MIDDLE, MIDDLE - 40, "small middle")
    )


def _standing(position: Position) -> str:
    space = position.tokens[position.current]
    where = say("has no token yet") if space is None else say("on space %(here)s", here=space)
    if not position.due or not position.due.amount:
        return where
    return say(
        "%(where)s, %(does)s seat %(to)s $%(amount)s",
        where=where,
        does=say("owes") if position.to_do[0] == "liquidate" else say("paid"),
        to=position.due.to,
        amount=position.due.amount,
    )


def sale(position: Position, names: Sequence[str]) -> Markup:
    """Draw what is up for sale, who leads and who is still in, with a frame round those who are to answer."""
    auction = position.auction
    if not auction:
        return squeeze(_verb(position), MIDDLE, MIDDLE - 10, WIDE, "small middle")
    title = squeeze(_title(position, auction), MIDDLE, MIDDLE - 15, WIDE, "strong middle", 8)
    line = element("path", d=f"M{LEFT + 20:g} {MIDDLE - 31}h{WIDE - 40:g}", class_="gb-rule")
    if _picks(auction):
        return line + title + menu.boxes(auction.menu, auction.high)
    over = text(_verb(position), MIDDLE, MIDDLE + 70, "small middle")
    bids = over if auction.over else _bidders(position, auction, names)
    return line + title + _terms(auction) + _price(auction, names) + bids


def _picks(auction: Auction) -> bool:
    """Whether the winner is to take one of the bundles."""
    return auction.over and bool(auction.menu) and auction.leader is not None


def _title(position: Position, auction: Auction) -> str:
    if auction.kind == "seat":
        return say("Place %(seated)s in the order", seated=position.seated + 1)
    if _picks(auction):
        return say("Seat %(seat)s %(does)s: $%(high)s", seat=auction.leader, does=_verb(position), high=auction.high)
    return {
        "charter": say("Charter of space %(space)s", space=auction.space),
        "reactivation": say("Inactive space %(space)s", space=auction.space),
        "diversification": say("Product lines"),
        "voluntary": say("On offer"),
        "involuntary": say("Forced sale"),
    }[auction.kind]


def _terms(auction: Auction) -> Markup:
    if not auction.menu:
        return squeeze(say(TO_EACH if auction.to_each else TO_SELLER), MIDDLE, MIDDLE, WIDE - 16, "small faint middle")
    return menu.menu_lines(auction.menu)


def _price(auction: Auction, names: Sequence[str]) -> Markup:
    if auction.leader is None:
        least = say("$%(least)s or more", least=auction.least) if auction.least > 1 else say("no bid yet")
        return text(least, MIDDLE, MIDDLE + 44, "middle")
    high = text(f"${auction.high}", MIDDLE + 2, MIDDLE + 46, "gb-price end")
    leader = badge(auction.leader, MIDDLE + 18, MIDDLE + 39, name=names[auction.leader])
    return group(tooltip(say("the highest bid so far")), high, leader)


def _bidders(position: Position, auction: Auction, names: Sequence[str]) -> Markup:
    seats = sorted(auction.bidding, key=position.order.index)
    pitch = min(25, 170 / len(seats))
    left = MIDDLE - pitch * (len(seats) - 1) / 2
    places = {seat: round(left + pitch * place, 1) for place, seat in enumerate(seats)}
    due = [seat for seat in seats_to_answer(position) if seat in places]
    frames = [element("circle", cx=places[seat], cy=MIDDLE + 66, r=11.5, class_="gb-asked") for seat in due]
    asked = group(tooltip(say("is asked")), *frames) if frames else ""
    chips = [badge(seat, x, MIDDLE + 66, name=names[seat]) for seat, x in places.items()]
    return "".join(chips) + asked + text(say("still in"), MIDDLE, MIDDLE + 90, "small faint middle")
