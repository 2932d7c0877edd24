"""The rights at the broker that docs/install.md gives a worker: enough to play, and no more."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError, ResponseError

from engine.records import to_plain
from tests.workers.hall import HONEST, MASTER, ROOT, Hall, a_site, a_worker, an_order, until
from tournaments.launcher.valkey import Valkey
from workers.broker import held_by
from workers.identity import derive, space_of
from workers.orders import ORDERS, REPORTS, key_of, queue_for
from workers.presence import WORKERS, present

PASSWORD = "a password / of a worker"
HELD = held_by("west")
FORBIDDEN = [
    *("FLUSHALL", "FLUSHDB", "KEYS *", "SCAN 0", "RANDOMKEY", "DBSIZE", "SELECT 1", "SWAPDB 0 1", "SHUTDOWN NOSAVE"),
    *("CONFIG GET *", "ACL LIST", "ACL SETUSER tester ~*", "MONITOR", "INFO", "CLIENT LIST", "SAVE"),
    *("SUBSCRIBE any", "PUBLISH any thing", "REPLICAOF 127.0.0.1 1", "MODULE LIST", "EVAL return 0"),
    *("GET :1:throttle", "GET :1:django.contrib.sessions.cache1", "DEL :1:throttle", "SET boardroom:epoch 1"),
    *(f"HGETALL {HELD['unacked_key']}", f"HGET {HELD['unacked_key']} any", f"ZRANGE {HELD['unacked_index_key']} 0 -1"),
    *(f"HDEL {HELD['unacked_key']} any", f"HSET {HELD['unacked_key']} any thing", "HGETALL unacked:tester"),
    *(
        "HGET reports.unacked any",
        "HSET reports.unacked any thing",
        "SET boardroom:lease:1 99",
        "DEL boardroom:lease:1",
    ),
    *(f"BRPOP {REPORTS} 1", f"LRANGE {REPORTS} 0 -1", f"DEL {REPORTS}", f"RPUSH {REPORTS} x"),
    *(f"LRANGE {ORDERS} 0 -1", f"DEL {ORDERS}", "HSET boardroom:resting tester no", "HDEL boardroom:resting tester"),
    *(f"DEL {WORKERS}", f"ZRANGE {WORKERS} 0 -1", "RENAME matches unacked:tester", "COPY reports unacked:tester"),
]


def grant(redis: Redis, name: str) -> None:
    """What the page says, word by word; to a worker of a space, too."""
    page = (Path(ROOT) / "docs" / "install.md").read_text()
    command = re.search(r"^\$ redis-cli (ACL SETUSER .*?[^\\])\n", page, re.DOTALL | re.MULTILINE)
    assert command
    of = key_of(space_of(name), "")
    words = shlex.split(command[1].replace("\\\n", " ").replace("$NAME", name).replace("${OF}", of))
    ask(redis, *(word.replace("$PASSWORD", PASSWORD) for word in words))


def ask(redis: Redis, *words: str) -> object:
    return redis.execute_command(*words)  # type: ignore[no-untyped-call]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Valkey]:
    broker = Valkey(tmp_path / "valkey", tmp_path / "log", durable=False)
    broker.start()
    with Redis.from_url(broker.url) as redis:
        grant(redis, "tester")
    yield broker
    broker.stop()


@pytest.fixture
def address(broker: Valkey) -> str:
    return broker.url.replace("unix://", f"unix://tester:{quote(PASSWORD, safe='')}@")


def test_with_these_rights_a_worker_plays_and_leaves_in_good_order(broker: Valkey, address: str) -> None:
    with a_site() as site, a_worker(hall := Hall(site, broker.url), REDIS_URL=address) as worker:
        hall.order(an_order([site.put(HONEST), site.put(HONEST + "# two\n")]))
        assert {report.outcome for report in hall.settled(2)} == {"played"}
        assert len(present(hall.redis)) == 1
        until("the order to be done with", lambda: not hall.redis.exists("unacked:tester"))
        worker.terminate()
        assert worker.wait(30) == 0
        assert present(hall.redis) == []
        assert ask(hall.redis, "ACL", "LOG") == []  # it did not even try more
        hall.close()


def allowed(redis: Redis, command: str) -> bool:
    try:
        ask(redis, *command.split())
    except NoPermissionError:
        return False
    return True


def test_with_those_of_a_space_its_worker_plays_what_is_sent_there_and_sees_nothing_else(broker: Valkey) -> None:
    lab = derive("lab@bio1", MASTER)
    with Redis.from_url(broker.url) as redis:
        grant(redis, lab.name)
    address = broker.url.replace("unix://", f"unix://lab%40bio1:{quote(PASSWORD, safe='')}@")
    with a_site(lab.token) as site:
        hall = Hall(site, broker.url, lab.name)
        with a_worker(hall, REDIS_URL=address, WORKER_TOKEN=lab.token):
            until("it to be here", lambda: present(hall.redis, spaces=["bio1"]))
            ours, others = (an_order([site.put(HONEST), site.put(HONEST + "# two\n")], first=first) for first in (1, 3))
            hall.send(to_plain(others))
            hall.send(to_plain(ours), queue=queue_for((), space="bio1"))
            assert {(report.match, report.outcome) for report in hall.settled(2)} == {(1, "played"), (2, "played")}
            assert hall.redis.llen(ORDERS) == 1, "what was sent to others is where it was"
        hall.close()
    foreign = (f"BRPOP {ORDERS} 1", f"LLEN {ORDERS}", f"ZADD {WORKERS} 1 east/1", f"ZREM {WORKERS} x", f"TYPE {ORDERS}")
    with Redis.from_url(address) as redis:
        assert [command for command in (*FORBIDDEN, *foreign) if allowed(redis, command)] == []


def test_with_these_rights_a_worker_does_nothing_else(address: str) -> None:
    with Redis.from_url(address) as redis:
        assert [command for command in FORBIDDEN if allowed(redis, command)] == []


def test_a_script_has_no_more_rights_than_the_worker(address: str) -> None:
    with Redis.from_url(address) as redis:
        script = str(redis.script_load("return redis.call('GET', ':1:throttle')"))
        with pytest.raises(ResponseError, match="No permissions to access a key"):
            redis.evalsha(script, 0)
