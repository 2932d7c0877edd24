"""A real match worker that comes and goes: a Celery process between two real queues, each test with its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.records import to_plain
from tests.workers.hall import (
    HONEST,
    ROOT,
    Hall,
    Site,
    a_worker,
    alive,
    an_order,
    children,
    clean_environment,
    outcomes,
    start_worker,
    until,
)
from tournaments.ops.launcher.valkey import Valkey
from workers.orders import USED, Competitor, Order, queue_for
from workers.process_heartbeats import present

SLOW = "import time\n" + HONEST.replace("question.default()", "[time.sleep(0.02), question.default()][1]")


def slow_order(hall: Hall, matches: int = 4) -> Order:
    """Some seconds for each match."""
    return an_order([hall.site.put(SLOW + f"# {number}\n") for number in range(3)], matches=matches)


def family_at_play(hall: Hall, worker: subprocess.Popen[bytes], order: Order) -> set[int]:
    """The processes below the worker, once the three bots of the order are among them."""
    until("the worker to be ready", lambda: present(hall.redis))
    idle = children(worker.pid)
    hall.order(order)
    return until("its bots", lambda: family if len((family := children(worker.pid)) - idle) >= 3 else None)


@pytest.mark.parametrize(
    "sign",
    [signal.SIGTERM, signal.SIGINT],
)
def test_a_worker_told_to_leave_ends_the_match_in_hand_and_gives_the_rest_back(
    hall: Hall, sign: signal.Signals
) -> None:
    with a_worker(hall) as worker:
        family_at_play(hall, worker, slow_order(hall))
        worker.send_signal(sign)
        reports = hall.settled(4)
        assert worker.wait(20) == 0
    assert [report.outcome for report in reports] == sorted(report.outcome for report in reports)  # played, returned
    assert {report.outcome for report in reports} == {"played", "returned"}
    assert reports[-1].reason == "the worker is leaving"
    assert not hall.redis.exists("unacked:tester")


def test_a_worker_turns_to_a_queue_for_several_languages_when_one_comes_into_use(hall: Hall) -> None:
    with a_worker(hall):
        worker = until("it to be known", lambda: present(hall.redis))[0]
        queue = queue_for(sorted(worker.offers - {"python"})[:2])
        assert "," in queue.rpartition(":")[2], "this machine has too few languages"
        hall.redis.zadd(USED, {queue: 1})
        hall.send(to_plain(an_order([hall.site.put(HONEST), hall.site.put(HONEST + "# two\n")])), queue=queue)
        assert {report.outcome for report in hall.settled(2)} == {"played"}


def test_a_second_signal_ends_a_worker_at_once_and_its_bots_with_it(hall: Hall) -> None:
    with a_worker(hall) as worker:
        family = family_at_play(hall, worker, slow_order(hall))

        def insist() -> bool:
            worker.terminate()
            return worker.poll() is not None

        until("it to be gone", insist, deadline=20)
        assert worker.returncode == 1
        until("its bots to be gone", lambda: not any(map(alive, family)))


def test_a_worker_that_is_killed_leaves_no_bot_and_its_order_stays_with_the_broker(hall: Hall) -> None:
    with a_worker(hall) as worker:
        family = family_at_play(hall, worker, slow_order(hall))
        worker.kill()
        until("its bots to be gone", lambda: not any(map(alive, family)))
    assert hall.redis.exists("unacked:tester")


def test_a_report_waits_for_a_broker_that_is_away(site: Site, tmp_path: Path) -> None:
    broker = Valkey(tmp_path / "valkey", tmp_path / "log", durable=False)
    broker.start()
    hall = Hall(site, broker.url)
    with a_worker(hall) as worker:
        family = family_at_play(hall, worker, slow_order(hall, matches=1))
        broker.stop()
        until("the match to be over", lambda: not family <= children(worker.pid))
        broker.start()
        assert outcomes(hall.settled(1)) == [(1, "played")]
    hall.close()
    broker.stop()


def test_a_worker_whose_matches_are_all_void_leaves(hall: Hall) -> None:
    lost = Competitor("lost", 1, "ab" * 32, "bot.py")
    with a_worker(hall) as worker:
        hall.order(an_order([lost, lost], matches=5))
        reports = hall.settled(5)
        assert worker.wait(20) == 1
    assert [report.outcome for report in reports] == ["void"] * 3 + ["returned"] * 2
    assert "the site answered 404" in reports[0].reason


def test_orders_that_nobody_waits_for_any_more_are_dropped_and_the_next_is_played(hall: Hall) -> None:
    bot = hall.site.put(HONEST)
    hall.site.over = True
    with a_worker(hall):
        hall.order(an_order([bot, bot], matches=5))
        until("all of them to be asked for", lambda: len(hall.site.requests) == 5)
        hall.site.over = False
        hall.order(an_order([bot, bot], matches=1, first=9))
        assert outcomes(hall.settled(1)) == [(9, "played")]


LACKS = {
    "DATABASE_URL": ("postgresql://boardroom@/boardroom", "must not know DATABASE_URL: start it without"),
    "SECRET_KEY": ("s3cret", "must not know SECRET_KEY: start it without"),
    "SECRET_KEY_FALLBACKS": ("s3cret", "must not know SECRET_KEY_FALLBACKS: start it without"),
    "MIN_SANDBOX": ("fortress", "'fortress' is not a tier of the sandbox"),
    "WORKER_CACHE": ("/proc/self", "must be a folder of this user alone"),
    "WORKER_CORE": ("two", "'two'"),
    "WORKER_CACHE_MB": ("much", "WORKER_CACHE_MB must be a whole number from 1 to 1000000, not 'much'"),
    "WORKER_TOKEN": ("", "WORKER_TOKEN is not set"),
    "SITE_URL": ("https://board.example/arena", "SITE_URL must be the scheme, the host"),
    "REDIS_URL": ("redis://:s3#cret@host/0", "REDIS_URL cannot be read as redis://"),
}


@pytest.mark.parametrize(
    "variable",
    LACKS,
)
def test_a_worker_that_lacks_what_it_needs_ends_with_a_sentence(hall: Hall, tmp_path: Path, variable: str) -> None:
    value, sentence = LACKS[variable]
    environment = clean_environment(hall, tmp_path / "cache") | {variable: value}
    log = (tmp_path / "log").open("w+")
    with log, start_worker(environment, log.fileno()) as worker:
        assert worker.wait(30) == 1
        log.seek(0)
        output = log.read()
    assert sentence in output.splitlines()[-1]
    assert "Traceback" not in output


def test_a_worker_never_loads_django_or_the_site() -> None:
    """It does not even where the environment names Django's settings. (kombu itself looks for Django's lazy texts.)"""
    ask = "import workers.tasks, sys; workers.tasks.app.finalize(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "DJANGO_SETTINGS_MODULE" in os.environ
    assert "workers.match" in loaded.split()
    assert not {"django.conf", "django.db", "tournaments", "psycopg", "rest_framework"} & set(loaded.split())
