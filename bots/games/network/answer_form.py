"""What Network asks, in words and controls."""

from collections.abc import Sequence
from typing import Any, Final

from bots.games.network.commentary import CALLED, company_name
from bots.viewer.answer_forms.bids import bid
from bots.viewer.answer_forms.form import ALL, Button, Choice, Control, Form, Way
from bots.viewer.language import say
from engine.auctions import ToBid
from engine.games.network import Offer, Site, ToBuild, ToTurn, View

KINDS: Final = {"city": " city"}  # of hexes to build on, besides the standard ones


def dollars(amount: int) -> str:
    return f"${amount}"


def ask(question: Any, view: View, names: Sequence[str]) -> Form:
    match question:
        case ToTurn():
            return _turn(question, names)
        case ToBuild(sites, treasury):
            left = say(", %(left)s more at most", left=view.expansion.left) if view.expansion else ""
            words = say(
                "Build on another hex%(left)s, or stop. The treasury holds %(treasury)s.",
                left=left,
                treasury=dollars(treasury),
            )
            stop = Way("", {"t": "stop"}, [Button(say("Build no more"), quiet=True)])
            return Form(words, [_build("", {"t": "build"}, sites), stop])
    return _bid(question, view, names)


def _turn(question: ToTurn, names: Sequence[str]) -> Form:
    alternatives = []
    for number in sorted({site.company for site in question.sites}):
        title = say(
            "Act for %(company)s: its treasury holds %(money)s",
            company=company_name(number, names),
            money=dollars(question.treasuries[number]),
        )
        sites = [site for site in question.sites if site.company == number]
        alternatives.append(_build(title, {"t": "act", "company": number}, sites))
    alternatives += [_auction(offer, question.cash, names) for offer in question.offers]
    alternatives.append(Way("", {"t": "pass"}, [Button(say("Pass"), quiet=True)]))
    words = say(
        "Your turn: act for a company, put a share up for auction, or pass. You have %(cash)s.",
        cash=dollars(question.cash),
    )
    return Form(words, alternatives)


def _auction(offer: Offer, cash: int, names: Sequence[str]) -> Way:
    where = say("from your hand") if offer.source == "hand" else say("from the pool")
    base = {"t": "auction", "company": offer.company, "source": offer.source}
    place = f"company:{offer.company}"
    title = say("Auction a share of %(company)s %(where)s", company=company_name(offer.company, names), where=where)
    if cash < offer.least:
        return Way(title, {**base, "bid": 0}, [Button(say("Put it up without a bid"), place=place)])
    label = say("Your opening bid, %(least)s to %(cash)s", least=dollars(offer.least), cash=dollars(cash))
    amount = Control("bid", "number", label, low=offer.least, high=cash, value=str(offer.least), of=cash)
    without = Button(say("Without a bid"), "bid", 0, "number", quiet=True, place=place)
    return Way(title, base, [Button(say("Open with this"), place=place), without], [amount])


def _build(title: str, base: dict[str, object], sites: Sequence[Site]) -> Way:
    where = [
        Choice({"hex": list(site.hex), "route": route}, _site(site, route), place=_place(site))
        for site in sites
        for route in range(max(1, len(site.routes)))
    ]
    most = max((site.most for site in sites), default=1)
    chips = Control("value", "number", say("Chips, at $5 each: 1 to %(most)s", most=most), low=1, high=most, value="1")
    return Way(title, base, [Button(say("Build"))], [Control(ALL, "one", say("Where"), where), chips])


def _place(site: Site) -> str:
    return f"hex:{site.hex[0]},{site.hex[1]}"


def _site(site: Site, route: int) -> str:
    kind = say(KINDS[site.kind]) if site.kind in KINDS else ""
    words = say(
        "(%(hex)s, %(hex2)s)%(kind)s, up to %(most)s", hex=site.hex[0], hex2=site.hex[1], kind=kind, most=site.most
    )
    if not site.routes:
        return words
    lease = site.routes[route]
    pays = ", ".join(
        say("%(each)s a share of %(company)s", each=dollars(amount), company=CALLED[int(number)])
        for number, amount in lease.pays.items()
    )
    return say("%(words)s; lease %(cost)s: %(pays)s", words=words, cost=dollars(lease.cost), pays=pays)


def _bid(question: ToBid, view: View, names: Sequence[str]) -> Form:
    auction, mine = view.auction, dollars(view.cash[view.seat])
    alternative = bid({"t": "bid"}, question.low, question.high, dollars, of=view.cash[view.seat])
    if auction is None:
        return Form(say("Bid, or pass. You have %(mine)s.", mine=mine), [alternative])
    high = (
        say("%(leader)s leads with %(high)s", leader=names[auction.leader], high=dollars(auction.high))
        if auction.leader is not None
        else say("no bid so far")
    )
    words = say(
        "Bid for a share of %(company)s, or pass: %(high)s. A pass is final. You have %(mine)s.",
        company=company_name(auction.company, names),
        high=high,
        mine=mine,
    )
    return Form(words, [alternative])
