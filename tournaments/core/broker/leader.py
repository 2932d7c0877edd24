"""Who leads: one dispatcher, while it holds an advisory lock of PostgreSQL. The others stand by to take over.

The lock ends with the database session, and so does the right to write.
"""

import logging

from django.db import connection

KEY = 7_000  # of the lock
EVERY = 2.0  # seconds between two tries of a dispatcher that stands by

IS_HELD = """
    SELECT EXISTS (
        SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE locktype = 'advisory' AND classid = 0 AND objsubid = 1 AND objid = %s AND granted
            AND datname = current_database()
    )
"""

log = logging.getLogger(__name__)


def somebody_leads() -> bool:
    """Return whether a dispatcher leads."""
    with connection.cursor() as cursor:
        cursor.execute(IS_HELD, [KEY])
        return bool(cursor.fetchone()[0])


class Leadership:
    """Whether this process leads. A connection that was lost took the lock with it."""

    def __init__(self) -> None:
        self._leads = False
        self._connection: object = None
        self._next = 0.0  # when it tries again

    def leads(self, now: float) -> bool:
        """Return whether it leads, after another try if one is due."""
        if self._connection is None or self._connection is not connection.connection:
            self._leads, self._next = False, 0.0
        if not self._leads and now >= self._next:
            self._try(now)
        return self._leads

    def _try(self, now: float) -> None:
        self._next = now + EVERY
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [KEY])
            self._leads = bool(cursor.fetchone()[0])
        self._connection = connection.connection
        if self._leads:
            log.info("this process leads")
