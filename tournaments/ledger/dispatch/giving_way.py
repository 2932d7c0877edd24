"""Checks that take turns make way for one that comes first and would wait for long."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.ledger.dispatch.check_turns import count_check, owners_over_budget
from tournaments.ledger.dispatch.fair_share import CHECK
from tournaments.ledger.dispatch.leases import release
from tournaments.ledger.dispatch.waiting_sets import first_waits
from tournaments.models import Attempt, Match
from tournaments.models.prepared_statements import run_prepared
from workers.isolation import handle_each

PATIENCE = timedelta(seconds=4)
OPEN_CHECKS = "SELECT id FROM tournaments_matchset WHERE line = %s AND status = 'open' LIMIT 1"


def make_way(online: AvailableWorkers) -> int:
    """Give back the checks that take turns and are with the site's workers, if need be. Returns how many."""
    if not run_prepared(OPEN_CHECKS, [CHECK]) or not first_waits(online, PATIENCE):
        return 0
    held = Match.objects.filter(set__line=CHECK, set__at_own=False, status=Match.Status.LEASED)
    return handle_each(
        "leases", held.filter(set__checks__bot__owner__in=owners_over_budget()), _give_back, FAILING_ITEMS, item_name
    )


@transaction.atomic
def _give_back(held: Match) -> int:
    """The time that it took counts."""
    locked = Match.objects.select_for_update(of=("self", "set")).select_related("set")
    match = locked.filter(pk=held.pk, lease=held.lease, status=Match.Status.LEASED).first()
    if match is None or not match.set.checks_id:
        return 0
    attempt = match.attempts.get(lease=match.lease)
    reason = Sentence("checks of others came first")
    release(match=match, outcome=Attempt.Outcome.RETURNED, reason=reason, failed=False)
    if attempt.outcome == Attempt.Outcome.PLAYING:
        count_check(match.set.checks_id, (timezone.now() - attempt.sent_at).total_seconds(), attempt.worker)
    return 1
