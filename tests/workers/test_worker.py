"""A real match worker: a Celery process that takes orders from a real queue and puts real reports on another."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine import replay
from tests.workers.hall import (
    HONEST,
    ROOT,
    TOKEN,
    Hall,
    Site,
    a_worker,
    alive,
    an_order,
    children,
    clean_environment,
    start_worker,
    until,
)
from tournaments.launcher.valkey import Valkey
from workers.orders import ORDERS, Competitor, Order, Report
from workers.presence import present

SLOW = "import time\n" + HONEST.replace("question.default()", "[time.sleep(0.02), question.default()][1]")
TELLS = "import os, sys\nprint(os.environ, file=sys.stderr)\n" + HONEST


def honest_order(hall: Hall, first: int = 1) -> Order:
    return an_order([hall.site.put(HONEST), hall.site.put(HONEST + "# two\n")], first=first)


def slow_order(hall: Hall, matches: int = 4) -> Order:
    """Some seconds for each match."""
    return an_order([hall.site.put(SLOW + f"# {number}\n") for number in range(3)], matches=matches)


def family_at_play(hall: Hall, worker: subprocess.Popen[bytes], order: Order) -> set[int]:
    """The processes below the worker, once the three bots of the order are among them."""
    until("the worker to be ready", lambda: present(hall.redis))
    idle = children(worker.pid)
    hall.order(order)
    return until("its bots", lambda: found if len((found := children(worker.pid)) - idle) >= 3 else None)


def outcomes(reports: list[Report]) -> list[tuple[int, str]]:
    return [(report.match, report.outcome) for report in reports]


def test_a_set_is_played_and_every_match_reported_with_a_replay_that_verifies(hall: Hall) -> None:
    with a_worker(hall):
        hall.order(honest_order(hall))
        reports = hall.settled(2)
        until("the order to be acknowledged", lambda: not hall.redis.exists("unacked:tester"))
    assert outcomes(reports) == [(1, "played"), (2, "played")]
    for report in reports:
        replay.verify(replay.read(report.replay))
        assert report.worker.endswith(f"/{reports[0].worker.rpartition('/')[2]}")


def test_a_worker_that_cannot_play_what_it_is_sent_says_why_and_plays_the_next(hall: Hall) -> None:
    with a_worker(hall):
        other_rules = honest_order(hall, first=1)
        other_rules.rules = 99
        hall.order(other_rules)
        hall.send(None)
        hall.send([{"version": 1}])
        hall.send({"matches": [{"match": 8, "lease": 1}]})
        hall.send("rm -rf", task="os.system")
        hall.redis.lpush(ORDERS, '{"body": "bm9uc2Vuc2U=", "content-type": "application/x-python-serialize"}')
        hall.order(honest_order(hall, first=3))
        reports = hall.settled(5)
    assert outcomes(reports) == [(1, "void"), (2, "void"), (3, "played"), (4, "played"), (8, "void")]
    assert "rules version 99 of zaibatsu is asked for" in reports[0].reason
    assert "the order has version None" in reports[4].reason


def test_a_stale_order_is_dropped_in_silence_and_what_the_bell_forgot_is_played(hall: Hall) -> None:
    order = honest_order(hall)
    order.matches[0].lease = 2
    hall.redis.set("boardroom:lease:1", 3)
    hall.redis.set("boardroom:lease:2", 1)
    with a_worker(hall):
        hall.order(order)
        hall.order(honest_order(hall, first=3))
        reports = hall.settled(3)
    assert outcomes(reports) == [(2, "played"), (3, "played"), (4, "played")]


def test_every_match_sends_a_heartbeat_before_its_report(hall: Hall) -> None:
    with a_worker(hall):
        hall.order(honest_order(hall))
        hall.settled(2)
    assert outcomes(hall.reports) == [(1, "playing"), (1, "played"), (2, "playing"), (2, "played")]


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
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


def test_a_second_signal_ends_a_worker_at_once_and_its_bots_with_it(hall: Hall) -> None:
    with a_worker(hall) as worker:
        family = family_at_play(hall, worker, slow_order(hall))

        def insist() -> bool:
            worker.terminate()
            return worker.poll() is not None

        until("it to be gone", insist, deadline=5)
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


def test_a_bot_learns_nothing_of_what_its_worker_was_told(hall: Hall) -> None:
    with a_worker(hall):
        hall.order(an_order([hall.site.put(TELLS), hall.site.put(TELLS)]))
        report = hall.settled(2)[0]
    assert "environ" in report.stderr[0].text
    for secret in (TOKEN, hall.redis_url, hall.site.url, "REDIS", "TOKEN"):
        assert secret not in report.stderr[0].text


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"DATABASE_URL": "postgresql://boardroom@/boardroom"}, "must not know DATABASE_URL: start it without"),
        ({"SECRET_KEY": "s3cret"}, "must not know SECRET_KEY: start it without"),
        ({"MIN_SANDBOX": "fortress"}, "'fortress' is not a tier of the sandbox"),
        ({"WORKER_CACHE": "/proc/self"}, "must be a folder of this user alone"),
        ({"WORKER_CORE": "two"}, "'two'"),
        ({"WORKER_TOKEN": ""}, "WORKER_TOKEN is not set"),
    ],
)
def test_a_worker_that_lacks_what_it_needs_ends_with_a_sentence(
    hall: Hall, tmp_path: Path, changes: dict[str, str], sentence: str
) -> None:
    environment = clean_environment(hall, tmp_path / "cache") | changes
    log = (tmp_path / "log").open("w+")
    with log, start_worker(environment, log.fileno()) as worker:
        assert worker.wait(30) == 1
        log.seek(0)
        output = log.read()
    assert sentence in output.splitlines()[-1]
    assert "Traceback" not in output


def test_a_worker_and_its_bots_share_one_core(hall: Hall) -> None:
    with a_worker(hall, WORKER_CORE="1") as worker:
        hall.order(honest_order(hall))
        hall.settled(2)
        cores = {tuple(os.sched_getaffinity(process)) for process in (worker.pid, *children(worker.pid))}
    assert len(cores) == 1
    assert len(cores.pop()) == 1


def test_a_worker_never_loads_django_or_the_site() -> None:
    """Not even where the environment names Django's settings. (kombu itself looks for Django's lazy texts.)"""
    ask = "import workers.tasks, sys; workers.tasks.app.finalize(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "DJANGO_SETTINGS_MODULE" in os.environ
    assert "workers.match" in loaded.split()
    assert not {"django.conf", "django.db", "tournaments", "psycopg", "rest_framework"} & set(loaded.split())
