"""The rank of a few versions, without the whole table."""

from collections.abc import Collection

from django.db import connection

QUERY = """
SELECT fit.ladder_id, (line ->> 'version')::bigint, (line ->> 'rank')::integer
FROM tournaments_fit fit, jsonb_array_elements(fit.rows) line
WHERE fit.ladder_id = ANY(%s) AND (line ->> 'version')::bigint = ANY(%s) AND (line ->> 'sets')::integer > 0
"""


def ranks(ladders: Collection[int], versions: Collection[int]) -> dict[tuple[int, int], int]:
    """Return the ranks by (ladder, version), as the last fit had them, by one query."""
    with connection.cursor() as cursor:
        cursor.execute(QUERY, [list(ladders), list(versions)])
        return {(ladder, version): rank for ladder, version, rank in cursor.fetchall()}
