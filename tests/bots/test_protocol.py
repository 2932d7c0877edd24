"""What is read from a bot: strictly, with a sentence for whatever does not fit; and what its page promises."""

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.protocol import (
    KB,
    PROTOCOL,
    RANGES,
    Asked,
    Clock,
    End,
    Hello,
    Output,
    ProtocolError,
    decode,
    encode,
    quote,
    read_answer,
    read_ready,
)
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.records import from_plain, to_plain

DOCS = Path(__file__).parents[2] / "docs"
PAGE, REFERENCE = ((DOCS / name).read_text() for name in ("protocol.md", "reference.md"))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def test_the_greeting_is_answered_by_ready_alone() -> None:
    read_ready(b'{"t": "ready"}')
    for line in (b"{}", b'{"t": "hello"}', b'{"t": "ready", "name": "x"}', b'"ready"', b""):
        with pytest.raises(ProtocolError):
            read_ready(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "not JSON"),
        (b"bid 5", "not JSON"),
        (b'{"action": {}', "not JSON"),
        (b'{"action": {}} {}', "not JSON"),
        (b'{"action": {"x": NaN}}', "NaN"),
        (b'{"action": {"x": -Infinity}}', "Infinity"),
        (b'\xef\xbb\xbf{"action": {}}', "not JSON"),
        (b'{"action": "\xff"}', "not UTF-8"),
        (b"[]", "must be an object"),
        (b"{}", "lacks 'action'"),
        (b'{"action": []}', "answer.action must be an object"),
        (b'{"action": null}', "answer.action must be an object"),
        (b'{"action": {}, "why": 1}', "unknown 'why'"),
        (b'{"action": {}, "talk": "hello"}', "has unknown 'talk'"),
    ],
)
def test_an_answer_that_breaks_the_protocol_is_refused_in_a_sentence(line: bytes, words: str) -> None:
    with pytest.raises(ProtocolError, match=re.escape(words)):
        read_answer(line)


@given(st.dictionaries(st.text(), PLAIN, max_size=4))
def test_any_action_arrives_as_it_was_sent(action: dict[str, Any]) -> None:
    assert read_answer(json.dumps({"action": action}).encode()) == action


@given(st.binary(max_size=200))
def test_any_line_is_read_or_refused(line: bytes) -> None:
    with contextlib.suppress(ProtocolError):
        assert type(read_answer(line)) is dict


def test_a_message_is_one_line_that_reads_back() -> None:
    match = ZAIBATSU.start(Options(), "seed")
    ((seat, question),) = match.questions.items()
    first = Asked(1, question, ZAIBATSU.see(match.at, seat), [], 30_000)
    hello = Hello("zaibatsu", 1, 0, 3, to_plain(Options()), Clock())
    for message in (hello, first, End([1, 2], [3, 2])):
        line = encode(message)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert to_plain(from_plain(type(message), decode(line))) == to_plain(message)


def test_a_figure_that_json_has_not_is_no_message() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        encode(Asked(1, float("nan"), None, [], 0))


def test_of_what_a_bot_wrote_the_beginning_is_quoted_whatever_its_bytes() -> None:
    assert quote(b"\xff\n") == "'\\\\xff\\n'"
    assert quote(b"x" * 118) == f"'{'x' * 118}'"
    assert quote(b"x" * 119) == f"'{'x' * 118}\N{HORIZONTAL ELLIPSIS}"


# --- the page ------------------------------------------------------------------------------------------------------


def test_the_pages_questions_take_the_pages_answers() -> None:
    rows = re.findall(r'^\| `(\{"t".*?\})` \| `(\{"t".*?\})` \|', PAGE, re.MULTILINE)
    assert len(rows) == len(ZAIBATSU.questions)
    for text, action in rows:
        question = ZAIBATSU.read_question(json.loads(text))
        assert question.error(question.read(json.loads(action))) is None


def test_the_pages_limits_are_the_defaults() -> None:
    for name, value in {**to_plain(Clock()), **to_plain(Output())}.items():
        assert f"`{name}` {value:,}" in PAGE


def test_the_references_ranges_are_those_that_a_ladder_may_set() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [\d,]+ \| ([\d,]+) to ([\d,]+) \|", REFERENCE, re.MULTILINE)
    shown = {name: tuple(int(bound.replace(",", "")) for bound in bounds) for name, *bounds in rows}
    assert shown.keys() >= RANGES.keys()
    assert {name: shown[name] for name in RANGES} == RANGES


def test_the_page_is_of_this_version_and_counts_bytes_as_it_says() -> None:
    assert (PROTOCOL, KB) == (1, 1024)
