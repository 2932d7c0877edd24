"""The letter of the week: to whom, when, once, and what it says."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from pytest_django.fixtures import Settings

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.core.notices.channels import choose_mailed
from tournaments.core.notices.delivery import deliver_due
from tournaments.features.follow import weekly
from tournaments.features.follow.rules import start_following
from tournaments.features.follow.weekly import last_week, write_letters
from tournaments.models import Follow, MatchSet, Notice, User, WeeklyLetter

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)  # a Sunday


@pytest.fixture(autouse=True)
def mails(settings: Settings) -> None:
    settings.CAN_MAIL = True


def olga(sets: int = 1) -> User:
    """Return somebody with a confirmed address and two bots, of which one wins every other set, the first too."""
    user = a_user("olga")
    User.objects.filter(pk=user.pk).update(email="olga@example.org", confirmed_email="olga@example.org")
    user.refresh_from_db()
    ladder, versions = a_ladder(players=2, title="Arena"), [a_version(a_bot(user, "Orchid")), a_version()]
    a_bot(user, "Idle")
    for version in versions:
        ladder.entries.create(bot=version.bot)
    for number in range(sets):
        a_completed_set(ladder, versions, faults={versions[1 - number % 2].pk: Verdict.CRASHED})
    rate()
    for bot in (versions[0].bot, versions[1].bot):
        start_following(user=a_user(), target=bot)
    start_following(user=user, target=versions[0].bot)
    during = last_week(timezone.now()).begin + timedelta(days=1)
    MatchSet.objects.update(ended_at=during)
    Follow.objects.update(since=during)
    return user


def chosen(user: User, language: str = "en") -> WeeklyLetter:
    """Let the person want it; a week goes by."""
    choose_mailed(user=user, kinds=["week"])
    WeeklyLetter.objects.update(language=language)
    write_letters()
    return due(user)


def due(user: User) -> WeeklyLetter:
    WeeklyLetter.objects.filter(user=user).update(due_at=timezone.now() - timedelta(seconds=1))
    return WeeklyLetter.objects.get(user=user)


def test_a_week_is_over_on_monday_by_the_clock_of_the_site(settings: Settings) -> None:
    settings.SITE_TIME_ZONE = "UTC"
    assert last_week(NOW).end == datetime(2026, 11, 23, tzinfo=UTC)
    settings.SITE_TIME_ZONE = "Pacific/Auckland"  # where it is Monday
    week = last_week(NOW)
    assert (week.begin, week.end) == (datetime(2026, 11, 22, 11, tzinfo=UTC), datetime(2026, 11, 29, 11, tzinfo=UTC))
    assert f"{week.begin:%G-W%V}" == "2026-W48"


def test_the_letter_says_how_each_bot_did_that_did_something_and_how_to_stop_it() -> None:
    user = olga(sets=30)
    letter = chosen(user)
    assert Notice.objects.filter(kind="week").count() == 0, "it begins with the next week"
    WeeklyLetter.objects.filter(pk=letter.pk).update(places=dict.fromkeys(letter.places or {}, 7))
    write_letters()
    write_letters()
    deliver_due()
    [sent] = mail.outbox
    assert (sent.subject, sent.to) == ("Your bots this week", ["olga@example.org"])
    lines = sent.body.splitlines()
    assert lines[0] == "Orchid"
    assert re.fullmatch(r"Arena: place \d, a week ago 7\.", lines[1])
    assert lines[2] == "Sets won: 15 of 30."
    assert re.fullmatch(r"Best win: against .+, rated \d+\.", lines[3])
    assert lines[4] == "New followers: 1."
    assert "Idle" not in sent.body
    away = sent.extra_headers["List-Unsubscribe"].strip("<>")
    assert away in sent.body
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    signed_in(None).post(away[away.index("/notices/") :], {"List-Unsubscribe": "One-Click"})
    user.refresh_from_db()
    assert (user.mailed, WeeklyLetter.objects.count()) == ([], 0)


def test_it_is_written_once_a_week_even_if_it_is_due_again() -> None:
    user = olga()
    chosen(user)
    write_letters()
    assert WeeklyLetter.objects.get().due_at == last_week(timezone.now()).next_end
    due(user)
    write_letters()
    assert [notice.text for notice in user.notices.filter(kind="week")] == [
        "Your bots this week. Sets won: 1. New followers: 1."
    ]


def test_it_is_german_for_who_chose_it_on_a_german_page() -> None:
    user = olga()
    client = signed_in(user)
    client.post("/notices/", {"kinds": ["week"]}, headers={"accept-language": "de"})
    assert WeeklyLetter.objects.get().language == "de"
    write_letters()
    due(user)
    write_letters()
    deliver_due()
    [sent] = mail.outbox
    assert sent.subject == "Deine Bots in dieser Woche"
    assert "Gewonnene Sätze: 1 von 1." in sent.body
    assert "No more" not in sent.body


@pytest.mark.parametrize("changed", [{"confirmed_email": ""}, {"is_active": False}, {"mailed": []}])
def test_nobody_else_gets_one(changed: dict[str, Any]) -> None:
    user = olga()
    chosen(user)
    User.objects.filter(pk=user.pk).update(**changed)
    write_letters()
    assert Notice.objects.filter(kind="week").count() == 0
    assert WeeklyLetter.objects.get().due_at > timezone.now()


def test_nothing_is_sent_of_a_week_in_which_nothing_happened() -> None:
    user = olga()
    chosen(user)
    MatchSet.objects.update(ended_at=last_week(timezone.now()).begin - timedelta(days=1))
    Follow.objects.update(since=last_week(timezone.now()).end)
    write_letters()
    assert Notice.objects.filter(kind="week").count() == 0


def test_beyond_the_budget_letters_wait_for_the_next_day(monkeypatch: pytest.MonkeyPatch) -> None:
    user = olga()
    chosen(user)
    monkeypatch.setattr(weekly, "LETTERS", replace(weekly.LETTERS, most=0))
    assert write_letters() == 0
    monkeypatch.undo()
    assert write_letters() == 1
    assert user.notices.filter(kind="week").count() == 1


def test_it_is_off_until_chosen_and_no_kind_of_a_webhook() -> None:
    user = a_user()
    assert WeeklyLetter.objects.count() == 0
    assert ask("PATCH", "account", user, {"mailed": ["week"]}).json()["mailed"] == ["week"]
    assert WeeklyLetter.objects.get().user == user
    body = {"url": "https://example.org/hook", "kinds": ["week"]}
    assert ask("POST", "webhooks", user, body).status_code == 400
    ask("PATCH", "account", user, {"mailed": []})
    assert WeeklyLetter.objects.count() == 0
