from dataclasses import replace
from typing import Any

import pytest

from bots.table import LAST_LINES
from engine.referee import Verdict
from tests.factories import a_bot, a_version, an_upload, play_set, reports
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Version
from workers.orders import Stderr

pytestmark = pytest.mark.django_db


def checked(version: Version, verdict: Verdict | None = None) -> Version:
    assert play_set(version.check_set, faults={version.pk: verdict} if verdict else None) == ["recorded"]
    version.refresh_from_db()
    return version


def test_a_version_that_answers_soundly_is_active_and_its_check_is_over() -> None:
    version = checked(an_upload(a_bot()))
    assert (version.status, version.report, version.check_set.status) == ("active", "", "complete")


@pytest.mark.parametrize("verdict", [Verdict.CRASHED, Verdict.ILLEGAL_ANSWER, Verdict.TIMED_OUT])
def test_a_version_that_faults_once_is_rejected_and_its_owner_told_why(verdict: Verdict) -> None:
    version = checked(an_upload(a_bot()), verdict)
    assert version.status == "rejected"
    report = version.report.splitlines()
    assert report[0].startswith("In a match against itself, seat ")
    assert f": {verdict.value}, at answer 0 of the match." in report[0]
    assert report[1] == "it failed because the test wants it to"
    assert report[2].startswith('It was asked: {"t": "')


def test_the_report_ends_with_the_last_words_on_stderr() -> None:
    version = an_upload(a_bot())
    order = order_of_set(version.check_set, claim(match_set=version.check_set))
    (report,) = reports(order, faults={version.pk: Verdict.CRASHED})
    first = report.faults[0].seat
    record_report(replace(report, stderr=[Stderr(first, "Traceback ...\nValueError: no")]))
    version.refresh_from_db()
    assert version.report.endswith("The last it wrote on stderr:\nTraceback ...\nValueError: no")


def test_the_last_words_on_stderr_stand_once() -> None:
    version = an_upload(a_bot())
    order = order_of_set(version.check_set, claim(match_set=version.check_set))
    (report,) = reports(order, faults={version.pk: Verdict.CRASHED})
    first, words = report.faults[0], "ModuleNotFoundError: No module named 'pandas'"
    fault = replace(first, detail=f"ended with exit code 1\n{LAST_LINES}\n{words}")
    record_report(replace(report, faults=[fault, *report.faults[1:]], stderr=[Stderr(first.seat, words)]))
    version.refresh_from_db()
    assert version.report.count(words) == 1


def test_a_rejected_version_leaves_the_active_one_in_its_place() -> None:
    active = a_version()
    checked(an_upload(active.bot), Verdict.CRASHED)
    active.refresh_from_db()
    assert active.status == "active"


def test_a_check_that_the_platform_voids_is_played_again() -> None:
    version = an_upload(a_bot())
    order = order_of_set(version.check_set, claim(match_set=version.check_set))
    (report,) = reports(order)
    record_report(replace(report, outcome="void", reason="the host stalled", replay=b""))
    assert checked(version).status == "active"


def test_a_check_that_cannot_be_played_rejects_the_version_and_says_whose_fault_it_is(settings: Any) -> None:
    settings.ATTEMPTS_BEFORE_QUARANTINE = 1
    version = an_upload(a_bot())
    order = order_of_set(version.check_set, claim(match_set=version.check_set))
    (report,) = reports(order)
    record_report(replace(report, outcome="void", reason="the sandbox is broken", replay=b""))
    version.refresh_from_db()
    assert version.status == "rejected"
    assert version.report.startswith("The platform could not play the check, which is not your bot's doing")
    assert version.report.endswith("the last: the sandbox is broken")
    assert an_upload(version.bot).number == 2


def test_the_report_says_what_there_is_to_import() -> None:
    version = an_upload(a_bot())
    order = order_of_set(version.check_set, claim(match_set=version.check_set))
    (report,) = reports(order, faults={version.pk: Verdict.CRASHED})
    text = "Traceback ...\nModuleNotFoundError: No module named 'pandas'"
    record_report(replace(report, stderr=[Stderr(report.faults[0].seat, text)]))
    version.refresh_from_db()
    assert version.report.splitlines()[1].startswith(
        "There is no module pandas: a bot in Python may import the standard"
    )
