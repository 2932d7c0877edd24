"""Where a company can build: what it has access to, and what it can reach by leasing others' hexes.

A breadth-first search from the company's network through the hexes of others. Layer k holds the hexes that are the
k-th leased one of a shortest way; a free hex beside layer k, and beside no earlier one, takes k leased hexes to reach.
All shortest ways to it are there, but ways that pay everybody the same are one to those who choose: of each sum of
dues the first path in reading order is kept, at most WAYS of them. Ways that cost too much are dropped on the way.
"""

from functools import lru_cache
from itertools import compress
from typing import Final

from engine.games.network.pieces import CHIP, MOST_CHIPS, Board, Kind
from engine.games.network.position import Position, Route, Site

WAYS: Final = 32
Ways = list[Route]  # to one hex, the cheapest first, and of those that cost the same the first in reading order
COMPANIES: Final = ("0", "1", "2", "3", "4", "5")  # as routes name them
NOTHING: Final[Ways] = [Route([], 0, {})]  # one way, on which no hex is leased


def sites(at: Position, company: int, limit: int, kind: Kind | None = None) -> list[Site]:
    """All that the company can build and pay for now, in reading order; with `kind`, of that kind alone."""
    found = land_of(at).sites(company, at.treasury[company], limit)
    return [site for site in found if site.kind == kind] if kind else found


class Land:
    """Who has built what, by hex; and what follows from it: where each company can build, with so much money."""

    def __init__(self, board: Board, owner: tuple[int, ...], value: tuple[int, ...]) -> None:
        self.board, self.owner, self.value = board, owner, value
        self.built = set(compress(range(len(value)), value))
        self.known: dict[tuple[int, int, int], list[Site]] = {}

    def sites(self, company: int, purse: int, limit: int) -> list[Site]:
        """With `purse` dollars, and `limit` chips at most, in reading order."""
        most = min(limit, MOST_CHIPS, purse // CHIP)
        if most < 1:
            return []
        key = (company, purse, most)
        if key not in self.known:
            self.known[key] = self._sites(company, purse, most)
        return self.known[key]

    def _sites(self, company: int, purse: int, most: int) -> list[Site]:
        hexes, kinds = self.board.hexes, self.board.kinds
        access, beyond = self._search(company, purse - CHIP)
        found = {number: Site(company, hexes[number], kinds[number], most, []) for number in access}
        for number, ways in beyond.items():
            left = (purse - ways[0].cost) // CHIP
            found[number] = Site(company, hexes[number], kinds[number], min(most, left), ways)
        return [found[number] for number in sorted(found)]

    def _search(self, company: int, most: int) -> tuple[set[int], dict[int, Ways]]:
        """The free hexes with access, and those that can be reached by ways for `most` dollars, by number."""
        near, owner, built = self.board.open, self.owner, self.built
        network = {number for number in built if owner[number] == company} | {self.board.start}
        passed = network.union(*[near[number] for number in network])
        access = passed - network
        beyond: dict[int, Ways] = {}
        layer = dict.fromkeys(access & built, NOTHING) if most else {}
        while any(layer.values()):  # hexes that cost too much are in it too: nothing goes round them by a longer way
            beside: dict[int, Ways] = {}
            for number, ways in layer.items():
                ahead = near[number] - passed
                leased = self._leased(number, ways, most) if ahead else []
                for other in ahead:
                    beside[other] = self._merged(beside[other], leased) if other in beside else leased
            passed |= beside.keys()
            layer = {number: beside.pop(number) for number in beside.keys() & built}
            beyond |= {number: ways for number, ways in beside.items() if ways}
        return access - built, beyond

    def _leased(self, number: int, ways: Ways, most: int) -> Ways:
        """The same ways with one more hex leased at their end, as far as they cost no more: in the same order."""
        value, who, at = self.value[number], COMPANIES[self.owner[number]], self.board.hexes[number]
        left = [way for way in ways[:WAYS] if way.cost + value <= most]
        return [Route([*way.path, at], way.cost + value, _pays(way.pays, who, value)) for way in left]

    def _merged(self, ways: Ways, others: Ways) -> Ways:
        """Of each sum of dues the first."""
        number = self.board.number
        ranked = sorted([*ways, *others], key=lambda way: (way.cost, [number[at] for at in way.path]))
        first: dict[tuple[tuple[str, int], ...], Route] = {}
        for way in ranked:
            first.setdefault(tuple(way.pays.items()), way)
        return list(first.values())


def _pays(pays: dict[str, int], who: str, value: int) -> dict[str, int]:
    """With `value` more for shares of `who`; by company."""
    more = {**pays, who: pays.get(who, 0) + value}
    return dict(sorted(more.items())) if len(more) > 1 else more


def land_of(at: Position) -> Land:
    return _land(at.board, tuple(at.owner), tuple(at.value))


# Of one land it is asked again and again: by every player, after every auction, by copies of a match.
_land = lru_cache(maxsize=64)(Land)
