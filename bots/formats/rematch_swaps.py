"""Swapping entrants across tables to lower the cost of who sits together, such as rematches."""

from collections.abc import Callable, Mapping

MaySwap = Callable[[int, int], bool]
Cost = Callable[[int, int], int]  # of two at one table; the same either way round
Costs = Mapping[int, Mapping[int, int]]  # the same as a table; what is missing in it is 0


def swap_across_tables(tables: list[list[int]], cost: Cost, *, reach: int, may_swap: MaySwap = lambda *_: True) -> None:
    """Swap across tables at most `reach` apart, the nearest first, while it lowers the sum of the costs.

    With two at a table and unlimited reach no pair of positive cost is left, if everybody could sit at no cost with at
    least half of the field: then for a pair a, b that costs, some table c, d can be parted so that all four are well
    seated. (Count how many of each table a and b are free to meet: more than two on average, so three at one of them.)
    """
    everybody = [entrant for table in tables for entrant in table]
    if any(cost(entrant, other) for table in tables for entrant in table for other in table if entrant != other):
        costs = {
            entrant: {other: cost(entrant, other) * (entrant != other) for other in everybody} for entrant in everybody
        }
        _SwapSearch(tables, costs, may_swap).run(reach)


def swap_by_costs(tables: list[list[int]], costs: Costs, *, reach: int) -> None:
    """The same by a table of costs, which is faster where most of them are 0."""
    everybody = dict.fromkeys([entrant for table in tables for entrant in table], 0)
    if any(costs[entrant].get(other) for table in tables for entrant in table if entrant in costs for other in table):
        _SwapSearch(
            tables, {entrant: {**everybody, **costs.get(entrant, {})} for entrant in everybody}, lambda *_: True
        ).run(reach)


class _AtTables(dict[int, list[int]]):
    """What each would cost at every table, computed when it is first asked for."""

    def __init__(self, tables: list[list[int]], cost: dict[int, dict[int, int]]) -> None:
        super().__init__()
        self.tables, self.cost = tables, cost

    def __missing__(self, entrant: int) -> list[int]:
        row = self.cost[entrant]
        costs = self[entrant] = [sum([row[other] for other in table]) for table in self.tables]
        return costs


class _SwapSearch:
    """Keeps everybody's cost at every table, so that a swap is evaluated with five look-ups."""

    def __init__(self, tables: list[list[int]], cost: dict[int, dict[int, int]], may_swap: MaySwap) -> None:
        self.tables, self.cost, self.may_swap = tables, cost, may_swap
        self.table_costs = _AtTables(tables, cost)

    def run(self, reach: int) -> None:
        """Swap until nothing improves. It ends because the total falls with every swap."""
        while sum(
            [
                self._improve(source, seat, reach)
                for source, table in enumerate(self.tables)
                for seat in range(len(table))
            ]
        ):
            pass

    def _improve(self, source: int, seat: int, reach: int) -> bool:
        """Return whether a swap was found and made."""
        costs = self.cost[self.tables[source][seat]]
        if not any(costs[other] for other in self.tables[source]):
            return False
        near = range(max(0, source - reach), min(len(self.tables), source + reach + 1))
        nearest = sorted(near, key=lambda target: abs(target - source))[1:]
        return any(self._swap_to(source, seat, target) for target in nearest)

    def _swap_to(self, source: int, seat: int, target: int) -> bool:
        mover = self.tables[source][seat]
        mine, costs = self.table_costs[mover], self.cost[mover]
        gain = mine[source] - mine[target]
        for place, partner in enumerate(self.tables[target]):
            partner_costs = self.table_costs[partner]
            if gain + partner_costs[target] - partner_costs[source] + 2 * costs[partner] > 0 and self.may_swap(
                mover, partner
            ):
                self._swap(source, seat, target, place)
                return True
        return False

    def _swap(self, source: int, seat: int, target: int, place: int) -> None:
        mover, partner = self.tables[source][seat], self.tables[target][place]
        self.tables[source][seat], self.tables[target][place] = partner, mover
        for entrant, at_tables in self.table_costs.items():
            change = self.cost[entrant][partner] - self.cost[entrant][mover]
            at_tables[source] += change
            at_tables[target] -= change
