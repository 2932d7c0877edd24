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
def worth(zone: str, agents: tuple[int, ...], seat: Seat) -> float:
    """Return what a sector with so many agents is worth to `seat`, less what it is worth to each other on average."""
    values = [0.0] * len(agents)
    amounts = AMOUNTS.get(zone, ())
    for amount in amounts:
        for other, paid in enumerate(shares(agents, amount)):
            values[other] += TURNS * paid / len(amounts)
    if max(agents) and max(agents) == sum(agents):
        values[agents.index(max(agents))] += ALONE.get(zone, 1.0)
    values[seat] += AGENT * agents[seat] ** 0.5
    return values[seat] - (sum(values) - values[seat]) / (len(agents) - 1)


def agents_in(table: Table, sector: int) -> tuple[int, ...]:
    return tuple([agents[sector] for agents in table.agents])


def gain(table: Table, seat: Seat, sector: int, changed: dict[Seat, int]) -> float:
    """Return what it brings to have these numbers of agents there."""
    before = agents_in(table, sector)
    after = tuple([changed.get(other, number) for other, number in enumerate(before)])
    return worth(table.zones[sector], after, seat) - worth(table.zones[sector], before, seat)


def near(table: Table, seat: Seat) -> list[float]:
    """Return by sector how near `seat` is: 1 where it has agents, and less for each step."""
    agents, out = table.agents[seat], [0.0] * len(table.zones)
    for sector in [table.homes[seat], *(sector for sector, number in enumerate(agents) if number)]:
        row, column = divmod(sector, 8)
        for to in range(len(table.zones)):
            out[to] = max(out[to], 1 / (1 + abs(row - to // 8) + abs(column - to % 8)))
    return out


def saving(table: Table, seat: Seat) -> bool:
    """Whether we have the Clout to win, and more than all others."""
    goal = (table.opts if isinstance(table, View) else table.options).clout_goal
    return table.clout[seat] >= goal and table.clout[seat] == max(table.clout)


def price(goods: Goods) -> int:
    return goods.clout + 2 * goods.hackers + 2 * goods.viruses


def bid(table: Table, seat: Seat, question: ToBid) -> Bid | Pass:
    """The least on the lot that is worth most above it; a Clout must remain to enter the sector."""
    best, surplus = -1, 0
    for lot, least in enumerate(question.least):
        above = PRICES.get(table.lots[lot].tile, 0) - table.lots[lot].bids[seat] - least
        if above >= surplus and table.clout[seat] > least and not leads(table.lots[lot].bids, seat):
            best, surplus = lot, above
    return Bid(best, question.least[best]) if best >= 0 and not saving(table, seat) else Pass()


def leads(bids: list[int], seat: Seat) -> bool:
    return bids[seat] == max(bids) > 0


def apply(table: Table, seat: Seat, question: ToApply) -> Apply:
    """Place what is good close to us and far from the others; what is not, the other way round."""
    template = question.besides.hand.templates[0]
    reach = [near(table, other) for other in range(len(table.agents))]
    sign = -1 if template in ("U", "R") else 1

    def good(sector: int) -> float:
        return sign * (len(reach) * reach[seat][sector] - sum(nearness[sector] for nearness in reach))

    return Apply(template, max(question.sectors, key=good))


def moves(table: Table, seat: Seat, question: ToExpand) -> Iterator[tuple[float, Action]]:
    """Return every placement in one sector and every fight, and what it brings."""
    most = min(3, table.clout[seat])
    for sector in question.valid:
        present = table.agents[seat][sector]
        outlook = 0.0 if present else AGENT * sum(table.zones[to] in AMOUNTS for to in NEAR[sector])
        for number in range(1, most + 1):
            yield (gain(table, seat, sector, {seat: present + number}) + outlook) / number, Expand([sector] * number)
    clockwise = sorted(question.fights, key=lambda fight: (fight[1] - seat) % len(table.agents))
    for sector, other in clockwise:  # or else seat 0 would be everybody's first victim
        kept, left = dispute(table.agents[seat][sector], table.agents[other][sector])
        lost = table.agents[seat][sector] - kept
        yield gain(table, seat, sector, {seat: kept, other: left}) - lost, Engage(sector, other)


def expand(table: Table, seat: Seat, question: ToExpand) -> Action:
    if saving(table, seat):
        return Pass()
    brings, best = max(moves(table, seat, question), key=lambda move: move[0])
    return best if brings > 0 else Pass()


def uses(table: Table, seat: Seat, question: ToAct) -> list[Use]:
    """The best use there is, if it brings enough."""
    ranked = [(virus(table, seat, sector), Use("virus", sector)) for sector in question.infectable]
    ranked += [(hacker(table, seat, sector), Use("hacker", sector)) for sector in question.hackable]
    brings, use = max(ranked, key=lambda pair: pair[0], default=(0.0, None))
    return [use] if use and brings >= TOOL else []


def virus(table: Table, seat: Seat, sector: int) -> float:
    return gain(table, seat, sector, dict.fromkeys(range(len(table.agents)), 0))


def hacker(table: Table, seat: Seat, sector: int) -> float:
    agents = agents_in(table, sector)
    return worth("", agents, seat) - worth(table.zones[sector], agents, seat)


def answer(table: Table, seat: Seat, question: Any) -> Action:
    match question:
        case ToOversee():
            return Bribe(int(table.clout[seat] > 5 and not saving(table, seat)))
        case ToOrder(seats=seats, by_seat=False):
            return Order([seat, *(other for other in seats if other != seat)])
        case ToBid():
            return bid(table, seat, question)
        case ToApply():
            return apply(table, seat, question)
        case ToExpand():
            return expand(table, seat, question)
        case ToAct():
            return Wait(uses=uses(table, seat, question))
        case ToVeto(bans=bans):
            return Veto(bans)
        case ToAccept(offers=offers):
            return Accept([offer.id for offer in offers if price(offer.give) > price(offer.want)])
    return question.default()  # type: ignore[no-any-return]


def choose(view: View, question: Any) -> Action:
    return answer(view, view.seat, question)


if __name__ == "__main__":
    play(choose)
