"""Counters read from the ledger; the cost is that of its last minutes, however long it is.

A process counts all of it once. From then on it adds the new rows, and counts again only those so young that an open
transaction may still add others of their time.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock

from django.db import connection
from django.utils import timezone

SETTLED = timedelta(minutes=5)
BEGINNING = datetime.fromtimestamp(0, tz=timezone.get_fixed_timezone(0))


@dataclass
class Totals:
    """`sql` returns label and number for rows from %(since)s to before %(until)s."""

    sql: str
    counted: Counter[str] = field(default_factory=Counter)
    up_to: datetime = BEGINNING
    lock: Lock = field(default_factory=Lock)

    def read(self) -> Counter[str]:
        with self.lock:
            now = timezone.now()
            settled = now - SETTLED
            if settled > self.up_to:
                self.counted += self._between(self.up_to, settled)
                self.up_to = settled
            return self.counted + self._between(self.up_to, now + SETTLED)

    def _between(self, since: datetime, until: datetime) -> Counter[str]:
        with connection.cursor() as cursor:
            cursor.execute(self.sql, {"since": since, "until": until, "beginning": BEGINNING})
            return Counter(dict(cursor.fetchall()))


RESULTS = """
    SELECT tier, count(*) FROM tournaments_result
    WHERE recorded_at >= %(since)s AND recorded_at < %(until)s GROUP BY tier
"""
# An attempt whose report came too late counts as expired. Attempts that retention has deleted are added to the
# beginning, in the same statement, so that they count once.
ATTEMPTS = """
    SELECT outcome, sum(number)::bigint FROM (
        SELECT CASE WHEN outcome = 'refused' AND reason LIKE '%%; then its report came, %%' THEN 'expired'
                    ELSE outcome END AS outcome, count(*) AS number
        FROM tournaments_attempt WHERE ended_at >= %(since)s AND ended_at < %(until)s GROUP BY 1
        UNION ALL
        SELECT substr(what, 10), count FROM tournaments_upkeep
        WHERE what LIKE 'attempts.%%' AND %(since)s = %(beginning)s
    ) AS counted GROUP BY outcome
"""
FAULTS = """
    SELECT fault.verdict, count(*) FROM tournaments_faultevidence AS fault
    JOIN tournaments_seat AS seat ON seat.id = fault.seat_id
    JOIN tournaments_result AS result ON result.match_id = seat.match_id
    WHERE result.recorded_at >= %(since)s AND result.recorded_at < %(until)s GROUP BY fault.verdict
"""
