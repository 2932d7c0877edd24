"""An order is read strictly, and what cannot be played is answered with the reason."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.records import RecordError, from_plain, to_plain
from engine.referee import Fault
from tests.workers.hall import an_order
from workers.envelopes import LARGEST
from workers.orders import Competitor, Note, Order, Report, Stderr, read_order, refuse_order
from workers.report_sizes import fit_report

COMPETITORS = [Competitor(f"bot {number}", 1, f"{number}" * 64, "bot.py") for number in range(3)]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def plain_order(**changes: Any) -> dict[str, Any]:
    """Return what comes off the wire."""
    plain: dict[str, Any] = json.loads(json.dumps(to_plain(an_order(COMPETITORS))))
    return plain | changes


def test_an_order_comes_through_the_wire_unchanged() -> None:
    assert read_order(plain_order()) == an_order(COMPETITORS)


def test_a_report_comes_through_the_wire_unchanged() -> None:
    report = Report(3, 2, "here/1", "played", replay=b"\x1f\x8b\x00", cpu_ms=[1.5, 2.0], seconds=0.25, tier="landlock")
    assert from_plain(Report, json.loads(json.dumps(to_plain(report)))) == report


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": 2}, "the order has version 2; this worker reads version 3"),
        ({"game": "ludo"}, "unknown game 'ludo'; this worker plays zaibatsu"),
        ({"rules": 99}, "rules version 99 of zaibatsu is asked for; this worker has"),
        ({"options": {"players": 9}}, "options.players must be 2 to 4, not 9"),
        ({"options": {"colour": 1}}, "options has unknown"),
        ({"matches": [{"match": 7, "lease": 1, "seats": [0, 1]}]}, "match 7 has seats .* it needs 3 numbers"),
        ({"matches": [{"match": 7, "lease": 1, "seats": [0, 1, 3]}]}, "from 0 to 2"),
        ({"matches": [{"match": 7, "lease": 1, "seats": [0, 1, -1]}]}, "from 0 to 2"),
        ({"strikes": 0}, "order.strikes is 0; it must be at least 1"),
        ({"clock": {"answer_ms": 0}}, "order.clock.answer_ms is 0; it must be a whole number from 10 to 60000"),
        ({"output": {"line_kb": 257}}, "order.output.line_kb is 257; it must be a whole number from 1 to 256"),
        ({"output": {"line_kb": "1"}}, "order.output.line_kb must be a whole number, not '1'"),
        ({"limits": {"memory_mb": 1}}, "order.limits: The limit memory_mb is 1"),
        ({"seed": 5}, "order.seed must be a text, not 5"),
        ({"surprise": 1}, "order has unknown 'surprise'"),
    ],
)
def test_an_order_that_cannot_be_played_is_refused_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        read_order(plain_order(**changes))


@given(field=st.sampled_from(sorted(plain_order())), junk=JUNK)
def test_whatever_stands_in_an_order_it_is_read_or_refused(field: str, junk: object) -> None:
    with contextlib.suppress(RecordError):  # anything else would be a worker that fails again and again
        assert isinstance(read_order(plain_order(**{field: junk})), Order)


@given(junk=JUNK)
def test_whatever_is_sent_instead_of_an_order_can_be_answered(junk: object) -> None:
    with pytest.raises(RecordError):
        read_order(junk)
    assert refuse_order(junk, "here", "not an order") == []


def test_a_refused_order_is_answered_for_every_match_that_it_still_names() -> None:
    named = [{"match": 4, "lease": 2}, {"match": "x", "lease": 1}, None, {"match": 5, "lease": 1, "seats": "all"}]
    reports = refuse_order(plain_order(matches=named), "here", "no such game")
    assert [(report.match, report.lease, report.outcome, report.reason) for report in reports] == [
        (4, 2, "void", "no such game"),
        (5, 1, "void", "no such game"),
    ]


def test_a_report_that_would_be_too_long_goes_without_what_bots_wrote() -> None:
    """Eight bots that write zeros on stderr, and are at fault in long questions, keep no result from the site."""
    long = [Fault(seat, 0, "illegal answer", "", {"q": "\0" * 60_000}, "\0" * 2000) for seat in range(8)] * 5
    report = Report(1, 1, "here/1", "played", replay=b"x" * (3 << 20), faults=long)
    report.stderr = [Stderr(seat, "\0" * 65_536) for seat in range(8)]
    report.notes = [Note(seat, -1, "\ufffd" * 20_000) for seat in range(8)]
    plain = fit_report(report)
    assert len(json.dumps(plain)) * 4 // 3 < LARGEST
    assert (plain["replay"], plain["stderr"], len(plain["faults"])) == (report.replay.hex(), [], 40)
    assert plain["notes"] == []
    short = Report(1, 1, "here/1", "played", replay=b"x", stderr=[Stderr(0, "words")])
    assert from_plain(Report, fit_report(short)) == short
