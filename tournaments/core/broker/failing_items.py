"""Items of the site's loops that failed, in the database: organisers see them at the desk and can retry them.

`FAILING_ITEMS` is the record (`workers.isolation`) of every loop that has the database.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import timedelta
from threading import Lock
from time import monotonic

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import Model
from django.db.models.expressions import Combinable
from django.db.models.functions import Now
from redis import Redis, RedisError

from tournaments.core.config.plain_text import storable
from tournaments.models import FailingItem
from workers.isolation import PAUSES, TookTooLong, broker_is_away

FAILURES = "boardroom:failures"  # in the broker, for /metrics: the number of failures by loop
SESSIONS = 3  # of the database that an item may end before it is to blame
FRESH = 0.5  # seconds for which the table that was read is used
AWAY_CODES = ("08", "53100", "53300", "57P", "58")  # PostgreSQL's: connection, disk, room, shut down, system error
LONGEST_REASON, LONGEST_NAME = 500, 120

log = logging.getLogger(__name__)


class FailingItems:
    """The failing items, read again twice a second at most: nearly always there is none."""

    def __init__(self, pauses: Sequence[float] = PAUSES, *, sets_aside: bool = True) -> None:
        self._pauses, self._sets_aside = pauses, sets_aside
        self._lock = Lock()
        self._read_at = -FRESH
        self._resting: set[tuple[str, str]] = set()
        self._known: set[tuple[str, str]] = set()
        self._lost: Counter[tuple[str, str]] = Counter()  # connections in a row, while the item was processed

    def is_away(self, error: Exception) -> bool:
        return server_is_away(error)

    def blames(self, loop: str, item: str) -> bool:
        """An item may end the database session of the process that handles it, for example by its queries."""
        self._lost[loop, item] += not connection.is_usable()
        return self._lost[loop, item] >= SESSIONS

    def may_try(self, loop: str, item: str) -> bool:
        self._refresh()
        return (loop, item[:LONGEST_NAME]) not in self._resting

    def border(self) -> AbstractContextManager[object]:
        """Within a transaction, a savepoint: an error would end the whole of it."""
        return transaction.atomic() if connection.in_atomic_block else nullcontext()

    def failed(self, loop: str, item: str, error: Exception) -> None:
        """Raises OperationalError if the item took the connection with it, and the leader's lock that depends on it:
        an interrupted item may leave the connection in any state."""
        lost = isinstance(error, TookTooLong) or not connection.is_usable()
        if lost:
            connection.close()
        self._note(loop, item[:LONGEST_NAME], _reason(error))
        self._read_at = -FRESH
        if lost:
            connection.close()
            raise OperationalError(f"the connection was given up with {loop}: {item}")

    def passed(self, loop: str, item: str) -> None:
        self._lost.pop((loop, item), None)
        if (loop, item[:LONGEST_NAME]) in self._known:
            FailingItem.objects.filter(loop=loop, item=item[:LONGEST_NAME]).delete()
            self._read_at = -FRESH

    def knows(self, loop: str, item: str) -> bool:
        """Whether its last try failed."""
        self._refresh()
        return (loop, item[:LONGEST_NAME]) in self._known

    def resting(self, loop: str) -> set[str]:
        """The items that are not to be tried now, so that they need not be loaded."""
        self._refresh()
        return {item for of_loop, item in self._resting if of_loop == loop}

    def set_aside(self, loop: str, item: str, reason: str) -> None:
        """Set an item aside without a try, because no process can handle it."""
        self._note(loop, item[:LONGEST_NAME], _storable(reason), tried=False)

    def _refresh(self) -> None:
        with self._lock:
            if monotonic() < self._read_at + FRESH:
                return
            rows = list(FailingItem.objects.values_list("loop", "item", "next_try_at", Now()))
            self._known = {(loop, item) for loop, item, *_ in rows}
            self._resting = {(loop, item) for loop, item, due, now in rows if due is None or due > now}
            self._read_at = monotonic()

    @transaction.atomic
    def _note(self, loop: str, item: str, reason: str, *, tried: bool = True) -> None:
        FailingItem.objects.get_or_create(loop=loop, item=item)
        row = FailingItem.objects.select_for_update().get(loop=loop, item=item)
        row.failures, row.reason = row.failures + 1, reason
        row.last_failed_at = Now()
        row.next_try_at = self._next_try(row.failures) if tried else None
        row.save()
        with suppress(RedisError), Redis.from_url(settings.REDIS_URL, socket_timeout=2) as redis:
            redis.hincrby(FAILURES, loop, 1)

    def _next_try(self, failures: int) -> Combinable | None:
        """Return when the item is tried next, None if it is set aside."""
        if self._sets_aside and failures > len(self._pauses):
            return None
        return Now() + timedelta(seconds=self._pauses[min(failures, len(self._pauses)) - 1])


FAILING_ITEMS = FailingItems()
STEPS = FailingItems(
    (1.0, 5.0, 10.0), sets_aside=False
)  # of steps that everything depends on: they are retried for ever


def item_name(row: Model) -> str:
    """The name of an item that is a row: its kind, and its name for people."""
    kind = row._meta.verbose_name  # noqa: SLF001  documented, although it looks private
    return f"{kind} {getattr(row, 'slug', '') or getattr(row, 'name', '') or row.pk}"


def server_is_away(error: Exception) -> bool:
    """PostgreSQL's codes tell these from errors of a statement itself, such as a deadlock or a timeout."""
    if isinstance(error, InterfaceError):
        return True
    if isinstance(error, OperationalError):
        code = getattr(error.__cause__, "sqlstate", None)
        return code is None or code.startswith(AWAY_CODES)
    return not isinstance(error, DatabaseError) and broker_is_away(error)


def _reason(error: Exception) -> str:
    """Return the error as an organiser reads it."""
    return _storable(f"{type(error).__name__}: {error}")


def _storable(text: str) -> str:
    return storable(" ".join(text.split()))[:LONGEST_REASON]
