"""Until the database has the tables of this release, every request is answered that the site is starting."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from django.db import Error, connection
from django.db.backends.signals import connection_created

from tournaments.core.schema_release import schema_tables
from tournaments.web.server.asgi_types import Scope, Send, send_whole
from tournaments.web.server.starting_page import STATUS, starting_answer

LONGEST = 30_000  # milliseconds that one statement may take: a thread of the site waits for it
FRESH = 0.25  # seconds for which a look at the database counts
FREE = ("/healthz", "/readyz", "/metrics")  # they need no table, or say themselves what is amiss


@dataclass(slots=True)
class DatabaseGate:
    """Open for good once the tables are there: what happens to the database later is told by whoever meets it."""

    is_open: bool = False
    due: float = 0.0  # when the database is looked at next
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def lets_in(self, scope: Scope) -> bool:
        if scope["path"] in FREE:
            return True
        if not self.is_open:
            await self._look()
        return self.is_open

    async def _look(self) -> None:
        """One request looks, the others wait for what it finds."""
        async with self.lock:
            if not self.is_open and time.monotonic() >= self.due:
                self.is_open = await asyncio.to_thread(has_tables)
                self.due = time.monotonic() + FRESH


async def send_starting(scope: Scope, send: Send) -> None:
    headers, body = starting_answer(scope["path"])
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send_whole(send, STATUS, pairs, body)


def has_tables() -> bool:
    try:
        return not schema_tables().missing
    except Error:
        return False
    finally:
        connection.close()  # of a thread that is not seen again


def bound_statements(connection: Any, **_: object) -> None:
    """Limit the time of each statement of a new connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, false)", [str(LONGEST)])


def bound_every_connection() -> None:
    """Apply it to all connections that this process opens from now on."""
    connection_created.connect(bound_statements, dispatch_uid="statements of the site")
