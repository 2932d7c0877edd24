"""Signs of life: at the start of a match, and regularly for all that are in hand."""

from collections.abc import Callable

import pytest

from tests.workers.hall import until
from workers import pulse
from workers.orders import MatchOrder
from workers.pulse import Pulse

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
    monkeypatch.setattr(pulse, "EVERY", 0.01)
    return Listener()


def test_a_match_shows_a_sign_when_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener()
    with Pulse(MATCHES, listener) as signs:
        signs.begin(MATCHES[0])
    assert listener.heard == [1]


def test_all_in_hand_show_signs_while_one_is_played_and_none_that_has_ended(listener: Listener) -> None:
    with Pulse(MATCHES, listener) as signs:
        until("signs of all", lambda: {1, 2, 3} <= set(listener.heard))
        signs.end(MATCHES[0])
        count = len(listener.heard)
        until("more signs", listener.more_than(count + 6))
    assert 1 not in listener.heard[count + 1 :]  # one might have been on its way


def test_a_worker_that_hangs_falls_silent(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "SILENT_AFTER", 0.05)
    with Pulse(MATCHES, listener) as signs:
        until("silence", lambda: not signs._thread.is_alive())
    assert listener.heard


def test_after_the_set_there_is_silence(listener: Listener) -> None:
    with Pulse(MATCHES, listener) as signs:
        until("a sign", listener.more_than(0))
    assert not signs._thread.is_alive()
