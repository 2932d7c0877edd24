"""Answers with the numbers of NumPy and its like, as they go to the table."""

from array import array
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.plain_answers import plain_answer
from engine.games.gigabucks.questions import Lines
from engine.games.zaibatsu import Bid, Place
from engine.json_text import to_json
from engine.records import Record, from_plain, to_plain
from tests.bots.test_sdk import match_of

np = pytest.importorskip("numpy")


@dataclass(slots=True)
class Answer(Record):
    """One field of each kind that answers have."""

    tag: ClassVar[str] = "answer"
    amount: int = 0
    weight: float = 0.0
    sure: bool = False
    piles: list[int] = ()  # type: ignore[assignment]
    pairs: list[tuple[int, int]] = ()  # type: ignore[assignment]
    inner: Bid | None = None


class Four(IntEnum):
    VALUE = 4


class Indexed:
    def __index__(self) -> int:
        return 4


WHOLE: list[Any] = [
    *(kind(4) for kind in (np.int8, np.uint8, np.int32, np.int64, np.uint64, np.longlong, np.float16, np.float64)),
    *(np.array(4), np.array(4.0), np.argmax([0, 0, 0, 0, 1]), np.sum([1, 3]), 4.0, Indexed(), Four.VALUE),
]


@pytest.mark.parametrize("value", WHOLE, ids=lambda value: f"{type(value).__name__} {value!r:.20}")
def test_a_whole_number_of_any_type_is_sent_as_one(value: Any) -> None:
    assert to_json(plain_answer(Bid(value))) == '{"t":"bid","amount":4}'


def test_values_inside_of_values_are_plain_too() -> None:
    pairs = [(np.int64(1), 2.0)]
    made = Answer(np.int64(1), np.float32(0.5), np.True_, np.arange(3), pairs, Bid(np.uint8(7)))  # type: ignore[arg-type]
    plain = Answer(1, 0.5, sure=True, piles=[0, 1, 2], pairs=[(1, 2)], inner=Bid(7))
    assert to_json(plain_answer(made)) == to_json(plain)
    assert made.pairs is pairs
    assert to_json(plain_answer(Lines({"red": np.int16(2)}))) == to_json(Lines({"red": 2}))
    assert to_json(plain_answer(Answer(piles=array("i", [3, 4])))) == to_json(Answer(piles=[3, 4]))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [2.5, np.float64(2.5), True, "4", None, float("nan"), np.True_, np.array([4])])
def test_what_is_no_whole_number_stays_what_it_is(value: Any) -> None:
    sent = plain_answer(Bid(value)).amount
    assert type(sent) is not int
    assert sent == getattr(value, "tolist", lambda: value)() or sent != sent


def test_a_float_that_is_asked_for_stays_one() -> None:
    assert to_json(plain_answer(Answer(weight=np.float64(2)))).count("2.0") == 1


@given(st.integers(-(2**53), 2**53), st.text(), st.lists(st.integers()))
def test_a_plain_answer_is_sent_as_it_is(number: int, text: str, several: list[int]) -> None:
    bid, place, answer = Bid(number), Place(text, number), Answer(piles=several)
    assert plain_answer(bid) is bid
    assert plain_answer(place) is place
    assert to_plain(plain_answer(answer)) == to_plain(answer)
    assert from_plain(Bid, to_plain(bid)) == bid


BOT = """
import numpy as np
from bots.sdk import note, play
from engine.games.zaibatsu import Bid, Call, ToBid, ToCall

def choose(view, question):
    note("bids", number=np.int64(1))
    if isinstance(question, ToBid):
        return Bid(np.argmax(np.array([1, 0])))
    if isinstance(question, ToCall):
        return Call(np.float64(question.piles[0]))
    return question.default()

play(choose)
"""


def test_a_bot_that_answers_with_numpy_plays_without_a_fault(tmp_path: Path) -> None:
    played, stderr = match_of(tmp_path, BOT)
    assert played.faults == []
    assert '{"number": 1}' in stderr
