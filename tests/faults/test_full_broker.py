"""A broker that is full: everything waits, says so, and goes on when there is room again."""

import pytest
from redis import Redis

from tests.faults.crew import Crew
from tests.faults.test_workers import assert_each_was_recorded_once, over, some_sets
from tournaments.models import Attempt
from tournaments.ops.launcher.valkey import most_memory
from tournaments.ops.monitoring import health

pytestmark = pytest.mark.django_db(transaction=True)


def test_while_the_broker_is_full_sets_wait_and_nothing_is_lost(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    with Redis.from_url(crew.broker.url) as redis:
        monkeypatch.setattr(health, "impatient_broker", lambda: redis)
        bounds = redis.config_get("maxmemory*")
        assert (bounds["maxmemory"], bounds["maxmemory-policy"]) == (str(most_memory()), "noeviction")
        crew.start("recorder", "dispatcher", "worker-1")
        some_sets(1)
        crew.until("a set", over)
        redis.config_set("maxmemory", 1)
        assert {part.says for part in health.check_health() if part.name == "broker"} == {
            "The broker is full: nothing is sent to workers until it has room."
        }
        some_sets(2)
        crew.until("the worker to be refused", lambda: crew.says("worker-1", "used memory > 'maxmemory'"))
        assert not over()
        redis.config_set("maxmemory", most_memory())
        crew.until("what waited", over)
        assert_each_was_recorded_once()
        assert not Attempt.objects.filter(failed=True).exists()
        assert all(part.well for part in health.check_health() if part.name == "broker")
