"""Swapping entrants across tables to lower the cost of who sits together, such as rematches."""

from collections.abc import Callable

MaySwap = Callable[[int, int], bool]
Cost = Callable[[int, int], int]  # of two at one table; the same either way round


def swap_across_tables(tables: list[list[int]], cost: Cost, *, reach: int, may_swap: MaySwap = lambda *_: True) -> None:
    """Swap across tables at most `reach` apart, the nearest first, while it lowers the sum of the costs.

    With two at a table and unlimited reach no pair of positive cost is left, if everybody could sit at no cost with at
    least half of the field: then for a pair a, b that costs, some table c, d can be parted so that all four are well
    seated. (Count how many of each table a and b are free to meet: more than two on average, so three at one of them.)
    """
    if any(cost(one, other) for table in tables for one in table for other in table if one != other):
        _SwapSearch(tables, cost, may_swap).run(reach)


class _SwapSearch:
    """Keeps everybody's cost at every table, so that a swap is evaluated with five look-ups."""

    def __init__(self, tables: list[list[int]], cost: Cost, may_swap: MaySwap) -> None:
        everybody = [entrant for table in tables for entrant in table]
        self.tables, self.may_swap = tables, may_swap
        self.cost = {one: {other: cost(one, other) * (one != other) for other in everybody} for one in everybody}
        self.table_costs = {
            one: [sum(row[other] for other in table) for table in tables] for one, row in self.cost.items()
        }

    def run(self, reach: int) -> None:
        """It ends because the total falls with every swap."""
        while sum(
            [self._improve(here, seat, reach) for here, table in enumerate(self.tables) for seat in range(len(table))]
        ):
            pass

    def _improve(self, here: int, seat: int, reach: int) -> bool:
        """Whether a swap was found and made."""
        if not self.table_costs[self.tables[here][seat]][here]:
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
        for entrant, costs in self.cost.items():
            change = costs[other] - costs[one]
            self.table_costs[entrant][here] += change
            self.table_costs[entrant][there] -= change
