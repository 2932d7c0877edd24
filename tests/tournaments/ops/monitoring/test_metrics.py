"""/metrics: who may read it, and that its numbers are those of the ledger and of the queues."""

from datetime import timedelta
from typing import Any

import pytest
from celery import Celery
from django.conf import settings as site
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from engine.referee import Verdict
from tests.factories import a_completed_set, a_ladder, a_version
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.sweep import sweep_leases
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.matchmaking.spot_checks import play_match_again
from tournaments.models import Attempt, Match, MatchSet, Result, Upkeep
from tournaments.ops.monitoring import metrics
from tournaments.ops.monitoring.broker_metrics import age, read_hash
from tournaments.ops.monitoring.counters import ATTEMPTS, RESULTS, SETTLED, Totals
from tournaments.ops.monitoring.request_metrics import REQUESTS, Traffic
from workers.broker import address
from workers.orders import RECORD, REPORTS

Numbers = dict[tuple[str, ...], float]


def scrape() -> Numbers:
    """The samples by name and values of labels."""
    families = text_string_to_metric_families(metrics.metrics_text().decode())
    return {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}


def status(**headers: str) -> int:
    return Client().get("/metrics", headers=headers).status_code


@pytest.mark.django_db
def test_without_a_token_metrics_are_for_this_very_machine(broker: Redis, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert status() == 200
    assert Client(REMOTE_ADDR="10.0.0.7").get("/metrics").status_code == 404
    assert Client(REMOTE_ADDR="").get("/metrics").status_code == 404


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_a_proxy_of_this_machine_is_not_this_machine(header: str, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert status(**{header: "127.0.0.1"}) == 404


@pytest.mark.django_db
def test_with_a_token_metrics_are_for_whoever_has_it(broker: Redis, settings: Any) -> None:
    settings.METRICS_TOKEN = "let me see"
    assert status(Authorization="Bearer let me see", X_Forwarded_For="10.0.0.7") == 200
    assert status() == status(Authorization="Bearer let me") == status(Authorization="let me see") == 403
    assert status(Authorization="Bearer l\u00e9t me see") == 403


@pytest.mark.django_db
def test_what_is_recorded_is_counted_by_tier_outcome_and_verdict(broker: Redis) -> None:
    before, ladder = scrape(), a_ladder()
    versions = [a_version() for _ in range(3)]
    a_completed_set(ladder, versions, faults={versions[0].pk: Verdict.CRASHED})
    after = scrape()

    def more(*sample: str) -> float:
        return after[sample] - before.get(sample, 0)

    assert more("boardroom_results_total", "none") == more("boardroom_attempts_total", "recorded") == 6
    assert more("boardroom_faults_total", "crashed") == 3
    assert after["boardroom_matches_last_minute",] >= 6


@pytest.mark.django_db
def test_what_waits_is_told_by_kind_and_ladder_with_its_age(broker: Redis) -> None:
    ladder = a_ladder("arena")
    waiting = create_set(ladder=ladder, versions=[a_version().pk for _ in range(3)])
    MatchSet.objects.filter(pk=waiting.pk).update(created_at=timezone.now() - timedelta(minutes=10))
    numbers = scrape()
    assert numbers["boardroom_queue_sets", "ladder", "arena", ""] == 1
    assert 600 <= numbers["boardroom_queue_age_seconds", "ladder", "arena", ""] < 660
    assert numbers["boardroom_matches", "waiting"] == 3
    playing = claim(match_set=waiting)[0]
    playing.attempts.update(outcome=Attempt.Outcome.PLAYING)
    assert ("boardroom_queue_sets", "ladder", "arena", "") not in scrape()


@pytest.mark.django_db
def test_spot_checks_are_counted_by_what_they_showed(broker: Redis) -> None:
    ladder = a_ladder()
    match = a_completed_set(ladder, [a_version() for _ in range(3)]).matches.all()[0]
    for reason in ("confirmed", "different", "time ran out in it, which says nothing", ""):
        play_match_again(match)
        MatchSet.objects.filter(status="open").update(status="complete", reason=reason, ended_at=timezone.now())
    counts = {sample[1]: value for sample, value in scrape().items() if sample[0] == "boardroom_spot_checks_total"}
    assert counts == {"confirmed": 1, "different": 1, "nothing": 1}


@pytest.mark.django_db
def test_an_expired_lease_is_counted_and_stays_so_when_its_report_comes_late(broker: Redis) -> None:
    attempts = Totals(ATTEMPTS)
    match = claim(match_set=create_set(ladder=a_ladder(), versions=[a_version().pk for _ in range(3)]))[0]
    before = attempts.read()["expired"]
    Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - timedelta(hours=1))
    assert scrape()["boardroom_lease_overdue_seconds",] >= 3600
    assert sweep_leases() == 1
    assert attempts.read()["expired"] == before + 1
    match.attempts.update(outcome=Attempt.Outcome.REFUSED, reason="no word; then its report came, refused: late")
    assert attempts.read()["expired"] == before + 1


@pytest.mark.django_db
def test_totals_count_all_once_and_then_only_what_is_new() -> None:
    versions = [a_version() for _ in range(3)]
    a_completed_set(a_ladder(), versions)
    Result.objects.update(recorded_at=timezone.now() - 2 * SETTLED)
    totals = Totals(RESULTS)
    assert totals.read()["none"] == Result.objects.count() == 6
    Result.objects.filter(match__set__checks__isnull=False).delete()  # counted, and not looked at again
    a_completed_set(a_ladder(), versions)
    assert totals.read()["none"] == totals.read()["none"] == 9


@pytest.mark.django_db
def test_attempts_that_were_forgotten_are_still_counted() -> None:
    Upkeep.objects.create(what="attempts.void", count=40)
    assert Totals(ATTEMPTS).read()["void"] == 40
    totals = Totals(ATTEMPTS)
    assert totals.read()["void"] == totals.read()["void"] == 40


@pytest.mark.django_db
def test_reports_that_wait_are_counted_and_the_oldest_tells_its_age(broker: Redis) -> None:
    sender = Celery(broker=address(site.REDIS_URL), set_as_current=False)
    for seconds in (30, 10):
        sent = {"sent_at": timezone.now().timestamp() - seconds}
        sender.send_task(RECORD, [{}], queue=REPORTS, headers=sent)
    numbers = scrape()
    assert numbers["boardroom_reports_waiting",] == numbers["boardroom_broker_messages", REPORTS] == 2
    assert 30 <= numbers["boardroom_reports_age_seconds",] < 60


@pytest.mark.parametrize("message", ["", "{}", "[]", "null", '{"headers": {"sent_at": "soon"}}', '{"headers": 7}'])
def test_a_message_without_a_time_has_no_age(message: str, broker: Redis) -> None:
    broker.rpush("reports", message)
    assert age(broker, "reports") == 0


@pytest.mark.django_db
def test_requests_are_counted_by_route_and_status_and_nobody_can_make_up_names(broker: Redis) -> None:
    visitor = Client()
    for path in ("/sign-in/", "/nowhere/", "/nowhere/else/", "/bots/1/", "/bots/2/"):
        visitor.get(path)
    visitor.generic("MADEUP", "/sign-in/")
    traffic = Traffic(site.REDIS_URL)
    traffic.add("GET 200 /x", 0.25)
    counted = read_hash(broker, REQUESTS)
    assert counted["GET 200 /x"] == 1
    assert {name.split(" ", 2)[2] for name in counted} <= {"/x", "-", "/sign-in/", "/bots/<int:number>/"}
    assert scrape()["boardroom_http_request_seconds_total", "GET", "/x", "200"] == 0.25


@pytest.mark.django_db
def test_words_where_numbers_belong_cost_the_brokers_numbers_and_not_the_answer(broker: Redis) -> None:
    broker.hset(REQUESTS, "GET 200 /", "many")
    numbers = scrape()
    assert ("boardroom_reports_waiting",) not in numbers
    assert numbers["boardroom_up", "database"] == 1


@pytest.mark.django_db
def test_while_the_broker_is_away_the_ledger_still_tells_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tournaments.ops.monitoring.health.impatient_broker", lambda: Redis.from_url("redis://127.0.0.1:1/0")
    )
    numbers = scrape()
    assert numbers["boardroom_up", "broker"] == 0
    assert numbers["boardroom_matches", "waiting"] == 0
