"""Failing items in the database: noted, tried again, set aside."""

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.db.models.functions import Now

from tournaments.core.broker import failing_items
from tournaments.core.broker.failing_items import FAILING_ITEMS, server_is_away
from tournaments.models import FailingItem
from workers.isolation import PAUSES, TookTooLong, apart

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def always_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failing_items, "FRESH", 0.0)


def spoil() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 / 0")
    return 1


def test_a_failure_is_noted_with_its_reason_and_forgotten_when_the_item_passes() -> None:
    assert apart("pairing", "ladder a", spoil, FAILING_ITEMS) is None
    failing = FailingItem.objects.get()
    assert (failing.loop, failing.item, failing.failures) == ("pairing", "ladder a", 1)
    assert failing.reason.startswith("DataError: division by zero")
    assert failing.next_try_at is not None
    assert apart("pairing", "ladder a", lambda: 1, FAILING_ITEMS) is None, "it is in its pause"
    assert apart("pairing", "ladder b", lambda: 1, FAILING_ITEMS) == 1
    FailingItem.objects.update(next_try_at=Now())
    assert apart("pairing", "ladder a", lambda: 1, FAILING_ITEMS) == 1
    assert not FailingItem.objects.exists()


def test_what_keeps_failing_is_set_aside() -> None:
    for _ in range(len(PAUSES) + 1):
        FailingItem.objects.update(next_try_at=Now())
        apart("pairing", "ladder a", spoil, FAILING_ITEMS)
    failing = FailingItem.objects.get()
    assert (failing.failures, failing.next_try_at) == (len(PAUSES) + 1, None)
    assert not FAILING_ITEMS.may_try("pairing", "ladder a")


@pytest.mark.django_db(transaction=True)
def test_an_item_that_ends_each_session_of_the_database_rests_like_another() -> None:
    def end_the_session() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return 1

    for _ in range(failing_items.SESSIONS):
        assert not FailingItem.objects.exists()
        with pytest.raises(OperationalError):  # a lead may have hung on the session
            apart("pairing", "ladder a", end_the_session, FAILING_ITEMS)
        connection.close()  # as the loop does
    assert FailingItem.objects.get().item == "ladder a"


def test_a_statement_that_fails_is_told_apart_from_a_server_that_is_away() -> None:
    with pytest.raises(OperationalError) as slow, connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)")
    assert not server_is_away(slow.value)
    assert server_is_away(OperationalError("the server closed the connection unexpectedly"))
    assert server_is_away(InterfaceError("connection already closed"))
    assert not server_is_away(TookTooLong("30 s"))
