"""Which queues a worker reads, what it says of itself, and what follows from its silence."""

import os
from collections.abc import Iterator

import pytest
from redis import Redis

from engine.games import GAMES
from tests.workers.hall import own_database, until
from workers import process_heartbeats
from workers.orders import TAG, USED, queue_for, queues_for, reports_of, rules_of
from workers.practice_orders import PRACTICES
from workers.process_heartbeats import (
    FORGOTTEN,
    KEPT,
    MOST_HERE,
    RECORDERS,
    RESTING,
    WORKERS,
    News,
    OnlineProcess,
    ProcessHeartbeats,
    lapsed,
    present,
    queues_in_use,
)


@pytest.fixture
def redis() -> Iterator[Redis]:
    with Redis.from_url(own_database(os.environ["REDIS_URL"])) as redis:
        redis.flushdb()
        yield redis
        redis.flushdb()


@pytest.fixture
def address(redis: Redis) -> str:
    return own_database(os.environ["REDIS_URL"])


def says(redis: Redis, **ago: float) -> None:
    """Workers by name, each heard of so many seconds ago."""
    seconds, _ = redis.time()
    redis.zadd(WORKERS, {f"{name}/1 t python": int(seconds) - past for name, past in ago.items()})


def test_a_release_is_named_by_its_rules_of_every_game_and_its_contract() -> None:
    assert rules_of(TAG) == {game.name: game.version for game in GAMES.values()}
    assert rules_of("go-3,orders-3") == {"go": 3}
    assert rules_of("go-3,orders-9") == rules_of("go-3") == {}


def test_an_order_for_python_alone_goes_to_everybody_of_the_release() -> None:
    assert queue_for({"python"}) == f"matches:{TAG}"
    assert queue_for({"python"}, "older") == "matches:older"
    assert queues_for({"python"}) == [f"matches:{TAG}"]
    assert reports_of("older") == "reports:older"


def test_an_order_goes_where_all_of_its_languages_are() -> None:
    assert queue_for(["python", "javascript", "c", "c"]) == f"matches:{TAG}:c,javascript"


def test_a_worker_reads_a_queue_for_each_language_and_those_in_use_for_several_that_it_has() -> None:
    has = {"python", "c", "c++", "java"}
    assert queues_for(has) == [f"matches:{TAG}{end}" for end in ("", ":c", ":c++", ":java")]
    used = {queue_for(needs) for needs in (["c", "c++"], ["c", "go"], ["java"])} | {queue_for(["c", "java"], "older")}
    assert set(queues_for(has, used)) - set(queues_for(has)) == {queue_for(["c", "c++"])}
    assert PRACTICES in queues_for(has, used, PRACTICES)
    assert not any("matches" in queue for queue in queues_for(has, used, PRACTICES))


def test_with_many_languages_it_reads_few_queues() -> None:
    assert len(queues_for([f"language-{number}" for number in range(20)])) == 21


def test_a_worker_is_known_with_its_release_and_languages_from_its_start_to_its_end(redis: Redis, address: str) -> None:
    present_now = [OnlineProcess.of("host/0", "new", ["python"]), OnlineProcess.of("host/1", "old", ["python", "c"])]
    first, second = (ProcessHeartbeats(address, process) for process in present_now)
    until("both to be known", lambda: len(present(redis)) == 2)
    assert sorted(present(redis), key=str) == present_now
    assert present_now[0].proven == "host"
    second.end()
    assert present(redis) == present_now[:1]
    first.end()
    assert present(redis) == []


def test_recorders_are_known_apart(redis: Redis, address: str) -> None:
    recording = OnlineProcess.of("host/7", "old")
    recorder = ProcessHeartbeats(address, recording, key=RECORDERS)
    until("it to be known", lambda: present(redis, RECORDERS))
    assert ([process.tag for process in present(redis, RECORDERS)], present(redis)) == (["old"], [])
    recorder.end()


def test_a_worker_not_heard_of_for_a_while_is_gone(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_heartbeats, "_uptime", lambda _: 2 * KEPT)
    says(redis, dead=KEPT + 1, alive=0)
    assert ([process.name for process in present(redis)], lapsed(redis)) == (["alive/1"], {"dead/1"})


def test_nobody_is_gone_while_nobody_is_heard_or_the_broker_has_just_come_back(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_heartbeats, "_uptime", lambda _: 2 * KEPT)
    says(redis, one=KEPT + 1, other=KEPT + 1)
    assert lapsed(redis) == set()
    says(redis, one=0)
    monkeypatch.setattr(process_heartbeats, "_uptime", lambda _: 2 * KEPT - 1)
    assert lapsed(redis) == set()
    redis.flushdb()
    says(redis, one=0)
    monkeypatch.undo()
    assert lapsed(redis) == set()


def test_who_has_been_silent_for_long_is_forgotten(redis: Redis, address: str) -> None:
    says(redis, dead=FORGOTTEN + 1)
    heartbeats = ProcessHeartbeats(address, OnlineProcess.of("alive/1", "t", ["python"]))
    until("it to be known", lambda: present(redis))
    assert redis.zcard(WORKERS) == 1
    heartbeats.end()


def test_whatever_else_stands_there_is_nobody(redis: Redis) -> None:
    seconds, _ = redis.time()
    redis.zadd(WORKERS, dict.fromkeys((b"", b"one", b"a b", b"a b c d", b"\xff \xff"), int(seconds)))
    assert present(redis) == []


def test_no_number_of_announcements_is_read_without_end(redis: Redis) -> None:
    seconds, _ = redis.time()
    redis.zadd(WORKERS, {f"ghost/{number} t python": int(seconds) for number in range(MOST_HERE + 5)})
    assert len(present(redis)) == MOST_HERE


def test_a_worker_hears_that_it_is_to_rest_and_that_it_is_welcome_again(
    redis: Redis, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_heartbeats, "EVERY", 0.01)
    redis.hset(RESTING, mapping={"ada": "ada is drained", "bob": "bob is blocked"})
    heard: list[News] = []
    heartbeats = ProcessHeartbeats(address, OnlineProcess.of("ada/1", "t"), heard.append)
    until("it to be told", lambda: heard)
    redis.delete(RESTING)
    until("it to be told again", lambda: len(heard) == 2)
    redis.zadd(USED, {"matches:t:c,java": 1})
    until("it to hear of a queue", lambda: len(heard) == 3)
    heartbeats.end()
    assert heard == [News("ada is drained"), News(), News(used=frozenset({"matches:t:c,java"}))]


def test_what_cannot_be_read_is_no_queue_and_the_heartbeat_goes_on(redis: Redis, address: str) -> None:
    redis.set(USED, "something else")
    heartbeats = ProcessHeartbeats(address, OnlineProcess.of("ada/1", "t"), lambda _: None)
    until("it to be known", lambda: present(redis))
    assert queues_in_use(redis) == frozenset()
    heartbeats.end()
