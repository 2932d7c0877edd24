"""Reports: made by a process of its own from the ledger, stored once for a ladder, and repeated after fits."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from engine.referee import Verdict
from tests.factories import a_completed_set, a_ladder, a_version
from tournaments.features.fairness import reports
from tournaments.features.fairness.reports import LOOP, PENDING, dealt_of, forget_report, make_reports
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.official_fit import refit_due
from tournaments.models import FailingItem, FairnessReport, Fit, Ladder, MatchSet

pytestmark = pytest.mark.django_db


def rated(sets: int = 2) -> Ladder:
    ladder, versions = a_ladder(players=2), [a_version() for _ in range(2)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    for _ in range(sets):
        a_completed_set(ladder, versions, faults={versions[1].pk: Verdict.CRASHED})
    rate()
    refit_due()
    return ladder


def made(ladder: Ladder) -> FairnessReport:
    assert make_reports() == 1
    for report in reports.under_way:
        report.process.wait()
    assert make_reports() == 1
    return FairnessReport.objects.get(ladder=ladder)


def is_pending() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS ({PENDING})")
        return bool(cursor.fetchone()[0])


def states(report: FairnessReport) -> dict[str, str]:
    return {check["name"]: check["state"] for check in report.checks}


def test_the_script_computes_the_published_table_and_young_ladders_wait_for_the_rest() -> None:
    report = made(rated())
    waiting = dict.fromkeys(("foretold", "halves", "times", "gate"), "waits")
    assert states(report) == {"deals": "ok", "seats": "ok", "refit": "ok", **waiting, "twins": "absent"}
    assert (report.sets, report.checks[1]["values"]) == (2, {"lines": 2, "wrong": 0})


def test_a_table_that_is_not_the_ledgers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = rated()
    rows = Fit.objects.get(ladder=ladder).rows
    rows[0]["elo"] += 0.1
    monkeypatch.setattr(reports, "refit", lambda ladder: Fit.objects.filter(ladder=ladder).update(rows=rows))
    report = made(ladder)
    assert states(report)["refit"] == "found"
    assert report.checks[1]["values"]["wrong"] == 1


def test_a_large_ladder_is_not_fitted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "SETS", 1)
    report = made(rated())
    assert (states(report)["refit"], report.checks[1]["has"]) == ("skipped", 1)


def test_a_report_is_made_again_after_a_fit_and_a_pause() -> None:
    assert not is_pending()
    ladder = rated()
    assert is_pending()
    made(ladder)
    assert (is_pending(), make_reports()) == (False, 0)
    FairnessReport.objects.update(made_at=timezone.now() - timedelta(hours=1))
    assert is_pending()
    made(ladder)
    Fit.objects.update(made_at=timezone.now() - timedelta(hours=2))
    FairnessReport.objects.update(made_at=timezone.now() - timedelta(hours=1))
    assert (is_pending(), make_reports()) == (False, 0)


def test_gaps_in_numbers_and_links_are_counted() -> None:
    ladder = rated(sets=4)
    assert dealt_of(ladder).missing == []
    first, third = ladder.sets.get(number=1), ladder.sets.get(number=3)
    MatchSet.objects.filter(pk=third.pk).update(rated=False, status="void")
    MatchSet.objects.filter(pk=first.pk).update(number=7, link=9)
    dealt = dealt_of(ladder)
    assert (dealt.void, dealt.missing, dealt.links) == ([3], [1, 5, 6], 5)
    assert (dealt.dealt, dealt.rated, dealt.open) == (4, 3, 0)


def test_a_process_that_fails_or_hangs_is_noted_and_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = rated()
    monkeypatch.setattr(reports, "PATIENCE", 0)
    assert (make_reports(), make_reports()) == (1, 1)
    assert not FairnessReport.objects.exists()
    assert FailingItem.objects.get(loop=LOOP).item == f"ladder {ladder.slug}"
    assert (make_reports(), reports.under_way) == (0, [])


def test_who_no_longer_leads_ends_the_process() -> None:
    rated()
    assert make_reports() == 1
    process, folder = reports.under_way[0].process, Path(reports.under_way[0].folder.name)
    assert folder.is_dir()
    forget_report()
    assert (process.poll() is not None, folder.exists()) == (True, False)
