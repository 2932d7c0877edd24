"""What is played ends once nobody waits for it, wherever it is; in the real sandbox, and on a real worker."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from bots.process import Local
from bots.protocol import Clock
from bots.table import Stopped
from tests.workers.hall import HONEST, Hall, Site, a_worker, an_order, until
from workers import watch
from workers.bundles import LeaseOver
from workers.examination import examine
from workers.examination_orders import ExaminationOrder
from workers.match import Kit, report_match
from workers.orders import LEASE_KEY, Order
from workers.practice import report_turn as practise
from workers.practice_orders import PracticeOrder
from workers.process_heartbeats import RESTING
from workers.sandbox.limits import Limits
from workers.sandbox.wasm.turns import Hold
from workers.watch import end_when_over, is_superseded

KEY = "boardroom:lease:test-watch"
SPIN = "while True: pass\n"
ENDLESS = {
    "answer": f"from bots.sdk import play\ndef choose(view, question):\n    {SPIN}play(choose)\n",
    "start": SPIN,
    "output": "import sys\nfrom bots.sdk import play\ndef choose(view, question):\n"
    "    while True: sys.stderr.flush()\nplay(choose)\n",
}
HOURS = Clock(answer_ms=60_000, bank_ms=3_600_000, start_ms=60_000)


@pytest.fixture
def redis() -> Iterator[Redis]:
    """The client of this process, which knows its broker since it was loaded."""
    watch.redis.set(KEY, 2)
    yield watch.redis
    watch.redis.delete(KEY)


def endless(site: Site, source: str, **changes: Any) -> Order:
    bots = [site.put(f"{source}# {number}\n") for number in range(2)]
    return an_order(bots, clock=HOURS, limits=Limits(memory_mb=256, cpu_s=4000), **changes)


def test_a_number_that_is_over_is_lower_than_the_present_one(redis: Redis) -> None:
    assert [is_superseded(KEY, number) for number in (1, 2, 3)] == [True, False, False]
    redis.set(KEY, "nonsense")
    assert not is_superseded(KEY, 1)
    redis.delete(KEY)
    assert not is_superseded(KEY, 1)


@pytest.mark.usefixtures("redis")
@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_a_match_ends_whatever_its_bots_do(source: str, site: Site, kit: Kit) -> None:
    order = endless(site, source)
    with end_when_over(kit, KEY, 1), pytest.raises(LeaseOver):
        report_match(order, order.matches[0], kit)
    assert not kit.is_over()


def test_a_runner_of_the_deterministic_division_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "sleeps.py").write_text("import time\ntime.sleep(600)\n")
    hold = Hold(Local(tmp_path, "sleeps.py"))
    with pytest.raises(Stopped):
        hold.finish(10**12, lambda: True)
    hold.leave()


@pytest.mark.usefixtures("redis")
def test_a_practice_and_an_examination_end(site: Site, kit: Kit) -> None:
    terms = endless(site, ENDLESS["answer"])
    terms.matches = []
    with end_when_over(kit, KEY, 1):
        practice = practise(PracticeOrder(1, 1, terms, [0, 1], []), kit)
    with end_when_over(kit, KEY, 1):
        examination = examine(ExaminationOrder(1, 1, terms, 0, 100, 0, repeats=False), kit)
    assert [(report.outcome, report.reason) for report in (practice, examination)] == [("void", "")] * 2


@pytest.mark.usefixtures("redis")
def test_what_somebody_waits_for_is_played(site: Site, kit: Kit) -> None:
    order = an_order([site.put(HONEST), site.put(HONEST + "# two\n")])
    with end_when_over(kit, KEY, 2):
        assert report_match(order, order.matches[0], kit).outcome == "played"


@pytest.mark.parametrize("resting", [False, True])
def test_a_cancelled_set_ends_on_a_worker_also_while_it_rests(hall: Hall, *, resting: bool) -> None:
    """A drained or blocked worker finishes the match in hand, unless nobody waits for it."""
    with a_worker(hall):
        hall.order(endless(hall.site, ENDLESS["answer"]))
        until("it to be played", lambda: hall.collect() or hall.hands)
        if resting:
            hall.redis.hset(RESTING, "tester", "the worker tester is drained")
        for match in (1, 2):
            hall.redis.set(LEASE_KEY.format(match), 2)
        until("it to be over", lambda: not hall.redis.exists("unacked:tester"))
    assert hall.collect() == []
