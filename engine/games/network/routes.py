"""Where a company can build: what it has access to, and what it can reach by leasing others' hexes.

A breadth-first search from the company's network through the hexes of others. Layer k holds the hexes that are the
k-th leased one of a shortest way; a free hex beside layer k, and beside no earlier one, takes k leased hexes to reach.
All shortest ways to it are there, but ways that pay everybody the same are one to those who choose: of each sum of
dues the first path in reading order is kept, at most WAYS of them.
"""

from collections.abc import Mapping
from typing import Final

from engine.games.network.pieces import CHIP, MOST_CHIPS, Kind
from engine.games.network.position import Dues, Position, Reach, Route, Site, Ways

WAYS: Final = 32


def sites(at: Position, company: int, limit: int, kind: Kind | None = None) -> list[Site]:
    """All that the company can build and pay for now, in reading order; with `kind`, of that kind alone."""
    if limit < 1 or at.treasury[company] < CHIP:
        return []
    board, purse = at.board, at.treasury[company]
    most, found = min(MOST_CHIPS, limit, purse // CHIP), []
    for number, ways in reach(at, company):
        if kind and board.kinds[number] != kind:
            continue
        routes = routes_of(at, ways, purse - CHIP) if ways else []
        if routes or not ways:
            dear = min(most, (purse - routes[0].cost) // CHIP) if routes else most
            found.append(Site(company, board.hexes[number], board.kinds[number], dear, routes))
    return found


def reach(at: Position, company: int) -> Reach:
    """The hexes that can be built on as far as ways go, by number; no ways are needed where there is access."""
    if company not in at.reached:
        at.reached[company] = sorted(_search(at, company).items())
    return at.reached[company]


def _search(at: Position, company: int) -> dict[int, Ways]:
    board, owner, nothing = at.board, at.owner, (0,) * at.options.players
    network = {number for number, who in enumerate(owner) if who == company} | {board.start}
    passed = network.union(*(board.open[number] for number in network))
    access = passed - network
    found: dict[int, Ways] = {number: {} for number in access if owner[number] < 0}
    layer = {number: _pay(at, number, {nothing: ()}) for number in access if owner[number] >= 0}
    while layer:
        beside: dict[int, Ways] = {}
        for number, ways in sorted(layer.items()):
            for near in board.open[number]:
                if near not in passed:
                    _merge(beside.setdefault(near, {}), ways)
        passed |= beside.keys()
        found |= {number: ways for number, ways in beside.items() if owner[number] < 0}
        layer = {number: _pay(at, number, ways) for number, ways in beside.items() if owner[number] >= 0}
    return found


def _merge(into: Ways, ways: Mapping[Dues, tuple[int, ...]]) -> None:
    for dues, path in ways.items():
        if path < into.get(dues, (len(path) + 1 << 20,)):
            into[dues] = path


def _pay(at: Position, number: int, ways: Ways) -> Ways:
    """The same ways with one more hex leased at their end."""
    who, value = at.owner[number], at.value[number]
    longer = [((*dues[:who], dues[who] + value, *dues[who + 1 :]), (*path, number)) for dues, path in ways.items()]
    return dict(sorted(longer, key=_cheapest)[:WAYS])


def _cheapest(way: tuple[Dues, tuple[int, ...]]) -> tuple[int, tuple[int, ...]]:
    return sum(way[0]), way[1]


def routes_of(at: Position, ways: Ways, most: int) -> list[Route]:
    """As a question shows them, the cheapest first, none that costs more than `most`."""
    hexes = at.board.hexes
    return [
        Route([hexes[number] for number in path], sum(dues), {str(who): due for who, due in enumerate(dues) if due})
        for dues, path in sorted(ways.items(), key=_cheapest)
        if sum(dues) <= most
    ]
