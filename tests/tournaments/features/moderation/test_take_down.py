"""Abusive names and texts are taken down by an act, and the log repeats none of them."""

import json
from hashlib import sha256

import pytest
from django.test import Client

from tests.factories import a_bot, a_user, a_version
from tests.tournaments.web.api.asking import ask
from tournaments.core.errors import Refused
from tournaments.features.moderation.subjects import said_by
from tournaments.features.moderation.take_down import Blank, Rename
from tournaments.features.teams.rules import create_team
from tournaments.ledger.acts.base import Action
from tournaments.models import Act, Bot, Team, User

pytestmark = pytest.mark.django_db
RUDE = "Rude words"


def do(action: Action) -> Act:
    return action.do(by=a_user(staff=True), reason="it insults people")


def refusal(action: Action) -> str:
    with pytest.raises(Refused) as refused:
        do(action)
    return refused.value.code


def test_a_bot_and_a_team_are_renamed_their_people_told_and_the_log_repeats_nothing() -> None:
    owner = a_user()
    bot, team = a_bot(owner, RUDE), create_team(name=RUDE, by=owner)
    for action in (Rename(name="Fine words", bot=bot), Rename(name="Fine words", team=team)):
        act = do(action)
        assert RUDE not in json.dumps([act.subject, act.detail])
        assert sha256(RUDE.encode()).hexdigest() in json.dumps(act.detail)
        assert owner.notices.filter(key=f"act {act.number}", text__contains="it insults people").exists()
    assert (Bot.objects.get().name, Team.objects.get().name) == ("Fine words", "Fine words")


def test_a_person_is_renamed_and_signs_in_with_either_name() -> None:
    user = a_user("Rude-words")
    act = do(Rename(name="fine-words", user=user))
    assert (act.subject, "Rude-words" in json.dumps(act.detail)) == (f"account {user.pk}", False)
    assert User.objects.get(pk=user.pk).username == "fine-words"
    for name in ("Rude-words", "fine-words"):
        assert Client().login(username=name, password="the password of Rude-words")
    for name, code in (("two words", "bad_name"), (a_user().username.upper(), "name_taken")):
        assert refusal(Rename(name=name, user=user)) == code


def test_what_was_written_about_a_bot_a_team_a_person_or_a_version_is_blanked() -> None:
    version = a_version()
    bot, owner = version.bot, version.bot.owner
    team = create_team(name="The crew", by=owner)
    for row, column in ((bot, "about"), (team, "about"), (owner, "about"), (version, "note")):
        setattr(row, column, RUDE)
        row.save()
    for action in (Blank(bot=bot), Blank(team=team), Blank(user=owner), Blank(version=version)):
        assert RUDE not in json.dumps(do(action).detail)
        assert refusal(action) == "nothing_changes"
    assert [type(row).objects.get(pk=row.pk).about for row in (bot, team, owner)] == ["", "", ""]
    version.refresh_from_db()
    assert (version.note, owner.notices.filter(kind="act").count()) == ("", 4)


def test_a_bots_motto_is_blanked_with_its_description_and_stands_in_a_report() -> None:
    bot = a_bot()
    Bot.objects.filter(pk=bot.pk).update(motto=RUDE)
    bot.refresh_from_db()
    assert said_by(bot) == RUDE
    assert RUDE not in json.dumps(do(Blank(bot=bot)).detail)
    assert Bot.objects.get().motto == ""


def test_a_name_that_organisers_give_is_one_that_anybody_could_have() -> None:
    bot, other = a_bot(name=RUDE), a_bot(name="Other")
    for name, code in (("x", "bad_name"), ("0ther", "name_taken"), (RUDE, "nothing_changes")):
        assert refusal(Rename(name=name, bot=bot)) == code
    assert refusal(Rename(name="Fine words")) == "whom"
    assert refusal(Blank(bot=bot, user=other.owner)) == "whom"
    do(Rename(name="rude-words", bot=bot))  # its own name is in nobody's way


def test_the_api_and_the_desk_have_the_same_acts() -> None:
    stella, bot = a_user("stella", staff=True), a_bot(name=RUDE)
    body = {"bot": bot.pk, "name": "Fine words", "reason": "it insults people"}
    assert ask("POST", "acts/rename", stella, {**body, "preview": True}).status_code == 200
    assert ask("POST", "acts/rename", stella, body).status_code == 201
    assert ask("POST", "acts/rename", bot.owner, body).status_code == 403
    User.objects.filter(pk=bot.owner_id).update(about=RUDE)
    assert ask("POST", "acts/blank", stella, {"user": bot.owner.username, "reason": "x"}).status_code == 201
    assert User.objects.get(pk=bot.owner_id).about == ""
