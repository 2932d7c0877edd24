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
    """Return how `amount` Clout of a sector is handed out to players with so many agents there, by seat.

    One each, most agents first, over and over; players with equally many are paid all or, ending it, none.
    """
    paid = [0] * len(agents)
    counts = sorted({count for count in agents if count}, reverse=True)
    groups = [[seat for seat, number in enumerate(agents) if number == count] for count in counts]
    while groups:
        for group in groups:
            if amount < len(group):
                return tuple(paid)
            amount -= len(group)
            for seat in group:
                paid[seat] += 1
    return tuple(paid)


def dispute(attacker: int, defender: int) -> tuple[int, int]:
    """Return the agents left to each when both lose one in turn, the defender first, until one has none."""
    return (attacker - defender + 1, 0) if attacker >= defender else (0, defender - attacker)


def all_agents(agents: Sequence[Sequence[int]], sector: int) -> tuple[int, ...]:
    """Return how many agents each seat has in a sector."""
    return tuple([by_sector[sector] for by_sector in agents])


def occupied(position: Position, seat: Seat) -> list[int]:
    """Return the sectors in which `seat` has agents."""
    return list(compress(SECTORS, position.agents[seat]))


def valid(position: Position, seat: Seat) -> list[int]:
    """Return sectors where `seat` may place agents: with or beside own agents or the own home, and not Restricted."""
    reach = set(NEAR[position.homes[seat]]).union(*[NEAR[sector] for sector in occupied(position, seat)])
    return sorted([sector for sector in reach if position.zones[sector] != "R"])


def fights(position: Position, seat: Seat) -> list[tuple[int, Seat]]:
    """Return whom `seat` may engage, and in which sector."""
    rivals = [(other, by_sector) for other, by_sector in enumerate(position.agents) if other != seat]
    return [(sector, other) for sector in occupied(position, seat) for other, by_sector in rivals if by_sector[sector]]


def exclusive(agents: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the sectors in which each seat has agents and nobody else has."""
    held = [set(compress(SECTORS, by_sector)) for by_sector in agents]
    return [sorted(sectors.difference(*held[:seat], *held[seat + 1 :])) for seat, sectors in enumerate(held)]


class Standing(NamedTuple):
    """What a seat is measured by, the first thing first."""

    sectors: int
    nodes: int
    clout: int
    agents: int


def standings(position: Position) -> list[Standing]:
    """Return exclusive sectors, exclusive Critical Nodes, Clout and agents, by seat."""
    nodes = {sector for sector, zone in enumerate(position.zones) if zone == "N"}
    return [
        Standing(len(sectors), len(nodes.intersection(sectors)), position.clout[seat], sum(position.agents[seat]))
        for seat, sectors in enumerate(exclusive(position.agents))
    ]


def holders(position: Position, measured: Sequence[Standing]) -> list[Seat]:
    """Return seats (at most one) that hold all four Critical Nodes, by the rule that was chosen."""
    if position.zones.count("N") < NODES:
        return []
    if position.options.critical_rule == "exclusive":
        return [seat for seat, standing in enumerate(measured) if standing.nodes == NODES]
    nodes = [sector for sector in SECTORS if position.zones[sector] == "N"]
    present = [seat for seat, agents in enumerate(position.agents) if all(agents[node] for node in nodes)]
    return present if len(present) == 1 else []


def widest(position: Position, measured: Sequence[Standing]) -> list[Seat]:
    """Return seats with most exclusive sectors, if enough; ties fall to Critical Nodes, then Clout, then agents."""
    best = max(measured)
    if best.sectors < position.options.sector_goal:
        return []
    return [seat for seat, standing in enumerate(measured) if standing == best]


def richest(position: Position, measured: Sequence[Standing]) -> list[Seat]:
    """Return seats with most Clout, if enough; ties fall to sectors, Critical Nodes, agents, or are shared."""
    keys = [(standing.clout, standing.sectors, standing.nodes, standing.agents) for standing in measured]
    best = max(keys)
    return [seat for seat, key in enumerate(keys) if key == best] if best[0] >= position.options.clout_goal else []


def forecast(position: Position) -> tuple[list[int], list[int]]:
    """Return Clout that each seat would get now: of Production, and of Commerce from all six rolls together."""
    production, commerce = [0] * len(position.agents), [0] * len(position.agents)
    for zone, counts in zip(position.zones, zip(*position.agents, strict=True), strict=True):
        if zone in ("P", "C") and any(counts):
            total, amounts = (production, (PRODUCED,)) if zone == "P" else (commerce, ROLLS)
            total[:] = map(add, total, all_shares(counts, amounts))
    return production, commerce


@lru_cache(maxsize=1 << 13)
def all_shares(agents: tuple[int, ...], amounts: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sum of `shares` over all these amounts."""
    return tuple(map(sum, zip(*(shares(agents, amount) for amount in amounts), strict=True)))
