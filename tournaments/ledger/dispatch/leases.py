"""The lease of a match: taken before an order is sent, renewed by heartbeats, returned or expired.

Its number only grows (a fencing token); a report with an older one changes nothing.
Only the database's clock counts: a process with a fast clock would end leases that others have just renewed.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.expressions import Combinable
from django.db.models.functions import Now
from django.utils.crypto import constant_time_compare, salted_hmac

from engine.sentences import Sentence
from tournaments.core.broker.queues import note_leases_over
from tournaments.ledger.competitors.version_states import reject
from tournaments.ledger.dispatch import unplayable
from tournaments.ledger.dispatch.open_sets import UNDER_WAY
from tournaments.models import Attempt, Match, MatchSet
from tournaments.models.prepared_statements import run_prepared


def lease_secret(match: int, lease: int) -> str:
    """The secret in the order of that lease, known only to the worker that gets the order."""
    return salted_hmac("boardroom.lease", f"{match} {lease}", algorithm="sha256").hexdigest()


def knows_lease_secret(match: int, lease: int, secret: str) -> bool:
    """Whether this is the secret of that lease."""
    return constant_time_compare(lease_secret(match, lease), secret)


@transaction.atomic
def claim(*, match_set: MatchSet) -> list[Match]:
    """Lease the waiting matches of a set. Returns those that were still waiting."""
    waiting = Match.objects.filter(set=match_set, status=Match.Status.WAITING)
    chosen = list(waiting.select_for_update(skip_locked=True).values_list("pk", flat=True))
    until = _in(settings.LEASE_QUEUED)
    waiting.filter(pk__in=chosen).update(status=Match.Status.LEASED, lease=F("lease") + 1, lease_until=until)
    claimed = list(Match.objects.filter(pk__in=chosen).order_by("turn"))
    Attempt.objects.bulk_create(Attempt(match=match, lease=match.lease) for match in claimed)
    return claimed


@transaction.atomic
def renew_lease(*, match: int, lease: int, worker: str) -> bool:
    """Renew at a heartbeat. False if the lease is over, or if another worker plays under it.

    The latter happens when the broker redelivers an order that killed a worker: if it renewed the lease, the order
    could kill workers for ever.
    """
    leased = Match.objects.filter(pk=match, lease=lease, status=Match.Status.LEASED)
    if not leased.select_for_update().first():
        return False
    attempt = Attempt.objects.filter(match=match, lease=lease, worker__in=("", worker))
    if not attempt.update(outcome=Attempt.Outcome.PLAYING, worker=worker):
        return False
    return bool(leased.update(lease_until=_in(settings.LEASE_PLAYING)))


# Of what is in hand the first is begun. The others are known to be with the worker, and not charged should it die.
RENEW = """
WITH held AS (
    SELECT match.id, told.number
    FROM unnest(%s::bigint[], %s::int[]) WITH ORDINALITY AS told (match, lease, number)
    JOIN tournaments_match match ON match.id = told.match AND match.lease = told.lease AND match.status = 'leased'
    ORDER BY match.set_id, match.id
    FOR UPDATE OF match
), known AS (
    UPDATE tournaments_attempt attempt
    SET worker = %s, outcome = CASE WHEN held.number = 1 THEN 'playing' ELSE attempt.outcome END
    FROM held JOIN tournaments_match match ON match.id = held.id
    WHERE attempt.match_id = held.id AND attempt.lease = match.lease AND attempt.worker IN ('', %s)
    RETURNING attempt.match_id
)
UPDATE tournaments_match match SET lease_until = statement_timestamp() + make_interval(secs => %s)
FROM known WHERE match.id = known.match_id
RETURNING match.id
"""


def renew_in_hand(*, held: Sequence[tuple[int, int]], worker: str) -> set[int]:
    """Renew the leases, by match and number, of all that a worker has in hand. Returns the matches it did this for."""
    matches, leases = [match for match, _ in held], [lease for _, lease in held]
    return {match for (match,) in run_prepared(RENEW, [matches, leases, worker, worker, float(settings.LEASE_PLAYING)])}


def leases_over(held: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those leases, by match and number, that are over."""
    matches = Match.objects.filter(pk__in=[match for match, _ in held], status=Match.Status.LEASED)
    under_way = set(matches.values_list("pk", "lease"))
    return [lease for lease in held if lease not in under_way]


@transaction.atomic
def release(*, match: Match, outcome: Attempt.Outcome, reason: str, failed: bool, worker: str = "") -> None:
    """End the lease of a match that is locked: it waits again, or is quarantined if it has failed too often."""
    end_attempt(match=match, outcome=outcome, reason=reason, failed=failed, worker=worker)
    note_leases_over([(match.pk, match.lease)])
    match.status, match.lease_until = Match.Status.WAITING, None
    failures = match.attempts.filter(failed=True, lease__gt=match.forgiven).count()
    if failures >= settings.ATTEMPTS_BEFORE_QUARANTINE:
        match.status = Match.Status.QUARANTINED
    match.save(update_fields=["status", "lease_until"])
    if match.status == Match.Status.QUARANTINED:
        failed_how = Sentence(
            "match %(match)s could not be played in %(failures)s attempts; the last: %(text)s",
            match=match.pk,
            failures=failures,
            text=reason,
        )
        _set_aside(match, failed_how)


def _set_aside(match: Match, reason: str) -> None:
    """A set that counts stays open until the cause is known: cancelling it would let a loser escape."""
    match_set = MatchSet.objects.get(pk=match.set_id)  # `match` may come with a part of it
    if unplayable.somebody_could_gain(match_set):
        unplayable.find_cause(match)
    else:
        cancel(match_set=match_set, reason=reason)


def end_attempt(*, match: Match, outcome: Attempt.Outcome, reason: str = "", failed: bool = False, worker: str) -> None:
    match.attempts.filter(lease=match.lease).update(
        outcome=outcome, reason=reason, failed=failed, worker=worker or F("worker"), ended_at=Now()
    )


@transaction.atomic
def cancel(*, match_set: MatchSet, reason: str) -> None:
    """End an open set without a rating; its other matches will not be played."""
    fields = ("status", "lease", "set", "set__status")
    matches = Match.objects.filter(set=match_set.pk).select_related("set").only(*fields).order_by("pk")
    locked = list(matches.select_for_update(of=("self", "set")))  # in the order in which recorders lock
    if not MatchSet.objects.filter(pk=match_set.pk, status=MatchSet.Status.OPEN).update(
        status=MatchSet.Status.CANCELLED, reason=reason, ended_at=Now()
    ):
        return
    Attempt.objects.filter(match__set=match_set, outcome__in=UNDER_WAY).update(
        outcome=Attempt.Outcome.EXPIRED, reason=Sentence("its set was cancelled"), ended_at=Now()
    )
    left = Match.objects.filter(set=match_set, status__in=(Match.Status.WAITING, Match.Status.LEASED))
    left.update(status=Match.Status.CANCELLED, lease_until=None)
    note_leases_over((match.pk, match.lease) for match in locked if match.status == Match.Status.LEASED)
    if match_set.checks:
        sentence = "The platform could not play the check, which is not your bot's doing: %(why)s"
        reject(version=match_set.checks, report=Sentence(sentence, why=reason))


def _in(seconds: float) -> Combinable:
    return Now() + timedelta(seconds=seconds)
