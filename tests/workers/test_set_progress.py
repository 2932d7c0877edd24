"""What a worker tells of its set, and when."""

from collections.abc import Callable, Sequence

import pytest
from kombu.exceptions import OperationalError

from tests.workers.hall import until
from workers import heartbeat, set_progress
from workers.orders import MatchOrder, Sized
from workers.report_sizes import TOGETHER, messages
from workers.set_progress import SetProgress

MATCHES = [MatchOrder(number, 1, [0, 1]) for number in (1, 2, 3)]


def report(number: int, size: int = 1) -> Sized:
    return Sized({"match": number}, size)


class Listener:
    def __init__(self) -> None:
        self.heard: list[tuple[list[object], list[int]]] = []
        self.away = 0  # so many times the broker is not there

    def __call__(self, ended: Sequence[Sized], in_hand: Sequence[MatchOrder]) -> None:
        if self.away:
            self.away -= 1
            raise OperationalError("the broker is away")
        self.heard.append(([sized.plain for sized in ended], [match.match for match in in_hand]))

    def times(self, count: int) -> Callable[[], bool]:
        return lambda: len(self.heard) >= count


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    monkeypatch.setattr(heartbeat, "EVERY", 0.05)
    monkeypatch.setattr(set_progress, "SOON", 0.01)
    return Listener()


def test_a_short_set_is_told_of_by_nobody_but_at_its_end() -> None:
    listener = Listener()
    with SetProgress(MATCHES, listener) as at_hand:
        for match in MATCHES:
            at_hand.begin()
            at_hand.end(match, report(match.match))
    assert listener.heard == []
    assert [sized.plain for sized in at_hand.ended] == [{"match": 1}, {"match": 2}, {"match": 3}]


def test_what_is_in_hand_is_told_again_and_again_and_a_report_soon(listener: Listener) -> None:
    with SetProgress(MATCHES, listener) as at_hand:
        until("words", listener.times(2))
        assert listener.heard[0] == ([], [1, 2, 3])
        at_hand.end(MATCHES[0], report(1))
        until("the report", lambda: any(ended for ended, _ in listener.heard))
        count = len(listener.heard)
        until("more words", listener.times(count + 2))
    with_reports = [heard for heard in listener.heard if heard[0]]
    assert with_reports == [([{"match": 1}], [2, 3])]
    assert listener.heard[-1] == ([], [2, 3])


def test_a_report_that_could_not_be_sent_is_sent_again(listener: Listener) -> None:
    listener.away = 2
    with SetProgress(MATCHES, listener) as at_hand:
        at_hand.end(MATCHES[0], report(1))
        until("the report", listener.times(1))
        until("it to be told", lambda: not at_hand.ended)
    assert listener.heard[0] == ([{"match": 1}], [2, 3])


def test_a_match_that_nobody_waits_for_has_no_report() -> None:
    with SetProgress(MATCHES, Listener()) as at_hand:
        at_hand.end(MATCHES[0], None)
    assert (at_hand.ended, at_hand.in_hand) == ([], MATCHES[1:])


def test_a_worker_that_hangs_falls_silent_but_tells_what_is_over(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "SILENT_AFTER", -1.0)
    with SetProgress(MATCHES, listener) as at_hand:
        at_hand.end(MATCHES[0], report(1))
        until("the report", listener.times(1))
    assert listener.heard == [([{"match": 1}], [])]


def test_reports_go_together_while_they_are_short() -> None:
    half, more = report(1, TOGETHER // 2), report(2, TOGETHER // 2 + 1)
    assert messages([half, half, half]) == [[half, half], [half]]
    assert messages([half, more, half]) == [[half], [more], [half]]
    assert messages([report(1, 9 * TOGETHER), half]) == [[report(1, 9 * TOGETHER)], [half]]
    assert messages([]) == []
