"""Heartbeats: at the start of a match, and regularly for all that are in hand."""

from collections.abc import Callable

import pytest

from tests.workers.hall import until
from workers import heartbeat
from workers.heartbeat import Heartbeat
from workers.orders import MatchOrder

MATCHES = [MatchOrder(number, 1, [0, 1]) for number in (1, 2, 3)]


class Listener:
    def __init__(self) -> None:
        self.heard: list[int] = []

    def __call__(self, match: MatchOrder) -> None:
        self.heard.append(match.match)

    def more_than(self, count: int) -> Callable[[], bool]:
        return lambda: len(self.heard) > count


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    monkeypatch.setattr(heartbeat, "EVERY", 0.01)
    return Listener()


def test_a_match_sends_a_heartbeat_when_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener()
    with Heartbeat(MATCHES, listener) as beats:
        beats.begin(MATCHES[0])
    assert listener.heard == [1]


def test_all_in_hand_send_heartbeats_while_one_is_played_and_none_that_has_ended(listener: Listener) -> None:
    with Heartbeat(MATCHES, listener) as beats:
        until("heartbeats of all", lambda: {1, 2, 3} <= set(listener.heard))
        beats.end(MATCHES[0])
        count = len(listener.heard)
        until("more heartbeats", listener.more_than(count + 6))
    assert 1 not in listener.heard[count + 1 :]  # one might have been on its way


def test_a_worker_that_hangs_falls_silent(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "SILENT_AFTER", 0.05)
    with Heartbeat(MATCHES, listener) as beats:
        until("silence", lambda: not beats._thread.is_alive())
    assert listener.heard


def test_after_the_set_there_is_silence(listener: Listener) -> None:
    with Heartbeat(MATCHES, listener) as beats:
        until("a heartbeat", listener.more_than(0))
    assert not beats._thread.is_alive()
