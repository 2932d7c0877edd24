"""Matches: what is asked, who may answer, copies, and who listens."""

import pytest

from engine.core import IllegalAction
from engine.records import canonical
from tests.engine.sealed import SEALED, Bid, Options, Revealed, Secret


def test_several_seats_can_be_asked_at_once() -> None:
    match = SEALED.start(Options(), "seed")
    assert sorted(match.questions) == [0, 1]
    match.apply({0: Bid(3), 1: Bid(5)})
    assert list(match.questions) == [1]
    match.apply({1: Bid(1)})
    assert match.over


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({0: Bid(1)}, "seat 1: is asked and gave no answer"),
        ({0: Bid(1), 1: Bid(1), 2: Bid(1)}, "seat 2: is not asked now; asked: 0, 1"),
        ({0: Bid(1), 1: Bid(10)}, "seat 1: bids 10; a bid is 1 to 9 here, or 0 to pass"),
    ],
)
def test_all_answers_must_fit_or_nothing_changes(answers: dict[int, Bid], reason: str) -> None:
    match = SEALED.start(Options(), "seed")
    before = canonical(match.at)
    with pytest.raises(IllegalAction) as caught:
        match.apply(answers)
    assert str(caught.value) == reason
    assert canonical(match.at) == before
    match.apply({0: Bid(1), 1: Bid(2)})


def test_nobody_is_asked_when_the_match_is_over() -> None:
    match = SEALED.start(Options(), "seed")
    match.apply({0: Bid(1), 1: Bid(2)})
    match.apply({1: Bid(0)})
    with pytest.raises(IllegalAction, match="nobody, the match is over"):
        match.read(0, {"t": "bid", "amount": 0})


def test_a_copy_goes_its_own_way_and_nobody_listens_to_it() -> None:
    match = SEALED.start(Options(), "seed")
    copy = match.copy()
    copy.apply({0: Bid(1), 1: Bid(2)})
    assert sorted(match.questions) == [0, 1]
    assert match.at.bids == []
    assert copy.hear() == []
    assert copy.at.heard is None


def test_events_are_heard_once_in_order() -> None:
    match = SEALED.start(Options(), "seed")
    assert [type(event) for event in match.hear()] == [Secret, Secret]
    assert match.hear() == []
    match.apply({0: Bid(1), 1: Bid(2)})
    assert match.hear() == [Revealed([1, 2])]


def test_a_silent_match_keeps_no_events() -> None:
    match = SEALED.start(Options(), "seed", listen=False)
    match.apply({0: Bid(1), 1: Bid(2)})
    assert match.hear() == []
    assert match.at.heard is None
