"""Network, by what each build brings now: to us, less what it brings to the others on average."""

from collections.abc import Iterator, Sequence

from bots.sdk import play
from engine.games.network import Act, Auction, Bid, Build, Pass, Site, Stop, ToBid, ToBuild, ToTurn, View

EXTRA = 3  # dollars above its share value that a share is worth
ROOM = 0.05  # for each point of value, for any seat: networks that grow can go on growing


def stakes(view: View) -> list[float]:
    """Return by company our shares, less the others' on average."""
    players = len(view.owned)
    mine = view.owned[view.seat]
    return [(players * mine[c] - sum(shares[c] for shares in view.owned)) / (players - 1) for c in range(players)]


def gain(stake: Sequence[float], site: Site, value: int, route: int) -> float:
    """Share value, the city's payout, and what the leased companies earn."""
    twice = 2 if site.kind == "city" else 1
    dues = site.routes[route].pays if site.routes else {}
    return (stake[site.company] * twice + ROOM) * value + sum(stake[int(c)] * due for c, due in dues.items())


def builds(view: View, sites: Sequence[Site]) -> Iterator[tuple[float, Site, int]]:
    """Return each site with as many chips as it takes, by the cheapest route, and what that brings."""
    stake = stakes(view)
    for site in sites:
        yield gain(stake, site, site.most, 0), site, site.most


def best(view: View, sites: Sequence[Site]) -> tuple[float, Site, int] | None:
    richest = max(builds(view, sites), key=lambda build: build[0], default=None)
    return richest if richest and richest[0] > 0 else None


def turn(view: View, question: ToTurn) -> Act | Auction | Pass:
    """Build what pays; else put a share up and take it for what it is worth."""
    if build := best(view, question.sites):
        _, site, value = build
        return Act(site.company, site.hex, value)
    for offer in question.offers:
        if offer.source == "hand" and question.cash >= offer.least:
            return Auction(offer.company, offer.source, offer.least)
    return Pass()


def choose(view: View, question: ToTurn | ToBid | ToBuild) -> Act | Auction | Pass | Bid | Build | Stop:
    match question:
        case ToTurn():
            return turn(view, question)
        case ToBid(low, high):
            assert view.auction
            return Bid(low if low <= min(high, view.auction.least + EXTRA) else 0)
        case ToBuild(sites):
            build = best(view, sites)
            return Build(build[1].hex, build[2]) if build else Stop()


if __name__ == "__main__":
    play(choose)
