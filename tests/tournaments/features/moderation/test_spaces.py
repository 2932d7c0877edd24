"""A space's organisers moderate what is in it, and nothing outside."""

import pytest
from django.test import Client

from tests.factories import a_bot, a_ladder, a_user, a_version
from tests.spaces import a_space
from tests.tournaments.features.spaces.test_joining import refusal
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.accounts.suspension import suspension_of
from tournaments.features.moderation.actions import (
    DismissReport,
    GrantAppeal,
    LiftSuspension,
    RefuseAppeal,
    SettleReport,
    Suspend,
)
from tournaments.features.moderation.complaints import appeal, report_abuse
from tournaments.features.moderation.suspensions import end_due
from tournaments.features.moderation.take_down import Blank, Rename
from tournaments.features.spaces.actions import CloseSpace, LiftMember, SuspendMember
from tournaments.features.teams import rules as teams
from tournaments.ledger import acts
from tournaments.ledger.competitors import about_texts, uploads
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Appeal, Bot, Complaint, Entry, Notice, Space, SpaceMember, Suspension, User

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]
WORDS = "You called somebody a name"


@pytest.fixture
def space() -> Space:
    """A space of tessa, with mallory, whose account is of the whole site, and hugo, whose account was made for it."""
    made = a_space("club", organiser=a_user("tessa"), members=[a_user("mallory"), a_user("hugo"), a_user("wendy")])
    User.objects.filter(username="hugo").update(home=made)
    a_space("other", organiser=a_user("otis"))
    return made


def named(name: str) -> User:
    return User.objects.get(username=name)


def key_of(name: str) -> str:
    return f"Token {make_token(user=named(name), name='t')}"


def a_bot_in(space: Space | None, owner: User, name: str) -> Bot:
    bot = a_version(a_bot(owner, name)).bot
    Bot.objects.filter(pk=bot.pk).update(space=space)
    return Bot.objects.get(pk=bot.pk)


def second_organiser(space: Space) -> User:
    SpaceMember.objects.filter(space=space, user=named("wendy")).update(role="organiser")
    return named("wendy")


def test_a_report_comes_to_the_organisers_of_its_space_first(space: Space) -> None:
    staff, bot = a_user("stella", staff=True), a_bot_in(space, named("mallory"), "Nasty name")
    outside = a_bot(named("mallory"), "Of the site")
    for about in (f"bot-{bot.pk}", "person-hugo", f"bot-{outside.pk}", "person-mallory"):
        report_abuse(by=named("wendy"), about=about, text=f"Look at {about}.")
    assert [complaint.space for complaint in Complaint.objects.order_by("pk")] == [space, space, None, None]
    assert Notice.objects.filter(user=named("tessa"), text__contains="reports something").count() == 2
    assert not Notice.objects.filter(text__contains="wendy").exists()
    page = signed_in(named("tessa")).get("/spaces/club/reports/").content.decode()
    assert [f"Look at {word}" in page for word in (f"bot-{bot.pk}", "person-hugo", f"bot-{outside.pk}")] == [1, 1, 0]
    all_of_it = signed_in(staff).get("/desk/reports/").content.decode()
    assert all_of_it.count("Look at ") == 4
    assert "(2)" in signed_in(named("tessa")).get("/spaces/club/").content.decode()
    for name, status in (("mallory", 403), ("otis", 404)):
        answer = signed_in(named(name)).get("/spaces/club/reports/")
        assert (answer.status_code, "Look at" in answer.content.decode()) == (status, False)
        assert ask("GET", "reports", key_of(name)).json()["results"] == []
    assert Client().get("/spaces/club/reports/").status_code == 302
    assert {report["space"] for report in ask("GET", "reports", key_of("tessa")).json()["results"]} == {"club"}


