"""Where a company can build: what it has access to, and what it can reach by leasing others' hexes.

A breadth-first search from the company's network through the hexes of others. Layer k holds the hexes that are the
k-th leased one of a shortest way; a free hex beside layer k, and beside no earlier one, takes k leased hexes to reach.
All shortest ways to it are there, but ways that pay everybody the same are one to those who choose: of each sum of
dues the first path in reading order is kept, at most WAYS of them. Ways that cost too much are dropped on the way.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import compress
from typing import Final

from engine.games.network.pieces import CHIP, MOST_CHIPS, Board, Kind
from engine.games.network.position import Position, Route, Site, Sites

WAYS: Final = 32
Ways = list[Route]  # to one hex, the cheapest first, and of those that cost the same the first in reading order
COMPANIES: Final = ("0", "1", "2", "3", "4", "5")  # as routes name them
NOTHING: Final[Ways] = [Route([], 0, {})]  # one way, on which no hex is leased


def sites(at: Position, company: int, limit: int, kind: Kind | None = None) -> list[Site]:
    """All that the company can build and pay for now, in reading order; with `kind`, of that kind alone."""
    found = land_of(at).sites(company, at.treasury[company], limit)
    return [site for site in found if site.kind == kind] if kind else found


class Land:
    """Who has built what, by hex; and what follows from it: where each company can build, with so much money.

    `access` is, by company, what lies beside its network, the network itself, and what lies beside the start.
    """

    def __init__(
        self, board: Board, owner: list[int], value: list[int], built: frozenset[int], access: Sequence[frozenset[int]]
    ) -> None:
        self.board, self.owner, self.value = board, owner, value
        self.built, self.access = built, access
        self.known: dict[tuple[int, int, int], list[Site]] = {}

    @classmethod
    def of(cls, board: Board, owner: list[int], value: list[int]) -> "Land":
        built = frozenset(compress(range(len(value)), value))
        access = [set(board.open[board.start]) for _ in COMPANIES]
        for number in built:
            access[owner[number]] |= {number, *board.open[number]}
        return cls(board, owner, value, built, [frozenset(each - {board.start}) for each in access])

    def with_built(self, number: int, company: int, value: int) -> "Land":
        """The same with one hex more: most of it is as it was."""
        board, owner, values, access = self.board, self.owner.copy(), self.value.copy(), [*self.access]
        owner[number], values[number] = company, value
        access[company] = access[company].union((number, *board.open[number])) - {board.start}
        return Land(board, owner, values, self.built | {number}, access)

    def sites_of(self, terms: Mapping[int, tuple[int, int]]) -> Sites:
        """The sites of several companies, each with its purse and limit."""
        return Sites(
            {
                company: partial(self.sites, company, *term)
                for company, term in terms.items()
                if self.has_site(company, *term)
            }
        )

    def has_site(self, company: int, purse: int, limit: int) -> bool:
        """With a free hex beside its network there is one, and the others need not be known for that."""
        if limit < 1 or purse < CHIP:
            return False
        return not self.access[company] <= self.built or bool(self.sites(company, purse, limit))

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
        hexes, kinds, free = self.board.hexes, self.board.kinds, self.access[company] - self.built
        found = {number: Site(company, hexes[number], kinds[number], most, []) for number in free}
        for number, ways in self._beyond(company, purse - CHIP).items() if purse > CHIP else ():
            left = (purse - ways[0].cost) // CHIP
            found[number] = Site(company, hexes[number], kinds[number], min(most, left), ways)
        return [found[number] for number in sorted(found)]

    def _beyond(self, company: int, most: int) -> dict[int, Ways]:
        """The free hexes that can be reached by ways for `most` dollars, by number."""
        near, built, owner = self.board.open, self.built, self.owner
        others = [number for number in self.access[company] & built if owner[number] != company]
        passed, beyond = self.access[company] | {self.board.start}, dict[int, Ways]()
        layer = dict.fromkeys(others, NOTHING)
        while any(layer.values()):  # hexes that cost too much are in it too: nothing goes round them by a longer way
            beside: dict[int, Ways] = {}
            for number, ways in layer.items():
                ahead = near[number] - passed
                leased = self._leased(number, ways, most) if ahead else []
                for other in ahead:
                    beside[other] = self._merged(beside[other], leased) if other in beside else leased
            passed = passed | beside.keys()
            layer = {number: beside.pop(number) for number in beside.keys() & built}
            beyond |= {number: ways for number, ways in beside.items() if ways}
        return beyond

    def _leased(self, number: int, ways: Ways, most: int) -> Ways:
        """The same ways with one more hex leased at their end, as far as they cost no more: in the same order."""
        value, who, at = self.value[number], COMPANIES[self.owner[number]], self.board.hexes[number]
        if ways is NOTHING:
            return [Route([at], value, {who: value})] if value <= most else []
        left = [way for way in ways[:WAYS] if way.cost + value <= most]
        return [Route([*way.path, at], way.cost + value, _pays(way.pays, who, value)) for way in left]

    def _merged(self, ways: Ways, others: Ways) -> Ways:
        """Of each sum of dues the first."""
        if not ways or not others:
            return ways or others
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
    """It is kept with the position for as long as nothing is built: it is asked again and again, by copies too."""
    land = at.land
    if not isinstance(land, Land) or land.owner != at.owner or land.value != at.value:
        at.land = land = Land.of(at.board, at.owner.copy(), at.value.copy())
    return land
