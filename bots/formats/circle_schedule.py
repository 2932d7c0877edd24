"""Rounds that are fixed beforehand: the circle of two, all tables of few, and designs where the numbers allow one.

A schedule is rounds of tables of places 0 .. n - 1. Sources: FIDE Handbook C.05, Annex 1 (Berger tables); affine planes
and transversal designs as in any book on combinatorial design (for example Stinson, Combinatorial Designs, 2004).
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb, isqrt

Tables = list[list[int]]
MOST_COMPLETE = 70  # tables, as eight at tables of four make


def berger(count: int) -> list[Tables]:
    """Berger's tables for two at a table, the one with the first seat first; the highest of an odd number is a bye.

    In round r meet those whose numbers (from 1) add up to r + 1, modulo n - 1, and the one left over meets n.
    """
    even = count + count % 2
    rounds = [_berger_round(number, even) for number in range(1, even)]
    return [[table for table in tables if max(table) < count] for tables in rounds]


def _berger_round(number: int, even: int) -> Tables:
    circle = even - 1
    middle = (number + 1) * (even // 2) % circle  # half of number + 1, on the circle
    tables = [[middle, even]] if number % 2 else [[even, middle]]
    tables += [[(middle + step) % circle, (middle - step) % circle] for step in range(1, even // 2)]
    return [[(seat or circle) - 1 for seat in table] for table in tables]


def complete(count: int, seats: int) -> list[Tables]:
    """Return every possible table, each in the first round that has room for it."""
    rounds: list[Tables] = []
    for table in combinations(range(count), seats):
        free = (tables for tables in rounds if not any(set(table) & set(other) for other in tables))
        tables = next(free, None)
        if tables is None:
            rounds.append(tables := [])
        tables.append(list(table))
    return rounds


def affine(order: int) -> list[Tables]:
    """The affine plane over a field of 2, 3, 4, 5, 7 or 8: all points meet exactly once, at tables of `order`."""
    lines = [
        [
            [x * order + field_sum(field_product(slope, x, order), shift, order) for x in range(order)]
            for shift in range(order)
        ]
        for slope in range(order)
    ]
    return [*lines, [[x * order + y for y in range(order)] for x in range(order)]]


def blocks(groups: int, tables: int) -> list[Tables]:
    """`groups` seats at a prime number of tables, no fewer: as many rounds as tables in which nobody meets twice."""
    return [
        [[group * tables + (table + group * turn) % tables for group in range(groups)] for table in range(tables)]
        for turn in range(tables)
    ]


MODULUS = {4: 0b111, 8: 0b1011}  # irreducible polynomials over GF(2)


def field_sum(left: int, right: int, order: int) -> int:
    """Return the sum in the field of that order."""
    return left ^ right if order in MODULUS else (left + right) % order


def field_product(left: int, right: int, order: int) -> int:
    """Return the product in the field of that order."""
    if order not in MODULUS:
        return left * right % order
    result = 0
    while right:
        result ^= left * (right & 1)
        left, right = left << 1, right >> 1
        left ^= MODULUS[order] * (left >= order)
    return result


def designed(count: int, seats: int) -> list[Tables]:
    """Rounds in which nobody meets twice, or all tables; none where there is no design."""
    if seats == 2:
        return berger(count)
    if comb(count, seats) <= MOST_COMPLETE:
        return complete(count, seats)
    if count == seats**2 and seats != 6:
        return affine(seats)
    if count % seats == 0 and is_prime(count // seats) and count // seats >= seats:
        return blocks(seats, count // seats)
    return []


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def rounds_to_meet(count: int, tables: Sequence[int]) -> int:
    """Return the number of rounds in which all meet once on average."""
    met = sum(size * (size - 1) for size in tables)
    return -(-count * (count - 1) // met)


def has_every_table(count: int, seats: int) -> bool:
    """Whether a round robin has every table there is, which with two at one is the circle."""
    return seats == 2 or comb(count, seats) <= MOST_COMPLETE
