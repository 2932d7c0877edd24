"""Rows that belong to people and that a page can change, and whether any of them was written."""

from django.db import connection
from django.db.models import Model

from tournaments.models import (
    ApiToken,
    Appeal,
    Bot,
    Draft,
    Entrant,
    Entry,
    MatchSet,
    Membership,
    Practice,
    Team,
    User,
    Version,
    Webhook,
)

OWNED: list[tuple[type[Model], str]] = [  # all that belongs to people and that a page can change
    (Entry, "status"),
    (Entrant, "status"),
    (Version, "status"),
    (Bot, "gate"),
    (Bot, "gate_test"),
    (Bot, "named_at"),
    (Bot, "about"),
    (Bot, "motto"),
    (Bot, "team_id"),
    (Team, "about"),
    (Membership, "role"),
    (User, "about"),
    (ApiToken, "name"),
    (Webhook, "url"),
    (MatchSet, "asked_by_id"),
    (Practice, "status"),
    (Practice, "share_key"),
    (Practice, "invite_key"),
    (Draft, "source"),
    (Appeal, "text"),
]
READ_OWNED = " UNION ALL ".join(
    f"SELECT '{model.__name__}.{column}', id, {column}::text FROM {model._meta.db_table}"  # noqa: S608  names of ours
    for model, column in OWNED
)
OWNED_TABLES = sorted({model._meta.db_table for model, _ in OWNED})
# Of this transaction: quicker by far than to read what they hold, which is only read where there is something.
ROWS_WRITTEN = """SELECT sum(pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid)
    + pg_stat_get_xact_tuples_deleted(oid)) FROM pg_class WHERE oid = ANY(%s::regclass[])"""


def owned() -> list[object]:
    with connection.cursor() as cursor:
        cursor.execute(READ_OWNED)
        return sorted(cursor.fetchall(), key=repr)


def written() -> int:
    """How many rows of those tables this transaction has written so far, also those that it took back."""
    with connection.cursor() as cursor:
        cursor.execute(ROWS_WRITTEN, [OWNED_TABLES])
        return int(cursor.fetchone()[0])
