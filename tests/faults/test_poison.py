"""A match that kills every worker it meets is set aside, and the owners of its bots can read why."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from tests.factories import a_ladder, a_version
from tournaments.core.broker import queues
from tournaments.ledger.dispatch.leases import claim, renew_lease
from tournaments.ledger.dispatch.sweep import sweep_leases
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Match, MatchSet

pytestmark = pytest.mark.django_db


def kill_a_worker(played: MatchSet, worker: str) -> None:
    """It takes the order, begins the first match, and is not heard from again."""
    first, *_ = claim(match_set=played)
    assert renew_lease(match=first.pk, lease=first.lease, worker=worker)
    Match.objects.filter(lease_until__isnull=False).update(lease_until=F("lease_until") - timedelta(hours=1))
    queues.broker().flushdb()
    queues.note_epoch()
    assert sweep_leases() >= 1


def test_a_match_that_kills_every_worker_is_quarantined_with_the_reason_shown(client: Client, settings: Any) -> None:
    played = create_set(ladder=a_ladder(players=2), versions=[a_version().pk, a_version().pk])
    for number in range(settings.ATTEMPTS_BEFORE_QUARANTINE):
        kill_a_worker(played, f"host/{number}")
    first, second = played.matches.order_by("turn")
    assert (first.status, second.status) == ("quarantined", "waiting")
    client.force_login(first.seats.get(number=0).version.bot.owner)
    page = client.get(f"/matches/{first.pk}/").content.decode()
    assert "Set aside after too many failed attempts" in page
    for number in range(settings.ATTEMPTS_BEFORE_QUARANTINE):
        assert f"host/{number} began it and was not heard from again" in page
    assert claim(match_set=played) == [second]
