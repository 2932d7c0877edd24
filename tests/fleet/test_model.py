"""The simulation of a fleet, where queueing theory says what must come out."""

import pytest

from tests.fleet.model import (
    BROKER,
    DATABASE,
    DISPATCHER,
    MATCHES,
    MESSAGE,
    ORDER,
    RECORDERS,
    REPORT,
    ROUND,
    Cost,
    Site,
    simulate,
)

COSTS = {
    ROUND: Cost(0.02),
    ORDER: Cost(0.010, 0.004, 0.001),
    MESSAGE: Cost(0.002, 0.001, 0.0001),
    REPORT: Cost(0.008, 0.003, 0.0002),
}


def test_while_nothing_is_full_every_worker_is_busy() -> None:
    out = simulate(Site(20, 2.0), COSTS)
    assert out.matches == pytest.approx(20 / 2.0, rel=0.1)
    assert out.lag < 1.1  # a match that is over may wait a second for the next
    assert out.work[ORDER] == pytest.approx(out.matches / MATCHES, rel=0.15)


def test_a_part_is_as_full_as_its_work_takes() -> None:
    out = simulate(Site(20, 2.0, cores=2), COSTS)
    total = {kind: cost.own + cost.database + cost.broker for kind, cost in COSTS.items()}
    recorded = sum(out.work[kind] * total[kind] for kind in (MESSAGE, REPORT))
    assert out.load[RECORDERS] == pytest.approx(recorded, rel=0.1)
    assert out.load[DISPATCHER] == pytest.approx(sum(out.work[kind] * total[kind] for kind in (ROUND, ORDER)), rel=0.1)
    assert out.load[DATABASE] == pytest.approx(
        sum(out.work[kind] * COSTS[kind].database for kind in COSTS) / 2, rel=0.1
    )
    assert out.load[BROKER] == pytest.approx(sum(out.work[kind] * COSTS[kind].broker for kind in COSTS), rel=0.1)


def test_a_full_recorder_bounds_what_is_recorded_and_a_second_one_nearly_doubles_it() -> None:
    single, double = (simulate(Site(200, 1.0, recorders=number), COSTS) for number in (1, 2))
    assert single.fullest == RECORDERS
    assert single.load[RECORDERS] == pytest.approx(1, abs=0.02)
    assert 1.7 < double.matches / single.matches < 2.2


def test_where_recorders_are_many_the_dispatcher_is_full_next() -> None:
    out = simulate(Site(1000, 0.5, recorders=20, cores=16), COSTS)
    assert out.fullest == DISPATCHER
    assert out.matches < 1000 / 0.5 / 2


def test_short_matches_share_a_message_and_long_ones_have_one_every_ten_seconds() -> None:
    brief, middle, long = (simulate(Site(100, seconds), COSTS) for seconds in (0.1, 5.0, 60.0))
    messages = [out.work[MESSAGE] / out.matches for out in (brief, middle, long)]
    assert messages == pytest.approx([1 / MATCHES, 1.25, 7], rel=0.15)


def test_the_same_seed_gives_the_same_numbers() -> None:
    site = Site(30, 1.0)
    assert simulate(site, COSTS) == simulate(site, COSTS)
    assert simulate(site, COSTS, seed="another") != simulate(site, COSTS)
