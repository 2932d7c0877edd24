"""Shangzhou-Gold, by what each sector is worth: to us, less what it is worth to the others on average.

Clout is spent on what pays most over the next turns, until there is enough of it to win by not spending it.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from bots.sdk import play
from engine.core import Seat
from engine.games.shangzhou import (
    NEAR,
    Accept,
    Action,
    Apply,
    Bid,
    Bribe,
    Engage,
    Expand,
    Goods,
    Order,
    Pass,
    Position,
    ToAccept,
    ToAct,
    ToApply,
    ToBid,
    ToExpand,
    ToOrder,
    ToOversee,
    ToVeto,
    Use,
    Veto,
    View,
    Wait,
    dispute,
    shares,
)

Table = View | Position
TURNS: Final = 3.0  # for which an income counts
AMOUNTS: Final = {"P": (3,), "C": (1, 2, 3, 4, 5, 6)}  # what a sector may give
ALONE: Final = {"N": 3.0}  # what it is worth to be alone in a sector, if not 1
PRICES: Final = {"C": 5, "P": 5, "N": 2, "S": 2, "V": 2, "H": 2}
AGENT: Final = 0.3  # what one more is worth anywhere
TOOL: Final = 6.0  # what a Hacker or a Virus must bring to be used


@lru_cache(maxsize=1 << 16)
def worth(zone: str, there: tuple[int, ...], seat: Seat) -> float:
    """What a sector with so many agents is worth to `seat`, less what it is worth to each other on average."""
    values = [0.0] * len(there)
    amounts = AMOUNTS.get(zone, ())
    for amount in amounts:
        for other, paid in enumerate(shares(there, amount)):
            values[other] += TURNS * paid / len(amounts)
    if max(there) and max(there) == sum(there):
        values[there.index(max(there))] += ALONE.get(zone, 1.0)
    values[seat] += AGENT * there[seat] ** 0.5
    return values[seat] - (sum(values) - values[seat]) / (len(there) - 1)


def agents_in(at: Table, sector: int) -> tuple[int, ...]:
    return tuple([agents[sector] for agents in at.agents])


def gain(at: Table, seat: Seat, sector: int, changed: dict[Seat, int]) -> float:
    """What it brings to have these numbers of agents there."""
    before = agents_in(at, sector)
    after = tuple([changed.get(other, there) for other, there in enumerate(before)])
    return worth(at.zones[sector], after, seat) - worth(at.zones[sector], before, seat)


def near(at: Table, seat: Seat) -> list[float]:
    """By sector how near `seat` is: 1 where it has agents, and less for each step."""
    agents, out = at.agents[seat], [0.0] * len(at.zones)
    for sector in [at.homes[seat], *(sector for sector, there in enumerate(agents) if there)]:
        row, column = divmod(sector, 8)
        for to in range(len(at.zones)):
            out[to] = max(out[to], 1 / (1 + abs(row - to // 8) + abs(column - to % 8)))
    return out


def saving(at: Table, seat: Seat) -> bool:
    """Whether we have the Clout to win, and more than all others."""
    goal = (at.opts if isinstance(at, View) else at.options).clout_goal
    return at.clout[seat] >= goal and at.clout[seat] == max(at.clout)


def price(goods: Goods) -> int:
    return goods.clout + 2 * goods.hackers + 2 * goods.viruses


def bid(at: Table, seat: Seat, question: ToBid) -> Bid | Pass:
    """The least on the lot that is worth most above it; a Clout must remain to enter the sector."""
    best, surplus = -1, 0
    for lot, least in enumerate(question.least):
        above = PRICES.get(at.lots[lot].tile, 0) - at.lots[lot].bids[seat] - least
        if above >= surplus and at.clout[seat] > least and not leads(at.lots[lot].bids, seat):
            best, surplus = lot, above
    return Bid(best, question.least[best]) if best >= 0 and not saving(at, seat) else Pass()


def leads(bids: list[int], seat: Seat) -> bool:
    return bids[seat] == max(bids) > 0


def apply(at: Table, seat: Seat, question: ToApply) -> Apply:
    """What is good close to us and far from the others; what is not, the other way round."""
    template = question.besides.hand.templates[0]
    reach = [near(at, other) for other in range(len(at.agents))]
    sign = -1 if template in ("U", "R") else 1

    def good(sector: int) -> float:
        return sign * (len(reach) * reach[seat][sector] - sum(each[sector] for each in reach))

    return Apply(template, max(question.sectors, key=good))


def moves(at: Table, seat: Seat, question: ToExpand) -> Iterator[tuple[float, Action]]:
    """Every placement in one sector and every fight, and what it brings."""
    most = min(3, at.clout[seat])
    for sector in question.valid:
        there = at.agents[seat][sector]
        ways = 0.0 if there else AGENT * sum(at.zones[to] in AMOUNTS for to in NEAR[sector])
        for number in range(1, most + 1):
            yield (gain(at, seat, sector, {seat: there + number}) + ways) / number, Expand([sector] * number)
    clockwise = sorted(question.fights, key=lambda fight: (fight[1] - seat) % len(at.agents))
    for sector, other in clockwise:  # or else seat 0 would be everybody's first victim
        own, theirs = dispute(at.agents[seat][sector], at.agents[other][sector])
        lost = at.agents[seat][sector] - own
        yield gain(at, seat, sector, {seat: own, other: theirs}) - lost, Engage(sector, other)


def expand(at: Table, seat: Seat, question: ToExpand) -> Action:
    if saving(at, seat):
        return Pass()
    brings, best = max(moves(at, seat, question), key=lambda move: move[0])
    return best if brings > 0 else Pass()


def uses(at: Table, seat: Seat, question: ToAct) -> list[Use]:
    """The best use there is, if it brings enough."""
    found = [(virus(at, seat, sector), Use("virus", sector)) for sector in question.infectable]
    found += [(hacker(at, seat, sector), Use("hacker", sector)) for sector in question.hackable]
    brings, use = max(found, key=lambda each: each[0], default=(0.0, None))
    return [use] if use and brings >= TOOL else []


def virus(at: Table, seat: Seat, sector: int) -> float:
    return gain(at, seat, sector, dict.fromkeys(range(len(at.agents)), 0))


def hacker(at: Table, seat: Seat, sector: int) -> float:
    there = agents_in(at, sector)
    return worth("", there, seat) - worth(at.zones[sector], there, seat)


def answer(at: Table, seat: Seat, question: Any) -> Action:
    match question:
        case ToOversee():
            return Bribe(int(at.clout[seat] > 5 and not saving(at, seat)))
        case ToOrder(seats=seats, by_seat=False):
            return Order([seat, *(other for other in seats if other != seat)])
        case ToBid():
            return bid(at, seat, question)
        case ToApply():
            return apply(at, seat, question)
        case ToExpand():
            return expand(at, seat, question)
        case ToAct():
            return Wait(uses=uses(at, seat, question))
        case ToVeto(bans=bans):
            return Veto(bans)
        case ToAccept(offers=offers):
            return Accept([offer.id for offer in offers if price(offer.give) > price(offer.want)])
    return question.default()  # type: ignore[no-any-return]


def choose(view: View, question: Any) -> Action:
    return answer(view, view.seat, question)


if __name__ == "__main__":
    play(choose)
