"""The figure of how long nothing moved for anybody else."""

import pytest

from tests.faults.poison.waits import Waits, stopped


def seen(began: float, ended: float, *moved: float) -> Waits:
    waits = Waits(began, ended)
    waits.moved["page"] += moved
    return waits


def test_many_short_standstills_make_no_long_one_look_rare() -> None:
    figure = seen(0, 40, *(number / 100 for number in range(1, 1001)), 39.9).figure("page")
    assert figure.p50 == figure.p95 == figure.longest == pytest.approx(29.9)
    assert figure.since == pytest.approx(10)
    assert not stopped({"page": figure})


def test_what_never_moved_stood_still_from_the_beginning_to_the_end() -> None:
    figure = seen(100, 131).figure("page")
    assert (figure.longest, figure.since) == (31, 0)
    assert stopped({"page": figure}) == ["nobody else's page moved for 31.0 s, from 0 s on: 30 s is too long"]


def test_what_moved_before_and_after_the_run_is_not_of_it() -> None:
    assert seen(100, 110, 1, 105, 200).figure("page").longest == 5
