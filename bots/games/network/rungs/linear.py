"""Network by a linear worth of each answer, whose weights were learnt (`bots.command.learn`).

As `greedy`, a build is worth what it brings us less what it brings the others. What a share is worth is learnt too, so
that building, selling and passing are weighed against each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bots.games.network.samples.greedy import stakes
from engine.games.network import Act, Auction, Bid, Build, Offer, Pass, Site, Stop, ToBid, ToBuild, ToTurn, View
from engine.records import Record


@dataclass(frozen=True, slots=True)
class Linear:
    """In dollars: what a point of value brings in a city beyond that of another hex, a lease, any growth; what is left
    in the treasury; a share put up, with more for each dollar there; a share above its value, and one of our company;
    and what a pass is worth."""

    city: float = 1.75
    dues: float = 3.24
    room: float = 0.56
    upkeep: float = -1.09
    sale: float = 24.0
    poor: float = -3.73
    extra: float = -6.0
    mine: float = 8.07
    rest: float = 5.99

    def build(self, stake: Sequence[float], site: Site) -> float:
        """Return what a site brings with as many chips as it takes, over the cheapest way."""
        dues = site.routes[0].pays if site.routes else {}
        leases = sum(stake[int(company)] * due for company, due in dues.items())
        worth_built = stake[site.company] * (1 + (self.city if site.kind == "city" else 0)) + self.room
        return worth_built * site.most + self.dues * leases

    def auction(self, view: View, offer: Offer) -> float:
        treasury = view.treasury[offer.company] if offer.company == view.seat else 10
        return self.sale + self.poor * (10 - treasury) / 10

    def worth(self, view: View, question: ToTurn) -> Iterator[tuple[float, Record]]:
        stake = stakes(view)
        yield self.rest, Pass()
        for site in question.sites:
            yield self.build(stake, site) - self.upkeep, Act(site.company, site.hex, site.most)
        for offer in question.offers:
            if offer.source == "hand" and question.cash >= offer.least:
                yield self.auction(view, offer), Auction(offer.company, offer.source, offer.least)

    def bid(self, view: View, question: ToBid) -> Bid:
        assert view.auction
        above = self.extra + self.mine * (view.auction.company == view.seat)
        return Bid(question.low if question.low <= min(question.high, view.auction.least + above) else 0)

    def choose(self, view: View, question: Any) -> Record:
        match question:
            case ToTurn():
                return max(self.worth(view, question), key=lambda ranked: ranked[0])[1]
            case ToBid():
                return self.bid(view, question)
            case ToBuild(sites):
                stake = stakes(view)
                best = max(sites, key=lambda site: self.build(stake, site))
                return Build(best.hex, best.most) if self.build(stake, best) > 0 else Stop()
        raise TypeError(f"Network asks no {question!r}")
