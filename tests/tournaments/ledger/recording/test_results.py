"""What of a report is entered for each seat, and what follows when a set is complete."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from engine.referee import Fault
from engine.replay import read_replay
from tests.factories import a_bot, a_ladder, a_user, an_upload, reports
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.ledger.recording.results import OverSet, conclude_set
from tournaments.models import FaultEvidence, Match, MatchSet, Notice, Result, Seat, Trial, Version
from workers.orders import Report, Stderr

pytestmark = pytest.mark.django_db


def a_set() -> MatchSet:
    """A set of a ladder for two, as if it had been played: nobody was at fault, and both are level."""
    made = create_set(ladder=a_ladder(players=2), versions=[an_upload(a_bot()).pk for _ in range(2)])
    Seat.objects.filter(match__set=made).update(verdict="ok", place=1, score=1, cpu_ms=1.0)
    return made


def played() -> Match:
    """The match of a check, without a fault."""
    check = an_upload(a_bot()).check_set
    [report] = reports(order_of_set(check, claim(match_set=check)))
    Seat.objects.filter(match__set=check).update(verdict="ok", place=1, score=1, cpu_ms=1.0)
    match = check.matches.get()
    Result.objects.create(match=match, lease=1, worker="a/1", tier="pure", seconds=1.0, replay=report.replay)
    return match


def over(played: MatchSet) -> None:
    """End a set as when its last match was entered."""
    MatchSet.objects.filter(pk=played.pk).update(status="complete", ended_at=timezone.now())
    awaited = bool(played.checks_id or played.trial_id or played.asked_by_id)
    matches = list(played.matches.values_list("pk", flat=True))
    conclude_set(OverSet(played.pk, awaited, played.ladder_id is not None, matches))


def notices(kind: str) -> list[str]:
    return list(Notice.objects.filter(kind=kind).values_list("text", flat=True))


def entered(**changes: Any) -> tuple[Report, list[Seat]]:
    check = an_upload(a_bot()).check_set
    [report] = reports(order_of_set(check, claim(match_set=check)))
    report = replace(report, **changes)
    assert record_report(report) == "recorded"
    return report, list(check.matches.get().seats.order_by("number"))


def test_each_seat_has_its_own_figures() -> None:
    figures = {"cpu_ms": [1.0, 2.0, 3.0], "memory_mb": [4.0, 5.0, 6.0], "stderr": [Stderr(1, "one\0word")]}
    report, seats = entered(**figures)
    result = read_replay(report.replay).result
    assert [(seat.cpu_ms, seat.memory_mb, seat.stderr) for seat in seats] == [
        (1.0, 4.0, ""),
        (2.0, 5.0, "one\ufffdword"),
        (3.0, 6.0, ""),
    ]
    assert [(seat.score, seat.place) for seat in seats] == list(zip(result.scores, result.places, strict=True))
    assert [(seat.verdict, seat.forfeited) for seat in seats] == [("ok", False)] * 3


def test_of_stderr_the_end_is_kept_and_of_memory_what_was_measured() -> None:
    _, (first, *further) = entered(stderr=[Stderr(0, "x" + "y" * 66_000)], memory_mb=[])
    assert (first.stderr, {seat.memory_mb for seat in (first, *further)}) == ("y" * 66_000, {None})


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (None, ""),
        ("a\0b" + "x" * 2000, "a\ufffdb" + "x" * 1997),
        ({"t": 1}, "{'t': 1}"),
        (["y" * 300, "y" * 300], "['" + "y" * 300 + "', '" + "y" * 93 + "\N{HORIZONTAL ELLIPSIS}"),
    ],
)
def test_the_evidence_of_a_fault_is_kept_up_to_what_a_page_can_show(given: object, kept: str) -> None:
    entered(faults=[Fault(2, 0, "v" * 30, "d" * 2001, {"asked": 1}, given)])
    evidence = FaultEvidence.objects.get()
    assert (evidence.seat.number, evidence.answer, evidence.asked, evidence.given) == (2, 0, {"asked": 1}, kept)
    assert (evidence.verdict, evidence.detail) == ("v" * 20, "d" * 2000)


def test_a_check_without_a_fault_makes_the_version_active_and_its_owner_hears_of_it() -> None:
    match = played()
    over(match.set)
    made = MatchSet.objects.get(pk=match.set_id)
    assert (made.checks and made.checks.status, len(notices("check"))) == ("active", 1)
    assert notices("check")[0].endswith("passed its check.")


def test_a_check_with_a_fault_rejects_the_version_and_its_owner_hears_of_it() -> None:
    match = played()
    match.seats.filter(number=0).update(verdict="crashed")
    over(match.set)
    assert Version.objects.get().status == "rejected"
    assert [text.endswith("failed its check; the report says why.") for text in notices("check")] == [True]


def test_of_a_set_that_is_over_matches_are_drawn_to_be_played_again(settings: Any) -> None:
    settings.SPOT_CHECKS, made = 1.0, a_set()
    over(MatchSet.objects.get(pk=made.pk))
    assert MatchSet.objects.filter(rechecks__set=made).count() == 2
    assert (notices("check"), notices("set")) == ([], [])


def test_who_asked_for_a_set_hears_that_it_is_over() -> None:
    made = a_set()
    MatchSet.objects.filter(pk=made.pk).update(asked_by=a_user(), number=None)
    over(MatchSet.objects.get(pk=made.pk))
    assert [text.startswith("A set that you asked for in ") for text in notices("set")] == [True]


def test_a_trial_is_judged_after_each_of_its_sets() -> None:
    made = a_set()
    champion, candidate = Version.objects.filter(seats__match__set=made).distinct()
    assert made.ladder
    trial = Trial.objects.create(ladder=made.ladder, candidate=candidate, champion=champion)
    MatchSet.objects.filter(pk=made.pk).update(trial=trial, number=None)
    over(MatchSet.objects.get(pk=made.pk))
    trial.refresh_from_db()
    assert (trial.played, trial.score) == (1, 0.5)
