"""What each report does to its match, what is said of it, and who hears of it."""

import logging
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from engine.records import to_plain
from engine.referee import Verdict
from tests.factories import a_bot, a_ladder, an_upload, hand_in, reports
from tournaments.core.broker import queues
from tournaments.ledger.dispatch.leases import claim, release
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.ordered_matches import matches_ordered
from tournaments.ledger.recording.reports import receive_report, record_report
from tournaments.models import Attempt, Event, Match, MatchSet, Notice, Version, Worker
from workers.orders import Outcome, Report

pytestmark = pytest.mark.django_db


def a_report(**changes: Any) -> Report:
    """A report of the one match of a check, played without a fault."""
    check = an_upload(a_bot()).check_set
    [report] = reports(order_of_set(check, claim(match_set=check)))
    return replace(report, **changes)


def match_of(report: Report) -> Match:
    return Match.objects.get(pk=report.match)


def test_what_is_refused_is_logged_and_what_is_recorded_is_not(caplog: pytest.LogCaptureFixture) -> None:
    report = to_plain(a_report())
    with caplog.at_level(logging.WARNING, logger="tournaments.ledger.recording.reports"):
        refused = receive_report(None)
        assert hand_in(report) == "recorded"
    assert [entry.getMessage() for entry in caplog.records] == [refused]


def test_a_report_that_no_site_of_this_version_reads_is_refused_by_its_version() -> None:
    assert record_report(a_report(version=99)).startswith("refused: a report of version 99; this site reads version ")


def test_of_a_worker_and_of_its_sandbox_as_much_is_kept_as_there_is_room_for() -> None:
    report = a_report(worker="w" * 130, tier="t" * 30)
    assert record_report(replace(report, outcome="playing", replay=b"")) == "noted"
    assert match_of(report).attempts.get().worker == "w" * 120
    assert record_report(report) == "recorded"
    assert (match_of(report).result.worker, match_of(report).result.tier) == ("w" * 120, "t" * 20)


def test_of_a_blocked_worker_too() -> None:
    report = a_report(worker=f"tester/{'w' * 130}")
    Worker.objects.create(name="tester", status=Worker.Status.BLOCKED)
    refused = "refused: the worker tester is blocked, and its reports are refused"
    assert hand_in(to_plain(replace(report, secret="another"))) == refused
    assert match_of(report).status == "leased"
    assert hand_in(to_plain(report)) == refused
    attempt = match_of(report).attempts.get()
    assert (match_of(report).status, attempt.failed, attempt.worker) == ("waiting", False, f"tester/{'w' * 113}")


@pytest.mark.parametrize(("outcome", "failed"), [("void", True), ("returned", False)])
def test_of_the_reason_for_giving_a_match_back_the_beginning_is_kept(outcome: Outcome, failed: bool) -> None:
    report = a_report(outcome=outcome, reason="x\0" + "y" * 2000)
    assert record_report(report) == "noted"
    attempt = match_of(report).attempts.get()
    assert (attempt.outcome, attempt.failed, attempt.reason) == (outcome, failed, "x\ufffd" + "y" * 1998)


def test_a_replay_that_does_not_hold_is_refused_with_the_reason_that_its_attempt_keeps() -> None:
    report = a_report(replay=b"no replay")
    refused = record_report(report)
    attempt = match_of(report).attempts.get()
    assert (refused, attempt.failed) == (f"refused: {attempt.reason}", True)
    assert (len(attempt.reason) > 20, match_of(report).status, attempt.outcome) == (True, "waiting", "refused")


@pytest.mark.parametrize(("outcome", "noted"), [("void", True), ("returned", False), ("played", True)])
def test_a_late_report_of_a_match_that_was_begun_is_noted_in_its_attempt(outcome: Outcome, noted: bool) -> None:
    report = a_report(outcome=outcome)
    release(match=match_of(report), outcome=Attempt.Outcome.EXPIRED, reason="silent", failed=True)
    refused = record_report(report)
    assert refused == f"refused: lease 1 of match {report.match} is over; it is waiting now, lease 1"
    attempt = match_of(report).attempts.get()
    late = ("refused", f"silent; then its report came, {refused}")
    assert (attempt.outcome, attempt.reason) == (late if noted else ("expired", "silent"))


def test_a_heartbeat_and_a_report_under_a_lease_of_another_are_refused() -> None:
    report = a_report()
    assert record_report(replace(report, worker="another/1", outcome="playing", replay=b"")) == "noted"
    number = report.match
    heartbeat = f"refused: a heartbeat by tester/1, which does not hold lease 1 of match {number}"
    assert record_report(replace(report, outcome="playing", replay=b"")) == heartbeat
    assert record_report(report) == f"refused: lease 1 of match {number} is held by another"
    assert record_report(replace(report, worker="another/2")) == "recorded"
    assert record_report(replace(report, worker="another/2")) == "already recorded"


def test_a_fault_is_told_to_the_bots_owner(django_capture_on_commit_callbacks: Any) -> None:
    versions = [an_upload(a_bot()) for _ in range(2)]
    played = create_set(ladder=a_ladder(players=2), versions=[version.pk for version in versions])
    order = order_of_set(played, claim(match_set=played))
    both = reports(order, faults={versions[0].pk: Verdict.CRASHED})
    topic = f"ladder {played.ladder and played.ladder.slug}"
    before = news(topic)
    with django_capture_on_commit_callbacks(execute=True):
        assert [record_report(report) for report in both] == ["recorded", "recorded"]
    [notice] = Notice.objects.filter(kind=Notice.Kind.FAULT)
    assert notice.user == Version.objects.get(pk=versions[0].pk).bot.owner
    assert news(topic) == before + 2
    played.refresh_from_db()
    assert played.status == "complete"


def news(topic: str) -> int:
    return int(queues.broker().hget(queues.CHANGED, topic) or 0)


def test_pages_of_the_ladder_and_of_the_event_have_news_of_a_match() -> None:
    check = a_report().match
    assert matches_ordered([check])[check].topics == ["site"]
    ladder = a_ladder("open", players=2)
    played = create_set(ladder=ladder, versions=[an_upload(a_bot()).pk for _ in range(2)])
    match = played.matches.first()
    assert match
    assert matches_ordered([match.pk])[match.pk].topics == ["site", "ladder open"]
    cup = Event.objects.create(slug="cup", title="Cup", ladder=ladder, spec={}, starts_at=timezone.now())
    MatchSet.objects.filter(pk=played.pk).update(event=cup, round=1, pairing="a", number=None)
    assert matches_ordered([match.pk])[match.pk].topics == ["site", "ladder open", "event cup"]
