"""Records as JSON text: the same bytes as by way of plain data."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import Dice
from engine.games import GAMES
from engine.json_text import to_json
from engine.records import Record, RecordError, to_plain
from tests import thorough

AS_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@dataclass
class Each(Record):
    """One field of each type that has an expression of its own."""

    tag: ClassVar[str] = 'it\'s "each"'
    number: Any
    maybe: Any
    text: Any
    word: Any
    flag: Any
    numbers: Any
    rows: Any
    texts: Any
    others: Any
    more: Any
    secret: int = field(default=7, metadata={"plain": False})


Each.__annotations__ |= {"number": int, "maybe": int | None, "text": str, "word": Literal["a"], "flag": bool}
Each.__annotations__ |= {"numbers": list[int], "rows": list[list[int]], "texts": list[str]}
Each.__annotations__ |= {"others": list[int], "more": list[int]}


@dataclass
class Paired(Record):
    pair: Any
    pairs: Any


Paired.__annotations__ |= {"pair": tuple[int, int], "pairs": list[tuple[int, int]]}


class Colour(IntEnum):
    RED = 3


@dataclass(frozen=True)
class Fixed(Record):
    """Its text may be kept: nothing in it can change."""

    number: int
    word: Literal["a", "b"] | None
    flag: bool = False


@dataclass
class Loose(Record):
    value: Any


def by_plain_data(value: Any) -> str:
    return json.dumps(to_plain(value), separators=(",", ":"), allow_nan=False)


@settings(max_examples=thorough.budget(60, full=3_000))
@given(AS_JSON)
def test_plain_data(data: Any) -> None:
    assert to_json(data) == by_plain_data(data)


@settings(max_examples=thorough.budget(100, full=5_000))
@given(st.lists(AS_JSON, min_size=10, max_size=10))
def test_fields_that_hold_anything_at_all(values: list[Any]) -> None:
    assert to_json(Each(*values)) == by_plain_data(Each(*values))


@pytest.mark.parametrize("number", [-1, 0, 999, 1_000, 2**70, True])
def test_numbers_in_fields_and_lists(number: int) -> None:
    record = Each(number, number, "", "a", number > 0, [1, number], [[number], []], [], [number, 2], [])
    assert to_json(record) == by_plain_data(record)


ODD = [5, None, "], [", (1, 2), (1,), [1, 2], [[1], [2]], [[1, 2]], [(1,)], [(1, 2, 3), ()], [[(1, 2)]], [True], [1.5]]


@pytest.mark.parametrize("value", ODD)
@pytest.mark.parametrize("other", ODD)
def test_something_else_where_lists_of_numbers_are_likely(value: Any, other: Any) -> None:
    for lists in ((value, other, [1]), (value, [1], other), ([1], value, other), (value, value, other)):
        first, *last_lists = lists
        record = Each(1, 2, "", "a", True, first, [], [], *last_lists)  # noqa: FBT003
        assert to_json(record) == by_plain_data(record)


@pytest.mark.parametrize(
    "value", [*ODD, (1, True), (-1, 2**70), (1, None), [(1, 2), (-3, 4)], [(1, True)], [(1,), (2,)]]
)
def test_whatever_is_where_pairs_are_likely(value: Any) -> None:
    text = by_plain_data(value)
    assert to_json(Paired(value, value)) == f'{{"pair":{text},"pairs":{text}}}'


@pytest.mark.parametrize("text", ['"', '","', "\\", "\n", "é", "\ud800", "\x7f", ""])
def test_texts_with_something_to_escape(text: str) -> None:
    record = Each(1, None, text, text, text, [], [[]], ["a", text, "b"], [], [])
    assert to_json(record) == by_plain_data(record)


def test_a_record_that_cannot_change_is_written_as_itself_each_time() -> None:
    plain, flagged = Fixed(1, "a"), Fixed(1, "a", flag=True)
    for record in (plain, plain, flagged, plain):
        assert to_json(record) == by_plain_data(record)


@pytest.mark.parametrize("value", [b"\x00\xff", (1, 2), {1: [Loose(2)]}, {"a": Loose(Loose(None))}, 1.5, Colour.RED])
def test_what_is_not_plain_yet(value: Any) -> None:
    expected = by_plain_data(Loose(value)) if value is not Colour.RED else '{"value":3}'
    assert to_json(Loose(value)) == expected


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")], object(), {1, 2}])
def test_what_json_cannot_say_is_refused(value: Any) -> None:
    with pytest.raises((ValueError, RecordError)):
        to_json(Loose(value))


@pytest.mark.parametrize("name", GAMES)
def test_all_that_a_game_shows(name: str) -> None:
    game = GAMES[name]
    match, dice = game.start(game.read_options({}), "text"), Dice.of("text")
    while not match.over:
        for record in shown(match, game):
            assert to_json(record) == by_plain_data(record)
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})


def shown(match: Any, game: Any) -> Iterator[Record]:
    """Questions, the views of those asked, and all that was told."""
    yield from match.hear()
    for seat, question in match.questions.items():
        yield question
        yield game.see(match.at, seat)
