"""Who plays whom next: a pure choice.

Who plays is chosen by need (an unsure rating; an owner with many bots has the need of one, shared among them), but a
quarter of the seats go to those who have waited longest. They are put in order of rating, blurred by chance, and cut
into tables: near enough in strength to learn something, mixed enough that the whole ladder stays connected.
"""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.dice import Dice

JITTER = 100.0  # Elo: how far the order of ratings is blurred at least


@dataclass(frozen=True, slots=True)
class Candidate:
    """Who may be chosen: `owner` is its owner's side; `unsure` is the standard error of its Elo, `sets` are played or
    under way, `waiting_since` is a time: since it was paired last, or entered."""

    version: int
    owner: int
    elo: float
    unsure: float
    sets: int
    waiting_since: float


def wave(
    candidates: Sequence[Candidate], seats: int, tables: int, dice: Dice, *, most: int, by_lot: int = 0
) -> list[list[int]]:
    """Return at most `tables` tables of `seats` versions, at most `most` of one owner, each version at one at most;
    `by_lot` of 100 tables are drawn by lot."""
    tables = min(_tables_apart(candidates, seats, tables, most), len(candidates) // seats)
    chosen = _choose(candidates, seats * tables, most * tables, dice)
    drawn = _drawn(chosen, seats, by_lot, dice) if by_lot else []
    out = {candidate.version for candidate in drawn}
    near = [candidate for candidate in chosen if candidate.version not in out]
    blurred = drawn + sorted(near, key=lambda candidate: _blurred(candidate, dice))
    cut = [blurred[first : first + seats] for first in range(0, len(blurred), seats)]
    _part_owners(cut, most)
    return [[candidate.version for candidate in table] for table in cut]


def seatable(
    candidates: Sequence[Candidate], slow: Collection[int], seats: int, tables: int, room: int
) -> tuple[list[Candidate], int]:
    """Return who may be seated now, and at how many tables, if at most `room` tables may hold `slow` versions.

    A set that had to wait for the end of other long ones would keep its whole table waiting.
    """
    quick = [candidate for candidate in candidates if candidate.version not in slow]
    if room <= 0:
        return quick, tables
    if len(quick) < seats:  # nobody can sit down without one of them
        return list(candidates), min(tables, room)
    waiting = [candidate for candidate in candidates if candidate.version in slow]
    waiting.sort(key=lambda candidate: candidate.waiting_since)
    return [*quick, *waiting[:room]], tables


def fewest_together(candidates: Sequence[Candidate], seats: int) -> int:
    """How many bots of one owner have to sit together for a table to be filled; `seats` where none can be."""
    owners = Counter(candidate.owner for candidate in candidates).values()
    return next((most for most in range(1, seats) if sum(min(count, most) for count in owners) >= seats), seats)


def _tables_apart(candidates: Sequence[Candidate], seats: int, tables: int, most: int) -> int:
    """How many tables can be filled if no more than `most` of an owner's sit at one."""
    owners = Counter(candidate.owner for candidate in candidates).values()
    return next((n for n in range(tables, 0, -1) if sum(min(count, n * most) for count in owners) >= n * seats), 0)


def _choose(candidates: Sequence[Candidate], places: int, most: int, dice: Dice) -> list[Candidate]:
    """Return `places` candidates, `most` of one owner: the longest waiting first, then by need."""
    waiting = sorted(candidates, key=lambda candidate: (candidate.waiting_since, candidate.version))
    bots = Counter(candidate.owner for candidate in candidates)
    needing = sorted(candidates, key=lambda candidate: -_need(candidate, bots[candidate.owner], dice))
    chosen: dict[int, Candidate] = {}
    owners: Counter[int] = Counter()
    for line, room in ((waiting, math.ceil(places / 4)), (needing, places)):
        for candidate in line:
            if len(chosen) < room and candidate.version not in chosen and owners[candidate.owner] < most:
                chosen[candidate.version] = candidate
                owners[candidate.owner] += 1
    return list(chosen.values())


def _need(candidate: Candidate, bots: int, dice: Dice) -> float:
    """Draws without replacement in proportion to the variance over the owner's bots (Gumbel's way): the highest win."""
    chance = (1 + dice.below(1 << 32)) / (1 + (1 << 32))
    return 2 * math.log(candidate.unsure) - math.log(bots) - math.log(-math.log(chance))


def _drawn(chosen: Sequence[Candidate], seats: int, by_lot: int, dice: Dice) -> list[Candidate]:
    """Draw those who sit at tables cut by lot, table by table: `by_lot` of 100 tables, on average."""
    lots = sum(dice.below(100) < by_lot for _ in range(0, len(chosen), seats))
    order = sorted(chosen, key=lambda candidate: candidate.version)
    dice.shuffle(order)
    return order[: lots * seats]


def _blurred(candidate: Candidate, dice: Dice) -> float:
    normal = sum(dice.below(1 << 16) for _ in range(12)) / (1 << 16) - 6  # as good as normal, and the same anywhere
    return candidate.elo + normal * math.hypot(JITTER, candidate.unsure)


def _part_owners(tables: list[list[Candidate]], most: int) -> None:
    """Swap until no owner sits more than `most` times at a table, preferring near tables.

    It ends: while an owner sits too often at a table, there is one where that owner sits less than `most` times. There
    sit more other owners than can sit `most` times at the first, unless one of them sits too often at the second: so
    one of the swaps lowers the number of clashes.
    """
    while clash := _first_clash(tables, most):
        table, seat = clash
        nearest = sorted((abs(table - other), other) for other in range(len(tables)) if other != table)
        next(True for _, other in nearest if _swap(tables[table], seat, tables[other], most))


def _first_clash(tables: list[list[Candidate]], most: int) -> tuple[int, int] | None:
    for number, table in enumerate(tables):
        for seat, candidate in enumerate(table):
            if sum(candidate.owner == other.owner for other in table[:seat]) >= most:
                return number, seat
    return None


def _swap(table: list[Candidate], seat: int, other: list[Candidate], most: int) -> bool:
    """Swap with the first at the other table with whom it lowers the number of clashes."""
    before = _clashes(table, most) + _clashes(other, most)
    for place in range(len(other)):
        table[seat], other[place] = other[place], table[seat]
        if _clashes(table, most) + _clashes(other, most) < before:
            return True
        table[seat], other[place] = other[place], table[seat]
    return False


def _clashes(table: list[Candidate], most: int) -> int:
    return sum(max(0, count - most) for count in Counter(candidate.owner for candidate in table).values())


def seat_rotations(order: Sequence[int]) -> list[list[int]]:
    """Return as many seatings as there are seats: everybody sits once in every seat.

    For an even number, by Williams, everybody also sits once just before everybody else. For an odd number that would
    need twice as many; there the seatings are the rotations of `order`, which the caller draws afresh for every set.
    """
    seats = len(order)
    williams = [(step + 1) // 2 if step % 2 else -(step // 2) for step in range(seats)]  # 0, 1, -1, 2, -2 ...
    base = williams if seats % 2 == 0 else range(seats)
    return [[order[(turn + place) % seats] for place in base] for turn in range(seats)]
