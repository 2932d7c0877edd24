"""A limit for each database statement of the site."""

from typing import Any

from django.db.backends.signals import connection_created

LONGEST = 30_000  # milliseconds that one statement may take: a thread of the site waits for it


def bound(connection: Any, **_: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, false)", [str(LONGEST)])


def bound_every_connection() -> None:
    """Apply it to all connections that this process opens from now on."""
    connection_created.connect(bound, dispatch_uid="statements of the site")
