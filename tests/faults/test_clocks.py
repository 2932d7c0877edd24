"""No clock but the database's decides over a lease: those of the processes may be wrong."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import a_ladder, a_version
from tournaments.core.broker import queues
from tournaments.ledger.dispatch.leases import claim, release, renew_lease
from tournaments.ledger.dispatch.orders import dispatch
from tournaments.ledger.dispatch.sweep import sweep_leases
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Attempt, Match, MatchSet

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[-600, 600], ids=["ten minutes late", "ten minutes early"])
def wrong_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    queues.broker().flushdb()
    queues.note_epoch()
    right = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: right() + timedelta(seconds=request.param))
    yield
    queues.broker().flushdb()


def a_set() -> MatchSet:
    return create_set(ladder=a_ladder(players=2), versions=[a_version().pk, a_version().pk])


def test_a_live_lease_is_not_taken_back_and_a_dead_one_is(wrong_clock: None) -> None:
    played = a_set()
    first, second = claim(match_set=played)
    assert renew_lease(match=first.pk, lease=1, worker="a worker")
    assert sweep_leases() == 0
    Match.objects.filter(pk=second.pk).update(lease_until="2001-01-01T00:00:00Z")
    assert sweep_leases() == 1
    assert list(played.matches.order_by("turn").values_list("status", flat=True)) == ["leased", "waiting"]


def test_a_match_that_failed_waits_no_longer_than_its_pause(wrong_clock: None) -> None:
    played = a_set()
    for match in claim(match_set=played):
        release(match=match, outcome=Attempt.Outcome.VOID, reason="test", failed=True)
    assert dispatch() == 0
    Attempt.objects.filter(match__set=played).update(ended_at="2001-01-01T00:00:00Z")
    assert dispatch() == 1