def test_who_may_close_a_report(space: Space) -> None:
    bot, mine = (a_bot_in(space, named(name), f"Bot of {name}") for name in ("mallory", "tessa"))
    report_abuse(by=named("wendy"), about=f"bot-{bot.pk}", text="x")
    complaint = Complaint.objects.get()
    for name, code in (
        ("otis", (404, "unknown_report")),
        ("mallory", (403, "not_yours")),
        ("wendy", (403, "not_yours")),
    ):
        assert (
            refused(ask("POST", "acts/dismiss_report", key_of(name), {"report": complaint.pk, "reason": "x"})) == code
        )
    SettleReport(complaint).do(by=named("tessa"), reason="It has another name.")
    assert "another name" in Notice.objects.get(user=named("wendy")).text
    report_abuse(by=named("mallory"), about=f"bot-{mine.pk}", text="x")
    about_her = Complaint.objects.get(space=space, status="open")
    DismissReport(about_her).do(by=named("tessa"), reason="Nobody else is here.")
    report_abuse(by=named("hugo"), about=f"bot-{mine.pk}", text="x")
    about_her, other = Complaint.objects.get(space=space, status="open"), second_organiser(space)
    assert refusal(DismissReport(about_her).do, by=named("tessa"), reason="x") == "own_report"
    assert "Bot of tessa" not in signed_in(named("tessa")).get("/spaces/club/reports/").content.decode()
    DismissReport(about_her).do(by=other, reason="It is fine.")


def test_renames_and_blanks_reach_what_is_in_the_space_alone(space: Space) -> None:
    tessa, otis = named("tessa"), named("otis")
    inside, outside = a_bot_in(space, named("mallory"), "Nasty name"), a_bot(named("mallory"), "Nasty too")
    User.objects.update(about="Mean words.")
    Rename(name="Nice name", bot=inside).do(by=tessa, reason="x")
    hugo = Rename(name="horace", user=named("hugo")).do(by=tessa, reason="x")
    assert (hugo.space, named("horace").home) == (space, space)
    assert Blank(user=named("horace")).do(by=tessa, reason="x").space == space
    for act in (
        Rename(name="Nice too", bot=outside),
        Rename(name="melanie", user=named("mallory")),
        Blank(user=named("mallory")),
        Suspend(named("mallory"), WORDS),
        acts.Deactivate(named("horace")),
        acts.Disqualify(owner=named("mallory")),
    ):
        assert refusal(act.do, by=tessa, reason="x") == "not_organiser"
    for act in (Rename(name="Other", bot=inside), Rename(name="other", user=named("horace"))):
        assert refusal(act.do, by=otis, reason="x") == "not_organiser"
    crew = teams.create_team(name="Nasty crew", by=named("horace"))
    Rename(name="Nice crew", team=crew).do(by=tessa, reason="x")
    teams.invite_to_team(team=crew, user=named("mallory"), by=named("horace"))
    teams.answer_team_invitation(team=crew, by=named("mallory"), joins=True)
    assert refusal(Rename(name="My crew", team=crew).do, by=tessa, reason="x") == "not_organiser"
    SpaceMember.objects.create(space=Space.objects.get(slug="other"), user=named("horace"))
    assert refusal(Rename(name="hubert", user=named("horace")).do, by=tessa, reason="x") == "not_organiser"


def test_who_is_suspended_in_a_space_writes_nothing_there_and_everything_elsewhere(space: Space) -> None:
    tessa, mallory = named("tessa"), named("mallory")
    inside, outside = a_bot_in(space, mallory, "Inside"), a_bot_in(None, mallory, "Outside")
    ladder, open_one = a_ladder("club-main", players=2, space=space), a_ladder("main", players=2)
    for bot, where in ((inside, ladder), (outside, open_one)):
        enter_in_ladder(ladder=where, bot=bot, by=mallory)
    act = SuspendMember(space, mallory, WORDS).do(by=tessa, reason="Insults.")
    assert (act.space, WORDS in str(act.detail), "mallory" in act.subject) == (space, False, False)
    states = {entry.bot: entry.status for entry in Entry.objects.all()}
    assert (states[inside], states[outside]) == ("suspended", "playing")
    assert suspension_of(mallory) is None
    text = Notice.objects.get(user=mallory, key=f"act {act.number}").text
    assert ("in Club" in text, WORDS in text) == (True, True)
    assert WORDS in signed_in(mallory).get("/spaces/club/").content.decode()
    second = a_ladder("club-second", players=2, space=space)
    for verb, more in (
        (enter_in_ladder, {"ladder": second, "bot": inside, "by": mallory}),
        (uploads.upload, {"bot": inside, "by": mallory, "data": b"print()", "filename": "bot.py"}),
        (uploads.create_bot, {"owner": mallory, "game": "zaibatsu", "name": "Third", "space": space}),
        (about_texts.describe_bot, {"bot": inside, "about": "mean", "by": mallory}),
        (report_abuse, {"by": mallory, "about": f"bot-{inside.pk}", "text": "x"}),
    ):
        assert refusal(verb, **more) == "account_suspended", verb
    about_texts.describe_bot(bot=outside, about="kind", by=mallory)
    uploads.create_bot(owner=mallory, game="zaibatsu", name="Third", space=None)
    LiftMember(space, mallory).do(by=tessa, reason="All is well.")
    assert Entry.objects.get(bot=inside).status == "playing"
    about_texts.describe_bot(bot=inside, about="kind", by=mallory)


