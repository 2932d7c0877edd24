"""Copies have nothing in common that can change, and what is made of another record has its fields."""

from dataclasses import dataclass, field

import pytest

from engine.copies import SHARED, Copied, carrier
from engine.records import Record


@dataclass(slots=True, frozen=True)
class Fixed(Record):
    numbers: list[int]


@dataclass(slots=True)
class Pile(Copied):
    cards: list[str]


@dataclass(slots=True, kw_only=True)
class Marked(Pile):
    mark: int = 0


@dataclass(slots=True)
class Table(Copied):
    fixed: Fixed
    numbers: list[int]
    rows: list[list[int]]
    piles: list[Pile]
    by_name: dict[str, int]
    top: Pile | None
    land: list[int] = field(metadata=SHARED)
    heard: list[int] | None = field(default=None, metadata={"plain": False})
    known: list[int] | None = field(default=None, metadata={"plain": False, **SHARED})
    round: int = 0


@dataclass(slots=True)
class Sight(Record):
    seat: int
    numbers: list[int]
    piles: list[Pile]
    top: str
    round: int


def table() -> Table:
    return Table(Fixed([1]), [2], [[3]], [Pile(["a"])], {"b": 4}, Marked(["c"], mark=5), [6], [7], [8], round=9)


def test_a_copy_is_equal_and_has_nothing_in_common_that_can_change() -> None:
    first = table()
    second = first.copy()
    assert second == Table(**{name: getattr(table(), name) for name in Table.__slots__ if name != "heard"})
    for name in ("numbers", "rows", "piles", "by_name", "top"):
        assert getattr(first, name) is not getattr(second, name)
    assert first.rows[0] is not second.rows[0]
    assert first.piles[0].cards is not second.piles[0].cards


def test_what_never_changes_or_is_marked_so_is_shared() -> None:
    first = table()
    second = first.copy()
    assert all(getattr(first, name) is getattr(second, name) for name in ("fixed", "land", "known"))


def test_a_copy_is_of_the_same_type_though_its_base_was_copied_before() -> None:
    assert type(Pile(["a"]).copy()) is Pile
    assert Marked(["b"], mark=1).copy() == Marked(["b"], mark=1)


def test_what_has_the_same_name_and_type_is_carried_over_and_the_rest_is_given() -> None:
    first = table()
    sight = carrier(Table, Sight)(first, seat=1, top="c")
    assert sight == Sight(1, [2], [Pile(["a"])], "c", 9)
    assert sight.numbers is not first.numbers
    assert sight.piles[0] is not first.piles[0]


def test_what_is_named_is_given_although_it_is_there() -> None:
    assert carrier(Table, Sight, but=["round"])(table(), seat=1, top="c", round=3).round == 3


def test_what_is_neither_there_nor_given_is_missed() -> None:
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'top'"):
        carrier(Table, Sight)(table(), seat=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'round'"):
        carrier(Table, Sight)(table(), seat=1, top="c", round=3)
