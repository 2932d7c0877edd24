"""What Network asks, in words and controls."""

from collections.abc import Sequence
from typing import Any

from bots.viewer.answer_forms.bids import bid
from bots.viewer.answer_forms.form import ALL, Button, Choice, Control, Form, Way
from bots.viewer.commentary.network import company
from engine.auctions import ToBid
from engine.games.network import Offer, Site, ToBuild, ToTurn, View

PASS, STOP = "Pass", "Build no more"


def money(amount: int) -> str:
    return f"${amount}"


def ask(question: Any, view: View, names: Sequence[str]) -> Form:
    match question:
        case ToTurn():
            return _turn(question, names)
        case ToBuild(sites, treasury):
            left = f", {view.expansion.left} more at most" if view.expansion else ""
            words = f"Build on another hex{left}, or stop. The treasury holds {money(treasury)}."
            stop = Way("", {"t": "stop"}, [Button(STOP, quiet=True)])
            return Form(words, [_build("", {"t": "build"}, sites), stop])
    return _bid(question, view, names)


def _turn(question: ToTurn, names: Sequence[str]) -> Form:
    ways = []
    for number in sorted({site.company for site in question.sites}):
        title = f"Act for {company(number, names)}: its treasury holds {money(question.treasuries[number])}"
        sites = [site for site in question.sites if site.company == number]
        ways.append(_build(title, {"t": "act", "company": number}, sites))
    ways += [_auction(offer, question.cash, names) for offer in question.offers]
    ways.append(Way("", {"t": "pass"}, [Button(PASS, quiet=True)]))
    words = f"Your turn: act for a company, put a share up for auction, or pass. You have {money(question.cash)}."
    return Form(words, ways)


def _auction(offer: Offer, cash: int, names: Sequence[str]) -> Way:
    where = "from your hand" if offer.source == "hand" else "from the pool"
    base = {"t": "auction", "company": offer.company, "source": offer.source}
    place = f"company:{offer.company}"
    title = f"Auction a share of {company(offer.company, names)} {where}"
    if cash < offer.least:
        return Way(title, {**base, "bid": 0}, [Button("Put it up without a bid", place=place)])
    label = f"Your opening bid, {money(offer.least)} to {money(cash)}"
    amount = Control("bid", "number", label, low=offer.least, high=cash, value=str(offer.least), of=cash)
    without = Button("Without a bid", "bid", 0, "number", quiet=True, place=place)
    return Way(title, base, [Button("Open with this", place=place), without], [amount])


def _build(title: str, base: dict[str, object], sites: Sequence[Site]) -> Way:
    where = [
        Choice({"hex": list(site.hex), "route": route}, _site(site, route), not (number or route), _place(site))
        for number, site in enumerate(sites)
        for route in range(max(1, len(site.routes)))
    ]
    most = max((site.most for site in sites), default=1)
    chips = Control("value", "number", f"Chips, at $5 each: 1 to {most}", low=1, high=most, value="1")
    return Way(title, base, [Button("Build")], [Control(ALL, "one", "Where", where), chips])


def _place(site: Site) -> str:
    return f"hex:{site.hex[0]},{site.hex[1]}"


def _site(site: Site, route: int) -> str:
    kind = "" if site.kind == "standard" else f" {site.kind}"
    words = f"({site.hex[0]}, {site.hex[1]}){kind}, up to {site.most}"
    if not site.routes:
        return words
    way = site.routes[route]
    pays = ", ".join(f"{money(each)} a share of company {number}" for number, each in way.pays.items())
    return f"{words}; lease {money(way.cost)}: {pays}"


def _bid(question: ToBid, view: View, names: Sequence[str]) -> Form:
    auction, mine = view.auction, money(view.cash[view.seat])
    way = bid({"t": "bid"}, question.low, question.high, money, of=view.cash[view.seat])
    if auction is None:
        return Form(f"Bid, or pass. You have {mine}.", [way])
    high = (
        f"{names[auction.leader]} leads with {money(auction.high)}" if auction.leader is not None else "no bid so far"
    )
    words = f"Bid for a share of {company(auction.company, names)}, or pass: {high}. A pass is final. You have {mine}."
    return Form(words, [way])
