"""What is forgotten, what never is, and that no number falls by it."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from engine.referee import Verdict
from tests.factories import a_completed_set
from tests.tournaments.web.api.world import World, a_world
from tournaments.core.accounts.api_tokens import make_token
from tournaments.features.examinations.rules import begin_examination
from tournaments.ledger import retention
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.retention import FORGETTABLE
from tournaments.models import Attempt, Bundle, Examination, FaultEvidence, Match, Result, Seat, SeatNotes, User
from tournaments.ops.monitoring.counters import ATTEMPTS, FAULTS, RESULTS, Totals

pytestmark = pytest.mark.django_db
LONG_AGO = timezone.now() - timedelta(days=200)


@pytest.fixture
def world() -> World:
    """A world in which all but the last set happened long ago."""
    world = a_world()
    Seat.objects.update(stderr="a word")
    SeatNotes.objects.bulk_create(SeatNotes(seat=seat, pages=[[-1, "a word"]]) for seat in Seat.objects.all())
    Result.objects.update(recorded_at=LONG_AGO)
    Attempt.objects.update(ended_at=LONG_AGO)
    begin_examination(world.version)
    Examination.objects.update(ended_at=LONG_AGO)
    Bundle.objects.create(sha256="0" * 64, content=b"", size=0)
    Bundle.objects.update(created_at=LONG_AGO)
    Session.objects.create(session_key="old", session_data="", expire_date=LONG_AGO)
    Session.objects.create(session_key="new", session_data="", expire_date=timezone.now() + timedelta(days=1))
    make_token(user=world.owner, name="kept")
    make_token(user=world.owner, name="over")
    world.owner.tokens.filter(name="over").update(expires_at=LONG_AGO)
    a_completed_set(world.ladder, [world.version, world.rivals], faults={world.rivals.pk: Verdict.TIMED_OUT})
    return world


def printed(capsys: pytest.CaptureFixture[str], **options: Any) -> dict[str, int]:
    call_command("retention", **options)
    lines = re.findall(r"^ *([\d,]+) (.*) (?:would go|have gone)$", capsys.readouterr().out, re.MULTILINE)
    return {title: int(number.replace(",", "")) for number, title in lines}


def test_a_dry_run_says_what_would_go_and_nothing_goes(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    would = printed(capsys, dry_run=True)
    assert list(would) == [kind.title for kind in FORGETTABLE]
    assert all(would.values())
    assert printed(capsys, dry_run=True) == would == printed(capsys)
    assert not any(printed(capsys).values())


def test_what_is_old_is_forgotten_and_what_is_new_stays(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys)
    new = Match.objects.filter(result__recorded_at__gt=LONG_AGO + timedelta(days=1))
    assert set(Attempt.objects.values_list("match", flat=True)) == {match.pk for match in new}
    assert FaultEvidence.objects.exclude(detail="").filter(seat__match__in=new).exists()
    assert not FaultEvidence.objects.exclude(detail="").exclude(seat__match__in=new).exists()
    assert not Seat.objects.exclude(stderr="").exists()
    assert not SeatNotes.objects.exclude(seat__match__in=new).exists()
    assert not Bundle.objects.filter(versions=None).exists()
    assert [session.pk for session in Session.objects.all()] == ["new"]
    assert [token.name for token in world.owner.tokens.all()] == ["kept"]


def test_ratings_and_replays_of_what_counts_are_what_they_were(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    recompute(ladder=world.ladder)
    replays = dict(Result.objects.filter(match__set__checks=None).values_list("pk", "digest"))
    printed(capsys)
    assert recompute(ladder=world.ladder) == {}
    kept = Result.objects.filter(match__set__checks=None).exclude(replay=b"")
    assert dict(kept.values_list("pk", "digest")) == replays


def test_no_number_that_only_grows_falls_by_it(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    late = Attempt.objects.filter(match=world.match)
    late.update(outcome="refused", reason="no word; then its report came, refused: it was late")
    before = [Totals(sql).read() for sql in (RESULTS, ATTEMPTS, FAULTS)]
    assert before[1]["expired"] == late.count() == 1
    printed(capsys)
    assert [Totals(sql).read() for sql in (RESULTS, ATTEMPTS, FAULTS)] == before


def test_interrupted_it_has_done_whole_steps_and_the_next_run_goes_on(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 1)
    attempts = next(kind for kind in FORGETTABLE if "attempts" in kind.title)
    due, before = attempts.count(LONG_AGO + timedelta(days=1)), Totals(ATTEMPTS).read()
    steps: Iterator[int] = attempts.go(LONG_AGO + timedelta(days=1))
    assert [next(steps), next(steps)] == [1, 1]
    assert attempts.count(LONG_AGO + timedelta(days=1)) == due - 2
    assert Totals(ATTEMPTS).read() == before
    assert printed(capsys)[attempts.title] == due - 2


def test_a_check_whose_replay_is_forgotten_is_still_told(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys)
    check = world.version.check_set.matches.get()
    visitor = Client()
    visitor.force_login(User.objects.get(pk=world.owner.pk))
    assert visitor.get(f"/matches/{check.pk}/").status_code == 200
    answer = visitor.get(f"/api/v1/matches/{check.pk}/replay")
    assert (answer.status_code, answer.json()["code"]) == (410, "forgotten")


@pytest.mark.parametrize("days", [0, -3, 40_000])
def test_days_that_make_no_sense_are_refused(days: int) -> None:
    with pytest.raises(CommandError, match=r"argument --days: .* is not a whole number from 1 to 36500"):
        call_command("retention", f"--days={days}")
