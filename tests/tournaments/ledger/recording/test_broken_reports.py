"""Reports that cannot be of the match count against their worker by name, which soon takes no more orders."""

from dataclasses import replace

import pytest

from engine.records import to_plain
from tests.factories import a_ladder, a_version, hand_in, reports
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.broken_reports import BROKEN_REPORTS
from tournaments.models import Act, Ladder, Worker
from workers.orders import Report

pytestmark = pytest.mark.django_db


@pytest.fixture
def report() -> Report:
    versions = [a_version().pk for _ in range(2)]
    played = create_set(ladder=a_ladder(players=2), versions=versions)
    return reports(order_of_set(played, claim(match_set=played)))[0]


def broken(ladder: Ladder, versions: list[int]) -> Report:
    """A report of a new match, with a replay that cannot be read."""
    played = create_set(ladder=ladder, versions=versions)
    return replace(reports(order_of_set(played, claim(match_set=played)))[0], replay=b"no replay")


def status(name: str) -> str:
    return Worker.objects.get(name=name).status


def test_a_worker_whose_reports_do_not_hold_takes_no_more_orders() -> None:
    ladder, versions = a_ladder(players=2), [a_version().pk for _ in range(2)]
    for _ in range(BROKEN_REPORTS.most):
        assert hand_in(to_plain(replace(broken(ladder, versions), worker="eve/1"))).startswith("refused")
    assert status("eve") == "welcome"
    for number in range(2):
        hand_in(to_plain(replace(broken(ladder, versions), worker=f"eve/{number}")))
    assert status("eve") == "drained"
    act = Act.objects.get(kind="drain_worker")
    assert (act.subject, act.by) == ("worker eve", "the platform")
    assert "more than 10 of its reports" in act.reason


def test_what_is_no_report_counts_as_well_if_it_names_its_worker() -> None:
    for _ in range(BROKEN_REPORTS.most + 1):
        hand_in({"worker": "eve/1", "match": "seven"})
    assert status("eve") == "drained"


def test_reports_that_are_late_or_void_do_not_count(report: Report) -> None:
    void = replace(report, worker="bob/1", outcome="void", reason="the host stood still", replay=b"")
    for _ in range(BROKEN_REPORTS.most + 1):
        hand_in(to_plain(void))
        hand_in(to_plain(replace(void, outcome="played")))
    assert status("bob") == "welcome"
