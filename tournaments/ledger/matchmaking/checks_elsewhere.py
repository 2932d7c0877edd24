"""A check of an upload that went wrong at one worker is played by another, where there is one.

A worker may say that time ran out, or send reports that do not hold. So a version is refused only once two workers have
seen its check fail, and it passes at the first that sees it pass.
"""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, QuerySet

from engine.sentences import Sentence
from tournaments.core.broker.available_workers import CHOSEN, AvailableWorkers
from tournaments.ledger.dispatch.leases import lease_secret
from tournaments.models import Attempt, Match, MatchSet, Worker
from workers.process_heartbeats import OnlineProcess

Outcome = Attempt.Outcome
UNCONFIRMED = Sentence("the check failed here; that counts once another worker has seen it")


def wrong_attempts() -> QuerySet[Attempt]:
    """Return the attempts after which others are asked."""
    return Attempt.objects.filter(outcome__in=(Outcome.VOID, Outcome.EXPIRED, Outcome.REFUSED)).exclude(worker="")


def gone_wrong() -> QuerySet[Match]:
    """Return the matches of checks that went wrong at a worker, and wait."""
    waiting = Match.objects.filter(status=Match.Status.WAITING, set__line="check", set__status=MatchSet.Status.OPEN)
    wrong = Exists(wrong_attempts().filter(match=OuterRef("pk")))
    return waiting.filter(wrong).select_related("set__space", "set__checks")


def others(match: Match, online: AvailableWorkers, besides: Collection[str] = ()) -> list[OnlineProcess]:
    """Return the workers that can play a check and where it has not gone wrong; by name, without those `besides`."""
    check, space = match.set, match.set.space.slug if match.set.space else ""
    pool = "" if online.takes_sites(space) else space
    able = online.able(check.game, check.rules, [check.checks.need], pool) if check.checks else []
    tried = wrong_attempts().filter(match=match).values_list("worker", flat=True)
    names = {worker.proven for worker in able} - {worker.partition("/")[0] for worker in tried} - {*besides}
    heard_of = set(Worker.objects.filter(name__in=names).values_list("name", flat=True))
    return sorted((worker for worker in able if worker.proven in heard_of), key=str)


def is_unconfirmed(match: int, worker: str) -> bool:
    """Return whether a check that fails at this worker has at no other yet, and there is another that can play it."""
    failures = wrong_attempts().filter(match=match, reason=UNCONFIRMED).exclude(worker__startswith=f"{worker}/")
    check = Match.objects.select_related("set__space", "set__checks").get(pk=match)
    return not failures.exists() and bool(others(check, AvailableWorkers.here(), {worker}))


def send_elsewhere(match: Match, online: AvailableWorkers) -> int:
    """Draw a worker for a check that went wrong; where there is no other, any may play it. Returns how many changed."""
    workers = others(match, online)
    lot = int(lease_secret(match.pk, match.lease)[:8], 16)  # the same until it is sent once more
    needs = CHOSEN + workers[lot % len(workers)].name if workers else ""
    if needs == match.set.needs or not (needs or match.set.needs.startswith(CHOSEN)):
        return 0
    return MatchSet.objects.filter(pk=match.set_id).update(needs=needs)
