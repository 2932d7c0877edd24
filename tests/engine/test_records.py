"""Plain data to records and back, strictly."""

import json
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records import Record, RecordError, canonical, from_plain, show, to_plain
from tests import thorough


@dataclass
class Point(Record):
    x: int
    y: int = 0


@dataclass
class Buy(Record):
    tag: ClassVar[str] = "buy"
    what: str


@dataclass
class Move(Record):
    tag: ClassVar[str] = "move"
    to: Point


@dataclass
class Tree(Record):
    leaf: int
    branches: list["Tree"] = field(default_factory=list)


@dataclass
class All(Record):
    number: int
    text: str
    truth: bool
    real: float
    raw: bytes
    points: list[Point]
    pair: tuple[int, ...]
    by_name: dict[str, Point]
    colour: Literal["red", 1]
    deed: Buy | Move
    perhaps: Point | None


@dataclass
class Marked(Record):
    shown: int
    hidden: list[int] = field(default_factory=list, metadata={"plain": False})


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
numbers = st.integers(-(2**53), 2**53)
points = st.builds(Point, numbers, numbers)
alls = st.builds(
    All,
    numbers,
    texts,
    st.booleans(),
    st.floats(-(2.0**53), 2.0**53),
    st.binary(),
    st.lists(points),
    st.lists(numbers).map(tuple),
    st.dictionaries(texts, points),
    st.sampled_from(["red", 1]),
    st.builds(Buy, texts) | st.builds(Move, points),
    st.none() | points,
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["t", "x", "y", "what"]), inner),
)


@given(alls)
def test_a_record_survives_json(value: All) -> None:
    assert from_plain(All, json.loads(canonical(value))) == value


def test_a_record_may_hold_itself() -> None:
    tree = Tree(1, [Tree(2, [Tree(3)]), Tree(4)])
    assert from_plain(Tree, to_plain(tree)) == tree


def test_fields_marked_so_stay_out_of_the_plain_form() -> None:
    assert to_plain(Marked(1, [2])) == {"shown": 1}
    with pytest.raises(RecordError, match="unknown 'hidden'"):
        from_plain(Marked, {"shown": 1, "hidden": [2]})


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        (int, True, "value must be a whole number, not True"),
        (int, 1.0, "value must be a whole number, not 1.0"),
        (int, 2**53 + 1, "value must lie between -2**53 and 2**53"),
        (float, float("nan"), "value must be a number, not nan"),
        (float, True, "value must be a number, not True"),
        (str, 1, "value must be a text, not 1"),
        (str, "a\ud800", "value must be a text of whole characters, not 'a\\ud800'"),
        (bool, 1, "value must be true or false, not 1"),
        (bytes, "xyz", "value must be hexadecimal text, not 'xyz'"),
        (list[int], {}, "value must be a list, not {}"),
        (list[int], [1, "2"], "value[1] must be a whole number, not '2'"),
        (dict[str, int], {"a": None}, "value.a must be a whole number, not None"),
        (Literal["red", 1], True, "value must be one of 'red', 1, not True"),
        (Point, [], "value must be an object, not []"),
        (Point, {"y": 1}, "value lacks 'x'"),
        (Point, {"x": 1, "z": 1}, "value has unknown 'z'; it takes 'x', 'y'"),
        (Move, {"t": "move", "to": {"x": "1"}}, "value.to.x must be a whole number, not '1'"),
        (Move, {"to": {"x": 1}}, 'value must have "t": "move", not None'),
        (Buy | Move, {"t": "sell"}, "value must have \"t\" one of 'buy', 'move', not 'sell'"),
        (Buy | Move, {"t": []}, "value must have \"t\" one of 'buy', 'move', not []"),
    ],
)
def test_a_refusal_says_where_and_what_would_be_right(kind: Any, data: object, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        from_plain(kind, data)
    assert str(caught.value) == message


@settings(max_examples=thorough.budget(30, full=1000))
@given(json_values)
def test_any_json_is_read_or_refused(data: object) -> None:
    for kind in (All, Buy | Move, Point, list[Point], dict[str, int], Point | None):
        try:
            value = from_plain(kind, data)
        except RecordError:
            continue
        assert from_plain(kind, to_plain(value)) == value


def test_a_quotation_is_short_whatever_is_quoted() -> None:
    deep: object = []
    for _ in range(100_000):
        deep = [deep]
    for data in (deep, "x" * 10**6, list(range(10**5)), 10**4000, 10**5000, {"a": deep}, float("nan")):
        assert 0 < len(show(data)) <= 60


def test_canonical_json_is_one_text_for_one_value() -> None:
    assert canonical({"b": 1, "a": [Point(1, 2), "é"]}) == '{"a":[{"x":1,"y":2},"\\u00e9"],"b":1}'
