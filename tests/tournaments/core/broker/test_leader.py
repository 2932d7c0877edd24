"""One dispatcher leads, and another takes over."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.meanwhile import session
from tests.patience import looks
from tournaments.core.broker.leader import EVERY, Leadership, somebody_leads

pytestmark = pytest.mark.django_db(transaction=True)


class Process:
    """A dispatcher as far as it leads: in a thread, with a session of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._leadership = Leadership()

    def leads(self, now: float) -> bool:
        return self._thread.submit(self._leadership.leads, now).result()

    def session(self) -> int:
        return self._thread.submit(session).result()

    def die(self) -> None:
        """End the session. May be called again."""
        self._thread.submit(_close).result()

    def shutdown(self) -> None:
        self._thread.shutdown()


def _close() -> None:
    """Close the connection of the thread that calls this."""
    connection.close()


@pytest.fixture
def two() -> Iterator[tuple[Process, Process]]:
    first, second = Process(), Process()
    yield first, second
    for process in (first, second):
        process.die()
        process.shutdown()


def nobody_leads() -> bool:
    """Return whether the server has heard that the session has ended: in its own time."""
    return any(not somebody_leads() for _ in looks(10))


def test_the_first_leads_for_as_long_as_its_session_lasts(two: tuple[Process, Process]) -> None:
    first, second = two
    assert not somebody_leads()
    assert first.leads(0.0)
    assert [second.leads(0.0), first.leads(EVERY), second.leads(EVERY)] == [False, True, False]
    assert somebody_leads()


def test_another_takes_over_at_its_next_try(two: tuple[Process, Process]) -> None:
    first, second = two
    assert first.leads(0.0)
    assert not second.leads(0.0)
    first.die()
    assert nobody_leads()
    assert not second.leads(EVERY / 2)  # it does not try all the time
    assert second.leads(EVERY)


def test_a_session_that_the_server_ends_takes_the_lead_with_it(two: tuple[Process, Process]) -> None:
    first, second = two
    assert first.leads(0.0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [first.session()])
    assert nobody_leads()
    assert second.leads(EVERY)
