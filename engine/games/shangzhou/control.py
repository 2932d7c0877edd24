"""The arithmetic of the board: income shares, disputes, where one may expand, and who controls what."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from operator import add
from typing import Final, NamedTuple

from engine.core import Seat
from engine.games.shangzhou.pieces import DIE, NEAR, NODES, PRODUCED, SECTORS
from engine.games.shangzhou.position import Position

ROLLS: Final = tuple(range(1, DIE + 1))


@lru_cache(maxsize=1 << 13)
def shares(agents: tuple[int, ...], amount: int) -> tuple[int, ...]:
    """How `amount` Clout of a sector is handed out to players with so many agents there, by seat.

    One each, most agents first, over and over; players with equally many are paid all or, ending it, none.
    """
    paid = [0] * len(agents)
    counts = sorted({count for count in agents if count}, reverse=True)
    groups = [[seat for seat, there in enumerate(agents) if there == count] for count in counts]
    while groups:
        for group in groups:
            if amount < len(group):
                return tuple(paid)
            amount -= len(group)
            for seat in group:
                paid[seat] += 1
    return tuple(paid)


def dispute(attacker: int, defender: int) -> tuple[int, int]:
    """The agents left to each when they are removed one by one in turn, the defender's first, until one has none."""
    return (attacker - defender + 1, 0) if attacker >= defender else (0, defender - attacker)


def all_agents(agents: Sequence[Sequence[int]], sector: int) -> tuple[int, ...]:
    """How many agents each seat has in a sector."""
    return tuple([there[sector] for there in agents])


def occupied(at: Position, seat: Seat) -> list[int]:
    """The sectors in which `seat` has agents."""
    return list(compress(SECTORS, at.agents[seat]))


def valid(at: Position, seat: Seat) -> list[int]:
    """Where `seat` may place agents: with or beside own agents or the own home, and not in a Restricted sector."""
    reach = set(NEAR[at.homes[seat]]).union(*[NEAR[sector] for sector in occupied(at, seat)])
    return sorted([sector for sector in reach if at.zones[sector] != "R"])


def fights(at: Position, seat: Seat) -> list[tuple[int, Seat]]:
    """Whom `seat` may engage, and in which sector."""
    others = [(other, there) for other, there in enumerate(at.agents) if other != seat]
    return [(sector, other) for sector in occupied(at, seat) for other, there in others if there[sector]]


def exclusive(agents: Sequence[Sequence[int]]) -> list[list[int]]:
    """The sectors in which each seat has agents and nobody else has."""
    theirs = [set(compress(SECTORS, there)) for there in agents]
    return [sorted(own.difference(*theirs[:seat], *theirs[seat + 1 :])) for seat, own in enumerate(theirs)]


class Standing(NamedTuple):
    """What a seat is measured by, the first thing first."""

    sectors: int
    nodes: int
    clout: int
    agents: int


def standings(at: Position) -> list[Standing]:
    """Exclusive sectors, exclusive Critical Nodes, Clout and agents, by seat."""
    nodes = {sector for sector, zone in enumerate(at.zones) if zone == "N"}
    return [
        Standing(len(own), len(nodes.intersection(own)), at.clout[seat], sum(at.agents[seat]))
        for seat, own in enumerate(exclusive(at.agents))
    ]


def holders(at: Position, found: Sequence[Standing]) -> list[Seat]:
    """Who holds all four Critical Nodes, by the rule that was chosen; at most one seat."""
    if at.zones.count("N") < NODES:
        return []
    if at.options.critical_rule == "exclusive":
        return [seat for seat, standing in enumerate(found) if standing.nodes == NODES]
    nodes = [sector for sector in SECTORS if at.zones[sector] == "N"]
    there = [seat for seat, agents in enumerate(at.agents) if all(agents[node] for node in nodes)]
    return there if len(there) == 1 else []


def widest(at: Position, found: Sequence[Standing]) -> list[Seat]:
    """With enough exclusive sectors, who has most; ties fall to Critical Nodes, then Clout, then agents."""
    best = max(found)
    if best.sectors < at.options.sector_goal:
        return []
    return [seat for seat, standing in enumerate(found) if standing == best]


def richest(at: Position, found: Sequence[Standing]) -> list[Seat]:
    """With enough Clout, who has most; ties fall to sectors, then Critical Nodes, then agents, or are shared."""
    keys = [(own.clout, own.sectors, own.nodes, own.agents) for own in found]
    best = max(keys)
    return [seat for seat, key in enumerate(keys) if key == best] if best[0] >= at.options.clout_goal else []


def forecast(at: Position) -> tuple[list[int], list[int]]:
    """What each seat would get now: of Production, and of Commerce from all six rolls together."""
    production, commerce = [0] * len(at.agents), [0] * len(at.agents)
    for zone, there in zip(at.zones, zip(*at.agents, strict=True), strict=True):
        if zone in ("P", "C") and any(there):
            total, amounts = (production, (PRODUCED,)) if zone == "P" else (commerce, ROLLS)
            total[:] = map(add, total, all_shares(there, amounts))
    return production, commerce


@lru_cache(maxsize=1 << 13)
def all_shares(agents: tuple[int, ...], amounts: tuple[int, ...]) -> tuple[int, ...]:
    """What `shares` gives of all these amounts together."""
    return tuple(map(sum, zip(*(shares(agents, amount) for amount in amounts), strict=True)))
