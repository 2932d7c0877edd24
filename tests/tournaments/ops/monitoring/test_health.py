"""/healthz and /readyz, and what each part says when it is away."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client, RequestFactory
from redis import Redis

from tests.tournaments.ops.launcher.processes import until
from tournaments.core.broker import heartbeats
from tournaments.ops.dispatcher import lead_until_stopped
from tournaments.ops.monitoring import health
from tournaments.ops.monitoring.endpoints import Readiness
from workers.process_heartbeats import OnlineProcess, ProcessHeartbeats

NOBODY = {
    "database": True,
    "migrations": True,
    "broker": True,
    "dispatcher": False,
    "delivery": False,
    "recorder": False,
    "workers": False,
    "practices": True,
    "live": True,
}


def ask(path: str = "/readyz", **headers: str) -> tuple[int, dict[str, Any]]:
    answer = Client().get(path, headers=headers)
    return answer.status_code, json.loads(answer.content)


def verdicts() -> dict[str, bool]:
    return {part.name: part.well for part in health.check_health()}


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes the database go away."""

    def cursor(*_: object) -> None:
        raise OperationalError("connection to 10.0.0.7 failed: password of boardroom")

    return lambda: monkeypatch.setattr(connection, "cursor", cursor)


def test_healthz_asks_neither_database_nor_broker(settings: Any, gone: Callable[[], None]) -> None:
    gone()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert ask("/healthz")[0] == 200


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_load_balancer_need_not_know_the_sites_name(path: str, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert ask(path, Host="10.0.0.7:8000")[0] in (200, 503)


@pytest.mark.django_db
def test_while_nobody_works_each_part_says_so(broker: Redis) -> None:
    status, answer = ask()
    assert status == 503
    assert answer["status"] == "failing"
    assert {name: part["ok"] for name, part in answer["parts"].items()} == NOBODY
    assert answer["parts"]["dispatcher"]["detail"] == "No dispatcher leads: run manage.py dispatch."


@pytest.mark.django_db
def test_parts_that_may_be_away_are_left_out_of_the_verdict(broker: Redis) -> None:
    status, answer = ask("/readyz?exclude=dispatcher&exclude=delivery&exclude=recorder&exclude=workers")
    assert (status, answer["parts"].keys()) == (200, {"database", "migrations", "broker", "practices", "live"})


def test_a_part_that_is_none_is_refused_in_a_sentence() -> None:
    status, answer = ask("/readyz?exclude=everything")
    assert (status, answer["code"]) == (400, "unknown_part")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_nothing_can_be_posted_to_these_doors(path: str) -> None:
    assert Client().post(path).status_code == 405


@pytest.mark.django_db(transaction=True)
def test_all_is_well_while_everybody_works(broker: Redis) -> None:
    """The dispatcher is a real one; the others give the signs that real ones give."""
    for loop in ("recorder", "delivery"):
        heartbeats.Heartbeats(site.REDIS_URL, loop).send()
    presence, stop = ProcessHeartbeats(site.REDIS_URL, OnlineProcess.of("den", "t", ["python"])), threading.Event()

    def lead() -> None:
        lead_until_stopped(stop)
        connection.close()

    dispatcher = threading.Thread(target=lead)
    dispatcher.start()
    try:
        until(lambda: all(verdicts().values()), what=f"readiness of all parts, not {verdicts()}")
    finally:
        stop.set()
        dispatcher.join()
        presence.end()
    until(lambda: not verdicts()["dispatcher"], what="the end of its lead")


@pytest.mark.django_db
def test_a_missing_migration_is_told(broker: Redis) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'tournaments' AND name = '0001_initial'")
    assert [part.says for part in health.check_health() if part.name == "migrations"] == [
        "1 migrations are missing: run manage.py migrate."
    ]


def test_a_database_that_is_away_is_told_and_nothing_of_it(gone: Callable[[], None]) -> None:
    gone()
    sentences = [part.says for part in health.check_health()]
    assert sentences[:2] == ["The database does not answer.", "Not known while the database does not answer."]
    assert not any(secret in " ".join(sentences) for secret in ("10.0.0.7", "boardroom", "password"))


@pytest.mark.django_db
def test_a_broker_that_is_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "impatient_broker", lambda: Redis.from_url("redis://127.0.0.1:1/0"))
    assert [name for name, well in verdicts().items() if well] == ["database", "migrations", "live"]


def test_who_asks_often_has_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([[health.HealthPart("database", well=True, says="")]])
    monkeypatch.setattr(health, "check_health", lambda: next(looks))  # there is no second one
    door = Readiness()
    assert {door(RequestFactory().get("/readyz")).status_code for _ in range(50)} == {200}


def test_a_container_asks_for_the_process_of_its_own_host(broker: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", site.REDIS_URL)
    assert "No recorder of" in heartbeats.main("recorder")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr("socket.gethostname", lambda: "another-host")
        heartbeats.Heartbeats(site.REDIS_URL, "recorder").send()
    assert "No recorder of" in heartbeats.main("recorder")
    heartbeats.Heartbeats(site.REDIS_URL, "recorder").send()
    assert heartbeats.main("recorder") == ""
    assert "No dispatcher of" in heartbeats.main("dispatcher")


@pytest.mark.django_db
def test_the_command_says_the_same_with_an_exit_code(broker: Redis, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command("health")
    assert "FAILS  workers     No match worker is here." in capsys.readouterr().out
    call_command("health", exclude=["dispatcher", "delivery", "recorder", "workers"])
