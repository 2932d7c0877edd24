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
    if any(cost(one, other) for table in tables for one in table for other in table if one != other):
        costs = {one: {other: cost(one, other) * (one != other) for other in everybody} for one in everybody}
        _SwapSearch(tables, costs, may_swap).run(reach)


def swap_by_costs(tables: list[list[int]], costs: Costs, *, reach: int) -> None:
    """The same by a table of costs, which is faster where most of them are 0."""
    everybody = dict.fromkeys([entrant for table in tables for entrant in table], 0)
    if any(costs[one].get(other) for table in tables for one in table if one in costs for other in table):
        _SwapSearch(tables, {one: {**everybody, **costs.get(one, {})} for one in everybody}, lambda *_: True).run(reach)


class _AtTables(dict[int, list[int]]):
    """What each would cost at every table, computed when it is first asked for."""

    def __init__(self, tables: list[list[int]], cost: dict[int, dict[int, int]]) -> None:
        super().__init__()
        self.tables, self.cost = tables, cost

    def __missing__(self, entrant: int) -> list[int]:
        row = self.cost[entrant]
        found = self[entrant] = [sum([row[other] for other in table]) for table in self.tables]
        return found


class _SwapSearch:
    """Keeps everybody's cost at every table, so that a swap is evaluated with five look-ups."""

    def __init__(self, tables: list[list[int]], cost: dict[int, dict[int, int]], may_swap: MaySwap) -> None:
        self.tables, self.cost, self.may_swap = tables, cost, may_swap
        self.table_costs = _AtTables(tables, cost)

    def run(self, reach: int) -> None:
        """It ends because the total falls with every swap."""
        while sum(
            [self._improve(here, seat, reach) for here, table in enumerate(self.tables) for seat in range(len(table))]
        ):
            pass

    def _improve(self, here: int, seat: int, reach: int) -> bool:
        """Whether a swap was found and made."""
        costs = self.cost[self.tables[here][seat]]
        if not any(costs[other] for other in self.tables[here]):
            return False
        near = range(max(0, here - reach), min(len(self.tables), here + reach + 1))
        others = sorted(near, key=lambda there: abs(there - here))[1:]
        return any(self._swap_to(here, seat, there) for there in others)

    def _swap_to(self, here: int, seat: int, there: int) -> bool:
        one = self.tables[here][seat]
        mine, costs = self.table_costs[one], self.cost[one]
        gain = mine[here] - mine[there]
        for place, other in enumerate(self.tables[there]):
            theirs = self.table_costs[other]
            if gain + theirs[there] - theirs[here] + 2 * costs[other] > 0 and self.may_swap(one, other):
                self._swap(here, seat, there, place)
                return True
        return False

    def _swap(self, here: int, seat: int, there: int, place: int) -> None:
        one, other = self.tables[here][seat], self.tables[there][place]
        self.tables[here][seat], self.tables[there][place] = other, one
        for entrant, at_tables in self.table_costs.items():
            change = self.cost[entrant][other] - self.cost[entrant][one]
            at_tables[here] += change
            at_tables[there] -= change
