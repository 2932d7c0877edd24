"""Leases: one worker holds a match at a time, and whatever ends its lease says so in its attempt."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import a_bot, a_ladder, a_version, an_upload
from tournaments.core.broker.queues import broker
from tournaments.ledger.dispatch import unplayable
from tournaments.ledger.dispatch.leases import (
    cancel,
    claim,
    end_attempt,
    knows_lease_secret,
    lease_secret,
    release,
    renew_lease,
)
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Attempt, Match, MatchSet
from workers.orders import LEASE_KEY

pytestmark = pytest.mark.django_db
Outcome = Attempt.Outcome


def a_set() -> MatchSet:
    return create_set(ladder=a_ladder(players=2), versions=[a_version().pk, a_version().pk])


def a_check() -> MatchSet:
    """A set of one match."""
    return an_upload(a_bot()).check_set


def a_lease(match_set: MatchSet | None = None) -> Match:
    """The first match of a set, leased."""
    return claim(match_set=match_set or a_check())[0]


def attempts(match: Match) -> list[Any]:
    return list(match.attempts.order_by("lease").values_list("lease", "outcome", "worker", "reason", "failed"))


def seconds_left(match: Match) -> float:
    match.refresh_from_db()
    assert match.lease_until
    return (match.lease_until - timezone.now()).total_seconds()


def test_only_the_secret_of_a_lease_opens_it() -> None:
    assert knows_lease_secret(7, 1, lease_secret(7, 1))
    assert not any(
        knows_lease_secret(7, 1, secret) for secret in ("", lease_secret(7, 2), lease_secret(8, 1), lease_secret(71, 1))
    )


def test_what_waits_is_leased_once_in_the_order_of_its_turns(settings: Any) -> None:
    match_set = a_set()
    claimed = claim(match_set=match_set)
    assert [(match.turn, match.status, match.lease) for match in claimed] == [(0, "leased", 1), (1, "leased", 1)]
    assert [attempts(match) for match in claimed] == [[(1, "sent", "", "", False)]] * 2
    assert all(settings.LEASE_QUEUED - 10 < seconds_left(match) <= settings.LEASE_QUEUED for match in claimed)
    assert claim(match_set=match_set) == []


def test_matches_that_another_process_is_about_to_lease_are_not_waited_for() -> None:
    match_set = a_check()
    with CaptureQueriesContext(connection) as asked:
        claim(match_set=match_set)
    assert "SKIP LOCKED" in next(query["sql"] for query in asked if "FOR UPDATE" in query["sql"])


def test_the_worker_that_began_renews_and_no_other_worker_or_lease(settings: Any) -> None:
    match = a_lease()
    assert renew_lease(match=match.pk, lease=1, worker="ada/1") is True
    assert settings.LEASE_PLAYING - 10 < seconds_left(match) <= settings.LEASE_PLAYING
    assert attempts(match) == [(1, "playing", "ada/1", "", False)]
    Match.objects.filter(pk=match.pk).update(lease_until=timezone.now())
    before = Match.objects.get(pk=match.pk).lease_until
    refused = [(match.pk, 2, "ada/1"), (match.pk, 1, "bob/1"), (0, 1, "ada/1")]
    assert [renew_lease(match=pk, lease=lease, worker=worker) for pk, lease, worker in refused] == [False] * 3
    assert (Match.objects.get(pk=match.pk).lease_until, attempts(match)[0][2]) == (before, "ada/1")


def test_a_lease_that_is_released_waits_again_and_its_attempt_keeps_who_had_it() -> None:
    match = a_lease()
    renew_lease(match=match.pk, lease=1, worker="ada/1")
    release(match=match, outcome=Outcome.EXPIRED, reason="silent", failed=False)
    assert attempts(match) == [(1, "expired", "ada/1", "silent", False)]
    match.refresh_from_db()
    assert (match.status, match.lease, match.lease_until) == ("waiting", 1, None)
    [again, *_] = claim(match_set=match.set)
    release(match=again, outcome=Outcome.VOID, reason="stalled", failed=False, worker="bob/1")
    assert attempts(match)[1] == (2, "void", "bob/1", "stalled", False)


def test_an_attempt_ends_without_a_failure_unless_it_is_said_to_be_one() -> None:
    match = a_lease()
    end_attempt(match=match, outcome=Outcome.RECORDED, worker="ada/1")
    assert attempts(match) == [(1, "recorded", "ada/1", "", False)]
    assert match.attempts.get().ended_at is not None


def failed(match_set: MatchSet, times: int) -> Match:
    """Lease its first match and have it fail, again and again."""
    for _ in range(times):
        match = a_lease(match_set)
        release(match=match, outcome=Outcome.VOID, reason="the host stalled", failed=True)
    return Match.objects.get(pk=match.pk)


def test_a_match_is_set_aside_at_the_last_failure_that_it_is_granted(settings: Any) -> None:
    settings.ATTEMPTS_BEFORE_QUARANTINE = 2
    match_set = a_set()
    assert failed(match_set, 1).status == "waiting"
    release(match=a_lease(match_set), outcome=Outcome.EXPIRED, reason="a worker left", failed=False)
    assert Match.objects.get(set=match_set, turn=0).status == "waiting"
    match = failed(match_set, 1)
    match_set.refresh_from_db()
    assert (match.status, match.lease_until, match_set.status) == ("quarantined", None, "open")


def test_of_a_set_that_counts_the_cause_is_looked_for_and_nothing_is_cancelled(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ATTEMPTS_BEFORE_QUARANTINE = 1
    judged: list[Match] = []
    monkeypatch.setattr(unplayable, "find_cause", judged.append)  # what it finds is tested with suspects
    match_set = a_set()
    assert judged == [failed(match_set, 1)]
    match_set.refresh_from_db()
    assert match_set.status == "open"


def test_a_check_that_fails_too_often_is_cancelled_and_its_version_told_why(settings: Any) -> None:
    settings.ATTEMPTS_BEFORE_QUARANTINE = 1
    version = an_upload(a_bot())
    match = failed(version.check_set, 1)
    version.refresh_from_db()
    reason = f"match {match.pk} could not be played in 1 attempts; the last: the host stalled"
    assert (version.check_set.status, version.check_set.reason) == ("cancelled", reason)
    assert (version.status, version.report.endswith(f"which is not your bot's doing: {reason}")) == ("rejected", True)


def test_cancelling_ends_what_is_under_way_and_leaves_what_is_over() -> None:
    match_set = a_set()
    first, second = claim(match_set=match_set)
    end_attempt(match=first, outcome=Outcome.RECORDED, worker="ada/1")
    Match.objects.filter(pk=first.pk).update(status="done", lease_until=None)
    cancel(match_set=match_set, reason="test")
    match_set.refresh_from_db()
    assert (match_set.status, match_set.reason, match_set.ended_at is None) == ("cancelled", "test", False)
    assert [match.status for match in match_set.matches.order_by("turn")] == ["done", "cancelled"]
    assert [attempts(match)[0][1] for match in (first, second)] == ["recorded", "expired"]
    assert (attempts(second)[0][3], second.attempts.get().ended_at is None) == ("its set was cancelled", False)
    ended = match_set.ended_at
    MatchSet.objects.filter(pk=match_set.pk).update(ended_at=ended and ended - timedelta(days=1))
    cancel(match_set=match_set, reason="again")
    match_set.refresh_from_db()
    assert (match_set.reason, match_set.ended_at) == ("test", ended and ended - timedelta(days=1))


# --- what workers learn of it ---------------------------------------------------------------------------------------


def present(match: Match) -> int:
    """The number that a worker finds when it looks whether its lease is over."""
    return int(broker().get(LEASE_KEY.format(match.pk)) or 0)


def test_workers_learn_of_leases_that_are_cancelled_or_released(django_capture_on_commit_callbacks: Any) -> None:
    first, second = claim(match_set=a_set())
    released = a_lease()
    renew_lease(match=first.pk, lease=1, worker="ada/1")
    with django_capture_on_commit_callbacks(execute=True):
        cancel(match_set=first.set, reason="test")
        release(match=released, outcome=Outcome.EXPIRED, reason="test", failed=False)
    assert [present(match) for match in (first, second, released)] == [2, 2, 2]
    assert claim(match_set=released.set)[0].lease == 2  # the next one is not over


def test_what_is_rolled_back_is_not_told(django_capture_on_commit_callbacks: Any) -> None:
    match = a_lease()
    broker().delete(LEASE_KEY.format(match.pk))
    with django_capture_on_commit_callbacks(execute=True), suppress(ZeroDivisionError), transaction.atomic():
        cancel(match_set=match.set, reason="test")
        raise ZeroDivisionError
    assert present(match) == 0