def test_two_suspensions_end_one_after_the_other(space: Space) -> None:
    staff, tessa, mallory = a_user("stella", staff=True), named("tessa"), named("mallory")
    bot, ladder = a_bot_in(space, mallory, "Inside"), a_ladder("club-main", players=2, space=space)
    enter_in_ladder(ladder=ladder, bot=bot, by=mallory)
    SuspendMember(space, mallory, WORDS).do(by=tessa, reason="x")
    Suspend(mallory, WORDS).do(by=staff, reason="x")
    LiftMember(space, mallory).do(by=tessa, reason="x")
    assert Entry.objects.get(bot=bot).status == "suspended", "the account is suspended still"
    LiftSuspension(mallory).do(by=staff, reason="x")
    assert Entry.objects.get(bot=bot).status == "playing"
    assert end_due() == 0


def test_who_suspends_whom(space: Space) -> None:
    tessa, mallory, other = named("tessa"), named("mallory"), second_organiser(space)
    assert refusal(SuspendMember(space, other, WORDS).do, by=tessa, reason="x") == "organiser"
    assert refusal(SuspendMember(space, named("otis"), WORDS).do, by=tessa, reason="x") == "not_member"
    assert refusal(SuspendMember(space, mallory, WORDS).do, by=named("otis"), reason="x") == "not_organiser"
    assert refusal(SuspendMember(space, mallory, WORDS).do, by=mallory, reason="x") == "not_organiser"
    assert refusal(LiftMember(space, mallory).do, by=tessa, reason="x") == "wrong_status"
    body = {"space": "club", "user": "mallory", "words": WORDS, "reason": "x"}
    assert refused(ask("POST", "acts/suspend_member", key_of("otis"), body)) == (404, "unknown_space")
    assert ask("POST", "acts/suspend_member", key_of("tessa"), body).status_code == 201
    assert refusal(SuspendMember(space, mallory, WORDS).do, by=other, reason="x") == "wrong_status"
    assert Suspension.objects.count() == 1


def test_an_appeal_goes_to_another_organiser_of_the_space_or_of_the_site(space: Space) -> None:
    tessa, mallory = named("tessa"), named("mallory")
    act = SuspendMember(space, mallory, WORDS).do(by=tessa, reason="Insults.")
    page = signed_in(mallory).post(f"/appeals/{act.number}/", {"text": "It was a joke."})
    assert page.status_code == 302
    lodged = Appeal.objects.get()
    assert "It was a joke." in signed_in(tessa).get("/spaces/club/reports/").content.decode()
    assert refusal(GrantAppeal(lodged).do, by=named("otis"), reason="x") == "not_organiser"
    other = second_organiser(space)
    assert refusal(GrantAppeal(lodged).do, by=tessa, reason="x") == "own_act"
    GrantAppeal(lodged).do(by=other, reason="It was.")
    assert suspension_of(mallory, space.pk) is None
    again = SuspendMember(space, mallory, WORDS).do(by=tessa, reason="Insults.")
    SpaceMember.objects.filter(user=other).update(role="member")
    staff = a_user("stella", staff=True)
    asked = appeal(by=mallory, act=again, text="Why?")
    assert refusal(RefuseAppeal(asked).do, by=tessa, reason="x") == "own_act"
    assert ask("GET", "appeals", key_of("otis")).json()["results"] == []
    RefuseAppeal(asked).do(by=staff, reason="It stays.")


def test_in_a_closed_space_an_organiser_of_the_site_who_is_alone_answers(space: Space) -> None:
    staff, mallory = a_user("stella", staff=True), named("mallory")
    asked = appeal(by=mallory, act=SuspendMember(space, mallory, WORDS).do(by=staff, reason="x"), text="Why?")
    assert refusal(RefuseAppeal(asked).do, by=staff, reason="x") == "own_act"
    CloseSpace(space).do(by=staff, reason="x")
    assert "only one organiser" in str(RefuseAppeal(asked).do(by=staff, reason="It stays.").detail)
