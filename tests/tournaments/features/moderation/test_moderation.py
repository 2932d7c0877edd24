"""Reports, suspensions and appeals: each an act with its reason, and nobody is shamed by the log."""

import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, an_upload
from tests.holding import an_event
from tests.practising import a_practice
from tests.tournaments.web.api.asking import ask, refused
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.accounts.suspension import suspension_of
from tournaments.core.errors import Refused
from tournaments.features.events.registration import register
from tournaments.features.moderation.actions import (
    DismissReport,
    GrantAppeal,
    LiftSuspension,
    RefuseAppeal,
    SettleReport,
    Suspend,
)
from tournaments.features.moderation.complaints import A_DAY, LONGEST, OPEN_AT_MOST, appeal, report_abuse
from tournaments.features.moderation.suspensions import end_due
from tournaments.features.moderation.take_down import Blank, Rename
from tournaments.features.teams import rules as teams
from tournaments.ledger import acts
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.ladder_sets import pair
from tournaments.models import Act, Appeal, Complaint, Entry, Notice, Suspension, User, Version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]
WORDS = "You called somebody a name in the text of your bot"


@pytest.fixture
def olga() -> User:
    return a_user("olga", staff=True)


@pytest.fixture
def vera() -> User:
    return a_user("vera", staff=True)


@pytest.fixture
def mallory() -> User:
    return a_user("mallory")


def suspended(user: User, by: User, **until: Any) -> Act:
    return Suspend(user, WORDS, **until).do(by=by, reason="Insults.")


