"""Recorders that get the same reports at the same time."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.tournaments.ledger.recording.test_recording import leased
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Result
from workers.orders import Report


@pytest.mark.django_db(transaction=True)
def test_the_same_report_from_many_recorders_at_once_makes_one_result() -> None:
    def record(report: Report) -> str:
        try:
            return record_report(report)
        finally:
            connection.close()

    played, both = leased()
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(record, both * 6))
    assert sorted(outcomes) == ["already recorded"] * 10 + ["recorded"] * 2
    played.refresh_from_db()
    assert (Result.objects.filter(match__set=played).count(), played.status) == (2, "complete")
