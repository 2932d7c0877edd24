"""The leader is the dispatcher that holds an advisory lock. The lock ends with the database session, and so does the
leader's right to write."""

import logging

from django.db import connection

LEADER = 7_000  # the advisory lock
LEADS = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND classid = 0 AND objid = %s AND granted AND datname = current_database()
"""

log = logging.getLogger(__name__)


def take_lead() -> bool:
    """Whether this process leads from now on."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LEADER])
        leads = bool(cursor.fetchone()[0])
    if leads:
        log.info("this process leads")
    return leads


def somebody_leads() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(LEADS, [LEADER])
        return bool(cursor.fetchone()[0])