def refusal(verb: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        verb()
    return refused.value.code


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


# --- suspensions -------------------------------------------------------------------------------------------------


def test_who_is_suspended_writes_nothing_and_its_results_stay(olga: User, mallory: User) -> None:
    ladder, versions = a_ladder("arena", players=2), [a_version(a_bot(mallory)), a_version(), a_version()]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    a_completed_set(ladder, versions[:2])
    practice = a_practice(mallory, a_ladder("practice"))
    before, token = client_of(mallory), f"Token {make_token(user=mallory, name='of before')}"
    suspended(mallory, olga)

    bot = versions[0].bot
    assert Entry.objects.get(bot=bot).status == "suspended"
    assert pair() > 0
    assert not ladder.sets.filter(status="open", matches__seats__version__bot=bot).exists()
    assert bot.pk in {line.bot_id for line in standings(ladder)}
    for path, form in (
        (f"/bots/{bot.pk}/about/", {"about": "mean words"}),
        ("/teams/", {"name": "Gang"}),
        ("/upload/", {"name": "Another"}),
        (f"/play/{practice.pk}/", {"turn": "0"}),
    ):
        page = before.post(path, form)
        assert (page.status_code, WORDS in page.content.decode()) == (403, True), path
    assert before.get("/account/").status_code == 200
    for method, path, body in (
        ("PATCH", f"bots/{bot.pk}", {"about": "mean"}),
        ("POST", "bots", {"game": "zaibatsu", "name": "One more"}),
        ("POST", f"practices/{practice.pk}/answers", {"turn": 0, "action": {}}),
        ("POST", "reports", {"about": f"bot-{versions[1].bot_id}", "text": "x"}),
    ):
        assert refused(ask(method, path, token, body)) == (403, "account_suspended")
    assert ask("GET", "account", token).status_code == 200
    assert ask("POST", "notices/read", token).status_code == 204
    for verb in (
        lambda: an_upload(bot),
        lambda: enter_in_ladder(ladder=a_ladder(players=2), bot=bot, by=mallory),
        lambda: register(event=an_event([versions[1].bot]), bot=bot, by=mallory),
    ):
        assert refusal(verb) == "account_suspended"


def test_a_team_does_not_play_on_with_its_bots(olga: User, mallory: User) -> None:
    mate, ladder, version = a_user("mate"), a_ladder(players=2), a_version(a_bot(mallory))
    enter_in_ladder(ladder=ladder, bot=version.bot, by=mallory)
    team = teams.create_team(name="The two", by=mallory)
    teams.invite_to_team(team=team, user=mate, by=mallory)
    teams.answer_team_invitation(team=team, by=mate, joins=True)
    teams.give_bot(bot=version.bot, team=team, by=mallory)
    suspended(mallory, olga)
    version.bot.refresh_from_db()
    assert refusal(lambda: enter_in_ladder(ladder=a_ladder(players=2), bot=version.bot, by=mate)) == "account_suspended"
    a_version(mate_s := a_bot(mate))
    enter_in_ladder(ladder=ladder, bot=mate_s, by=mate)  # their own play on
    assert {entry.bot: entry.status for entry in ladder.entries.all()}[version.bot] == "suspended"


def test_it_ends_by_itself_and_what_was_out_before_stays_out(olga: User, mallory: User) -> None:
    ladder = a_ladder(players=2)
    plays, forfeits = (a_version(a_bot(mallory)) for _ in range(2))
    for version in (plays, forfeits):
        enter_in_ladder(ladder=ladder, bot=version.bot, by=mallory)
    Entry.objects.filter(bot=forfeits.bot).update(status="suspended")
    suspended(mallory, olga, until=timezone.now() + timedelta(days=3))
    assert end_due() == 0
    Suspension.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert suspension_of(mallory) is None  # at once
    assert end_due() == 1
    assert {entry.bot: entry.status for entry in ladder.entries.all()} == {
        plays.bot: "playing",
        forfeits.bot: "suspended",
    }
    assert end_due() == 0
    assert "the time is over" in Notice.objects.filter(user=mallory).latest("pk").text


def test_the_log_names_nobody_and_whom_it_is_about_reads_why(olga: User, mallory: User) -> None:
    act = suspended(mallory, olga)
    text = json.dumps([act.subject, act.reason, act.detail])
    assert "mallory" not in text
    assert WORDS not in text
    assert WORDS in Notice.objects.get(user=mallory).text
    client = Client()
    page = client.post("/sign-in/", {"username": "mallory", "password": "the password of mallory"}, follow=True)
    assert f"/appeals/{act.number}/" in page.content.decode()
    lifted = LiftSuspension(mallory).do(by=olga, reason="All is well.")
    assert "mallory" not in json.dumps([lifted.subject, lifted.detail])
    assert client.post("/teams/", {"name": "Good people"}).status_code == 302


def test_nobody_suspends_organisers_themselves_or_twice(olga: User, vera: User, mallory: User) -> None:
    assert refusal(lambda: suspended(olga, olga)) == "organiser"
    assert refusal(lambda: suspended(vera, olga)) == "organiser"
    assert refusal(lambda: suspended(mallory, mallory)) == "not_organiser"
    assert refusal(lambda: suspended(mallory, olga, until=timezone.now())) == "bad_time"
    assert refusal(lambda: LiftSuspension(mallory).do(by=olga, reason="x")) == "wrong_status"
    suspended(mallory, olga)
    assert refusal(lambda: suspended(mallory, vera)) == "wrong_status"


# --- reports -----------------------------------------------------------------------------------------------------


def test_a_report_is_for_organisers_and_its_writer_is_told_what_came_of_it(olga: User, mallory: User) -> None:
    writer, bot = a_user("wendy"), a_bot(mallory, "nasty name")
    page = client_of(writer).post(f"/report/?about=bot-{bot.pk}", {"text": "Its name\r\ninsults."})
    assert (page.status_code, page["Location"]) == (302, f"/bots/{bot.pk}/")
    complaint = Complaint.objects.get()
    assert complaint.text == "Its name\ninsults."
    desk = client_of(olga).get("/desk/reports/").content.decode()
    assert "wendy" in desk
    assert "nasty name" in desk
    Rename(name="Nice name", bot=bot).do(by=olga, reason="Its name insulted.")
    act = SettleReport(complaint).do(by=olga, reason="It has another name now.")
    assert "wendy" not in json.dumps([act.subject, act.reason, act.detail])
    assert "another name now" in Notice.objects.get(user=writer).text
    assert not [
        notice for notice in Notice.objects.filter(user=mallory) if "report" in notice.text or "wendy" in notice.text
    ]
    assert refusal(lambda: DismissReport(complaint).do(by=olga, reason="x")) == "wrong_status"


def test_floods_and_odd_bytes_are_refused(mallory: User) -> None:
    bots, token = [a_bot() for _ in range(OPEN_AT_MOST + 1)], f"Token {make_token(user=mallory, name='x')}"
    for bot in bots[:-1]:
        report_abuse(by=mallory, about=f"bot-{bot.pk}", text="bad")
    assert refusal(lambda: report_abuse(by=mallory, about=f"bot-{bots[0].pk}", text="bad")) == "reported"
    assert refused(ask("POST", "reports", token, {"about": f"bot-{bots[-1].pk}", "text": "x"}))[1] == "too_many_reports"
    Complaint.objects.update(status="dismissed")
    for _ in range(A_DAY - OPEN_AT_MOST):
        report_abuse(by=mallory, about=f"bot-{bots[-1].pk}", text="bad")
        Complaint.objects.update(status="dismissed")
    assert refusal(lambda: report_abuse(by=mallory, about=f"bot-{bots[-1].pk}", text="x")) == "too_many_reports"
    client = client_of(mallory)
    long = client.post(f"/report/?about=bot-{bots[0].pk}", {"text": "é" * 1_000_000})
    assert long.status_code in (413, 422)
    typed = client.post(f"/report/?about=bot-{bots[0].pk}", {"text": "é" * (LONGEST + 1)})
    assert (typed.status_code, "é" * (LONGEST + 1) in typed.content.decode()) == (422, True)
    assert ask("POST", "reports", token, {"about": "bot-1", "text": "\0"}).status_code == 400
    assert ask("POST", "reports", token, {"about": "bot-1", "text": 7}).status_code == 400


@pytest.mark.parametrize(
    "about",
    [
        "",
        "bot",
        "bot-",
        "bot--1",
        "bot-0",
        "bot-9999999999999999999",
        "bot-²",
        "dog-1",
        "person-",
        "note-1",
        "x" * 9999,
    ],
)
def test_what_is_not_there_cannot_be_reported(about: str, mallory: User) -> None:
    assert refusal(lambda: report_abuse(by=mallory, about=about, text="bad")) == "unknown_subject"
    assert client_of(mallory).get("/report/", {"about": about}).status_code == 404


def test_a_note_of_somebody_elses_version_can_be_neither_reported_nor_read_by_that(mallory: User) -> None:
    version = a_version()
    Version.objects.filter(pk=version.pk).update(note="bids lower")
    assert refusal(lambda: report_abuse(by=mallory, about=f"note-{version.pk}", text="bad")) == "unknown_subject"
    assert client_of(mallory).get("/report/", {"about": f"note-{version.pk}"}).status_code == 404
    report_abuse(by=version.bot.owner, about=f"note-{version.pk}", text="My team wrote it.")


def test_an_organiser_who_is_reported_neither_sees_nor_decides_it(olga: User, vera: User) -> None:
    report_abuse(by=a_user("wendy"), about="person-olga", text="She favours her friends.")
    complaint = Complaint.objects.get()
    assert "favours" not in client_of(olga).get("/desk/reports/").content.decode()
    token = f"Token {make_token(user=olga, name='x')}"
    assert ask("GET", "reports", token).json()["results"] == []
    assert refusal(lambda: DismissReport(complaint).do(by=olga, reason="x")) == "own_report"
    assert "favours" in client_of(vera).get("/desk/reports/").content.decode()
    User.objects.filter(pk=vera.pk).update(is_staff=False)
    DismissReport(complaint).do(by=olga, reason="There is nobody else to look at it.")


# --- appeals -----------------------------------------------------------------------------------------------------


def test_who_is_suspended_appeals_once_and_another_organiser_answers(olga: User, vera: User, mallory: User) -> None:
    act = suspended(mallory, olga)
    client = client_of(mallory)
    assert WORDS in client.get(f"/appeals/{act.number}/").content.decode()
    assert client.post(f"/appeals/{act.number}/", {"text": "It was a joke."}).status_code == 302
    lodged = Appeal.objects.get()
    token = f"Token {make_token(user=mallory, name='x')}"
    assert refused(ask("POST", "appeals", token, {"act": act.number, "text": "again"})) == (409, "appealed")
    assert client.post(f"/appeals/{act.number}/", {"text": "again"}).status_code == 422
    assert "It was a joke." in client_of(vera).get("/desk/reports/").content.decode()
    assert refusal(lambda: GrantAppeal(lodged).do(by=olga, reason="x")) == "own_act"
    answer = GrantAppeal(lodged).do(by=vera, reason="It was.")
    assert "mallory" not in json.dumps([answer.subject, answer.detail])
    assert suspension_of(mallory) is None
    assert "granted: It was." in Notice.objects.get(user=mallory, key=f"appeal {lodged.pk}").text
    assert refusal(lambda: RefuseAppeal(lodged).do(by=vera, reason="x")) == "wrong_status"


def test_only_whom_an_act_concerns_appeals_against_it(olga: User, mallory: User) -> None:
    bot = a_bot(mallory, "nasty name")
    renamed = Rename(name="Nice name", bot=bot).do(by=olga, reason="x")
    called = Rename(name="melanie", user=mallory).do(by=olga, reason="x")
    User.objects.filter(pk=mallory.pk).update(about="mean words")
    mallory.refresh_from_db()
    blanked = Blank(user=mallory).do(by=olga, reason="x")
    paused = acts.Pause(a_ladder()).do(by=olga, reason="x")
    for act in (renamed, called, blanked):
        assert refusal(partial(appeal, by=a_user(), act=act, text="why?")) == "not_concerned"
        assert appeal(by=mallory, act=act, text="why?").status == "open"
    assert refusal(lambda: appeal(by=mallory, act=paused, text="why?")) == "not_concerned"
    assert client_of(a_user()).get(f"/appeals/{renamed.number}/").status_code == 404
    assert client_of(mallory).get("/appeals/999999/").status_code == 404
    lodged = Appeal.objects.get(act=renamed)
    assert "only one organiser" in str(RefuseAppeal(lodged).do(by=olga, reason="It stays.").detail)
