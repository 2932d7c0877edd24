"""A real match worker at work, the same one for all tests: a Celery process between two real queues."""

import json
import os
import subprocess
from collections.abc import Iterator

import pytest

from engine import replay
from engine.records import from_plain
from tests.workers.hall import HONEST, TOKEN, Hall, a_site, a_worker, an_order, children, outcomes, own_database, until
from workers.capacity import capacity_refusal, this_machine
from workers.orders import ORDERS, TAKEN_KEY, InHand, Order, proof_of
from workers.sandbox.limits import Limits

TELLS = "import os, sys\nprint(os.environ, file=sys.stderr)\n" + HONEST
SLOW = "import time\n" + HONEST.replace("question.default()", "[time.sleep(0.04), question.default()][1]")
Place = tuple[Hall, subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with a_site() as site:
        hall = Hall(site, own_database(os.environ["REDIS_URL"]))
        with a_worker(hall, WORKER_CORE="1") as worker:
            yield hall, worker
        hall.close()


@pytest.fixture
def worker(place: Place) -> subprocess.Popen[bytes]:
    return place[1]


@pytest.fixture
def hall(place: Place) -> Iterator[Hall]:
    """Give a hall without what another test left in the queues and in the reports."""
    hall, _ = place
    yield hall
    hall.redis.flushdb()
    for seen in (hall.reports, hall.hands, hall.messages):
        seen.clear()


def honest_order(hall: Hall, first: int = 1) -> Order:
    return an_order([hall.site.put(HONEST), hall.site.put(HONEST + "# two\n")], first=first)


def test_a_set_is_played_and_every_match_reported_with_a_replay_that_verifies(hall: Hall) -> None:
    hall.order(honest_order(hall))
    reports = hall.settled(2)
    until("the order to be acknowledged", lambda: not hall.redis.exists("unacked:tester"))
    assert outcomes(reports) == [(1, "played"), (2, "played")]
    for report in reports:
        replay.verify(replay.read_replay(report.replay))
        assert report.worker.endswith(f"/{reports[0].worker.rpartition('/')[2]}")


def test_what_the_machine_does_not_have_is_given_back_before_any_bot_starts(hall: Hall) -> None:
    order = honest_order(hall)
    order.limits = Limits(memory_mb=65_536)
    hall.order(order)
    reports = hall.settled(2)
    reason = capacity_refusal(order.bots_use(2), this_machine())
    assert [report.reason for report in reports] == [reason] * 2
    assert {report.outcome for report in reports} == {"returned" if reason else "played"}


def test_a_worker_that_cannot_play_what_it_is_sent_says_why_and_plays_the_next(hall: Hall) -> None:
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
    hall.order(order)
    hall.order(honest_order(hall, first=3))
    reports = hall.settled(3)
    assert outcomes(reports) == [(2, "played"), (3, "played"), (4, "played")]


def test_short_matches_share_a_message_at_the_end_of_their_set_and_what_was_taken_is_noted(hall: Hall) -> None:
    order = honest_order(hall)
    for match in order.matches:
        match.secret = f"secret {match.match}"
    hall.order(order)
    reports = hall.settled(2)
    assert len(hall.messages) <= 2 + sum(report.seconds for report in reports)  # one, on a machine that is not busy
    assert not any("held" in part for part in hall.messages[-1])
    noted = hall.redis.get(TAKEN_KEY.format(reports[0].worker))
    assert isinstance(noted, bytes)
    taken = from_plain(InHand, json.loads(noted), "taken")
    assert [(held.match, held.lease, held.secret) for held in taken.held] == [
        (1, 1, proof_of("secret 1")),
        (2, 1, proof_of("secret 2")),
    ]


def test_what_is_played_is_told_within_a_second_or_so_with_what_is_still_in_hand(hall: Hall) -> None:
    hall.order(an_order([hall.site.put(SLOW + f"# {number}\n") for number in range(2)], matches=3))
    until("the first report", hall.collect)
    assert [report.match for report in hall.reports] == [1]
    assert [[held.match for held in hand.held] for hand in hall.hands[-2:]] == [[1, 2, 3], [2, 3]]
    assert [report.match for report in hall.settled(3)] == [1, 2, 3]


def test_a_bot_learns_nothing_of_what_its_worker_was_told(hall: Hall) -> None:
    hall.order(an_order([hall.site.put(TELLS), hall.site.put(TELLS)]))
    report = hall.settled(2)[0]
    assert "environ" in report.stderr[0].text
    for secret in (TOKEN, hall.redis_url, hall.site.url, "REDIS", "TOKEN"):
        assert secret not in report.stderr[0].text


def test_a_worker_and_its_bots_share_one_core(hall: Hall, worker: subprocess.Popen[bytes]) -> None:
    hall.order(honest_order(hall))
    hall.settled(2)
    cores = {tuple(os.sched_getaffinity(process)) for process in (worker.pid, *children(worker.pid))}
    assert len(cores) == 1
    assert len(cores.pop()) == 1
