"""Where a company can build: what it has access to, and what it can reach by leasing others' hexes.

A breadth-first search from the company's network through the hexes of others. Layer k holds the hexes that are the
k-th leased one of a shortest way; a free hex beside layer k, and beside no earlier one, takes k leased hexes to reach.
The search finds what the cheapest way costs, and from which hexes the shortest come. The ways themselves are followed
back when somebody looks at a site. Those that pay everybody the same are one to who chooses: of each sum of dues the
first path in reading order is kept, at most WAYS of them, and none that costs too much.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial, reduce
from itertools import compress
from typing import Any, Final

from engine.games.network.pieces import CHIP, MOST_CHIPS, Board, Hex, Kind
from engine.games.network.position import Position
from engine.games.network.sites import OfCompany, Route, Site, Sites

WAYS: Final = 32
Ways = list[Route]  # to one hex, the cheapest first, and of those that cost the same the first in reading order
COMPANIES: Final = ("0", "1", "2", "3", "4", "5")  # as routes name them


def sites(position: Position, company: int, limit: int, kind: Kind | None = None) -> Sequence[Site]:
    """Return sites that the company can build on and pay for now, in reading order; with `kind`, of that kind alone."""
    purse = position.treasury[company]
    return land_of(position).reach(company, purse, limit, kind) if is_enough(purse, limit) else []


def is_enough(purse: int, limit: int) -> bool:
    """Return whether it is enough to build anything."""
    return limit >= 1 and purse >= CHIP


class Land:
    """Who has built what, by hex; and what follows from it: where each company can build, with so much money.

    `access` is, by company, what lies beside its network, the network itself, and what lies beside the start. `key`
    tells lands of a size apart: the owners, each plus 1, and the values.
    """

    def __init__(
        self,
        board: Board,
        owner: list[int],
        value: list[int],
        key: bytes,
        built: frozenset[int],
        access: Sequence[frozenset[int]],
    ) -> None:
        self.board, self.owner, self.value, self.key = board, owner, value, key
        self.built, self.access = built, access
        self.reachable: dict[tuple[int, int, int, Kind | None], Reachable] = {}

    @classmethod
    def of(cls, board: Board, owner: list[int], value: list[int]) -> "Land":
        built = frozenset(compress(range(len(value)), value))
        access = [set(board.open[board.start]) for _ in COMPANIES]
        for number in built:
            access[owner[number]] |= {number, *board.open[number]}
        key = bytes([*(company + 1 for company in owner), *value])
        return cls(board, owner, value, key, built, [frozenset(hexes - {board.start}) for hexes in access])

    def with_built(self, number: int, company: int, value: int) -> "Land":
        """Return the same with one hex more: most of it is as it was."""
        board, access = self.board, [*self.access]
        owner, values, key = self.owner.copy(), self.value.copy(), bytearray(self.key)
        owner[number], values[number] = company, value
        key[number], key[len(owner) + number] = company + 1, value
        access[company] = access[company].union((number, *board.open[number])) - {board.start}
        return Land(board, owner, values, bytes(key), self.built | {number}, access)

    def sites_of(self, terms: Mapping[int, tuple[int, int]]) -> Sites:
        """Return the sites of several companies, each with its purse and limit."""
        return Sites(
            {
                company: partial(self.reach, company, *term)
                for company, term in terms.items()
                if self.has_site(company, *term)
            }
        )

    def has_site(self, company: int, purse: int, limit: int) -> bool:
        """Return whether there is a site: a free hex beside the network is one, and then no other is looked for."""
        if not is_enough(purse, limit):
            return False
        return not self.access[company] <= self.built or bool(self.reach(company, purse, limit))

    def reach(self, company: int, purse: int, limit: int, kind: Kind | None = None) -> "Reachable":
        """Return sites within reach of `purse` dollars and `limit` chips at most, which are enough for one chip."""
        key = (company, purse, min(limit, MOST_CHIPS, purse // CHIP), kind)
        if key not in self.reachable:
            self.reachable[key] = Reachable(self, *key)
        return self.reachable[key]


class Reachable(OfCompany):
    """The sites of a company on a land."""

    __slots__ = ("_all", "_before", "_board", "_company", "_leased", "_most", "_owner", "_purse", "_value")

    def __init__(self, land: Land, company: int, purse: int, limit: int, kind: Kind | None) -> None:
        self._board, self._owner, self._value = land.board, land.owner, land.value  # not the land, which keeps this
        self._company, self._purse, self._most = company, purse, purse - CHIP
        self._before: dict[int, list[int]] = {}  # of each hex reached by leases, those that are leased last
        self._leased: dict[int, Ways] = {}  # the ways that end with the lease of a hex
        self._all: list[Site] | None = None
        self.chips = dict.fromkeys(land.access[company] - land.built, limit)
        if self._most > 0:
            self._spread(land, limit)
        if kind:
            self.chips = {number: chips for number, chips in self.chips.items() if land.board.kinds[number] == kind}

    def _spread(self, land: Land, limit: int) -> None:
        """Layer by layer of leased hexes, each with the least that is due once it is leased too."""
        company, purse, most, value = self._company, self._purse, self._most, self._value
        access = land.access[company]
        passed = {land.board.start, *access}
        layer = {number: value[number] for number in access & land.built if land.owner[number] != company}
        while layer and min(layer.values()) <= most:  # what costs more is in it too: nothing goes round it
            reached = self._beside(layer, passed)
            passed.update(reached)
            layer = {number: due + value[number] for number, due in reached.items() if value[number]}
            for number in reached.keys() - layer.keys():
                if (due := reached[number]) <= most:
                    self.chips[number] = min(limit, (purse - due) // CHIP)

    def _beside(self, layer: Mapping[int, int], passed: AbstractSet[int]) -> dict[int, int]:
        """The hexes beside a layer, with the least that is due on the way to each."""
        near, before, dues = self._board.open, self._before, dict[int, int]()
        for number, due in layer.items():
            for other in near[number] - passed:
                if other in dues:
                    before[other].append(number)
                    dues[other] = min(due, dues[other])
                else:
                    before[other], dues[other] = [number], due
        return dues

    def all(self) -> list[Site]:
        if self._all is None:
            self._all = self._sites(sorted(self.chips))
        return self._all

    def on(self, hex_: Hex) -> Site | None:
        if self._all is not None:
            return next((site for site in self._all if site.hex == hex_), None)
        number = self._board.number.get(hex_, -1)
        return self._sites([number])[0] if number in self.chips else None

    def __len__(self) -> int:
        return len(self.chips)

    def __getitem__(self, index: Any) -> Any:
        if self._all is None and type(index) is int:
            return self._sites([sorted(self.chips)[index]])[0]
        return self.all()[index]

    def _sites(self, numbers: Sequence[int]) -> list[Site]:
        hexes, kinds = self._board.hexes, self._board.kinds
        company, before, chips = self._company, self._before, self.chips
        return [
            Site(
                company,
                hexes[number],
                kinds[number],
                chips[number],
                self._ways(before[number]) if number in before else [],
            )
            for number in numbers
        ]

    def _ways(self, before: Sequence[int]) -> Ways:
        """The ways to a hex that is reached from these."""
        several = [self._leased.get(number) or self._leasing(number) for number in before]
        return several[0] if len(several) == 1 else reduce(self._merged, several)

    def _leasing(self, number: int) -> Ways:
        """The ways to a hex with its own lease at their end, as far as they cost no more than there is."""
        value, most, before = self._value[number], self._most, self._before.get(number)
        company, hex_ = COMPANIES[self._owner[number]], self._board.hexes[number]
        if before is None:
            routes = [Route([hex_], value, {company: value})] if value <= most else []
        else:
            left = [route for route in self._ways(before)[:WAYS] if route.cost + value <= most]
            routes = [
                Route([*route.path, hex_], route.cost + value, _pays(route.pays, company, value)) for route in left
            ]
        self._leased[number] = routes
        return routes

    def _merged(self, routes: Ways, more: Ways) -> Ways:
        """The first way of each sum of dues."""
        if not routes or not more:
            return routes or more
        number = self._board.number
        ranked = sorted([*routes, *more], key=lambda route: (route.cost, [number[hex_] for hex_ in route.path]))
        first: dict[tuple[tuple[str, int], ...], Route] = {}
        for route in ranked:
            first.setdefault(tuple(route.pays.items()), route)
        return list(first.values())


def _pays(pays: dict[str, int], company: str, value: int) -> dict[str, int]:
    """The dues by company, with `value` more for shares of `company`."""
    more = {**pays, company: pays.get(company, 0) + value}
    return dict(sorted(more.items())) if len(more) > 1 else more


def land_of(position: Position) -> Land:
    """Return the map as built. It is kept with the position until something is built: copies ask for it again too."""
    land = position.land
    if not isinstance(land, Land) or land.owner != position.owner or land.value != position.value:
        position.land = land = Land.of(position.board, position.owner.copy(), position.value.copy())
    return land
