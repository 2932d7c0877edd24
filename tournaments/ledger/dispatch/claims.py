"""Claiming many sets at once: one statement leases their waiting matches and returns their seats."""

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.conf import settings

from tournaments.models.prepared_statements import run_prepared

CLAIM = """
WITH waiting AS (
    SELECT id FROM tournaments_match WHERE set_id = ANY(%s::bigint[]) AND status = 'waiting'
    ORDER BY id FOR UPDATE SKIP LOCKED
), leased AS (
    UPDATE tournaments_match AS match
    SET status = 'leased', lease = lease + 1, lease_until = statement_timestamp() + make_interval(secs => %s)
    FROM waiting WHERE match.id = waiting.id RETURNING match.id, match.set_id, match.turn, match.lease
), sent AS (
    INSERT INTO tournaments_attempt (match_id, lease, worker, outcome, reason, failed, sent_at)
    SELECT id, lease, '', 'sent', '', false, statement_timestamp() FROM leased
)
SELECT leased.set_id, leased.id, leased.lease, seat.version_id, seat.withdrawn OR bundle.size = 0,
    bot.name, version.number, version.bundle_id, version.filename
FROM leased
JOIN tournaments_seat AS seat ON seat.match_id = leased.id
JOIN tournaments_version AS version ON version.id = seat.version_id
JOIN tournaments_bundle AS bundle ON bundle.sha256 = version.bundle_id
JOIN tournaments_bot AS bot ON bot.id = version.bot_id
ORDER BY leased.set_id, leased.turn, leased.id, seat.number
"""


class LeasedSeat(NamedTuple):
    """A seat of a match that was just leased."""

    set: int
    match: int
    lease: int
    version: int
    withdrawn: bool  # or its bundle was erased
    bot: str
    number: int  # of the version
    bundle: str
    filename: str


def claim_all(sets: Iterable[int]) -> dict[int, list[LeasedSeat]]:
    """Lease what waits of these sets. Returns the seats of each that had a match waiting, in the order of play."""
    seats = map(LeasedSeat._make, run_prepared(CLAIM, [list(sets), float(settings.LEASE_QUEUED)]))
    return {number: list(of_set) for number, of_set in groupby(seats, attrgetter("set"))}
