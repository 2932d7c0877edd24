"""Dividing a field into tables. Pure and deterministic."""

from collections.abc import Callable, Mapping, Sequence


def sizes(count: int, seats: int, fewest: int) -> list[int]:
    """The sizes of tables for `count`: as even as possible if none falls below `fewest`; else full tables and byes."""
    tables = -(-count // seats)
    if not count or count // tables < fewest:
        return [seats] * (count // seats)
    return even(count, tables)


def even(count: int, parts: int) -> list[int]:
    """Sizes that differ by one at most, the larger first; no part is empty."""
    return [size for part in range(parts) if (size := count // parts + (part < count % parts))]


def cut(order: Sequence[int], cuts: Sequence[int]) -> list[list[int]]:
    """Neighbours sit together."""
    line = iter(order)
    return [[next(line) for _ in range(size)] for size in cuts]


def striped(order: Sequence[int], cuts: Sequence[int]) -> list[list[int]]:
    """Dealt out like cards: with two at a table the first of the upper half meets the first of the lower."""
    return _dealt(order, cuts, lambda _, tables: range(tables))


def snaked(order: Sequence[int], cuts: Sequence[int]) -> list[list[int]]:
    """Dealt out and back again, so that tables are equally strong: with two at a table the first meets the last."""
    return _dealt(order, cuts, lambda turn, tables: range(tables) if turn % 2 == 0 else range(tables - 1, -1, -1))


def _dealt(order: Sequence[int], cuts: Sequence[int], direction: Callable[[int, int], range]) -> list[list[int]]:
    line = iter(order)
    tables: list[list[int]] = [[] for _ in cuts]
    for turn in range(max(cuts, default=0)):
        for table in direction(turn, len(cuts)):
            if len(tables[table]) < cuts[table]:
                tables[table].append(next(line))
    return tables


def without_byes(
    order: Sequence[int], byes: int, had: Mapping[int, int], *, first: bool
) -> tuple[list[int], list[int]]:
    """(those who play, those who have a bye): who has had the fewest, then the first of the order, or the last."""
    ranked = sorted(range(len(order)), key=lambda place: (had.get(order[place], 0), place if first else -place))
    spared = set(ranked[:byes])
    return [e for p, e in enumerate(order) if p not in spared], [order[p] for p in sorted(spared)]
