"""What is one's own is taken away as a file, and an account is erased, by whoever shows the password again."""

import csv
import io
import json
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client

from tests.factories import a_bot, a_completed_set, a_ladder, a_trial, a_user, a_version, new_contents, play_set, rate
from tests.tournaments.web.api.asking import ask, refused
from tournaments.core.accounts.api_tokens import make_token
from tournaments.features.own_data.archive import data_files
from tournaments.ledger.competitors.uploads import upload
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Draft, Match, Seat, User, Version

pytestmark = pytest.mark.django_db
RIGHT = {"password": "the password of olga"}


def olga_with_a_bot() -> tuple[User, Version, bytes]:
    olga, data = a_user("olga"), new_contents()
    version = upload(bot=a_bot(olga, "Blend"), by=olga, data=data, filename="../../Blend.PY", note="first")
    play_set(version.check_set)
    ladder, rival = a_ladder("arena", players=2), a_version()
    for entered in (version, rival):
        enter_in_ladder(ladder=ladder, bot=entered.bot, by=entered.bot.owner)
    a_completed_set(ladder, [version, rival])
    rate()
    create_set(ladder=ladder, versions=[version.pk, rival.pk])  # is not over, and so not in the file
    Seat.objects.filter(version=version, match__set__ladder=ladder).update(stderr="thinking")
    draft = Draft.objects.create(owner=olga, game="zaibatsu", name="Next", source="print()")
    draft.states.create(source="pass", filename="bot.py", size=4, saved_at=draft.saved_at)
    make_token(user=olga, name="laptop")
    return olga, version, data


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_file_has_all_that_is_ones_own_and_no_secret() -> None:
    olga, version, data = olga_with_a_bot()
    answer: Any = signed_in(olga).post("/account/data/", RIGHT)
    assert answer["Content-Disposition"] == 'attachment; filename="boardroom-own-data.zip"'
    archive = ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert archive.testzip() is None
    assert archive.read(f"bots/{version.bot_id}-v1.py") == data
    [bot] = json.loads(archive.read("bots.json"))
    assert {"motto", "colours", "badges"} <= bot.keys()
    assert (bot["name"], bot["versions"][0]["note"], bot["ladders"][0]["ladder__slug"]) == ("Blend", "first", "arena")
    rows = list(csv.DictReader(io.StringIO(archive.read("matches.csv").decode())))
    assert [row["ladder"] for row in rows if row["ladder"]] == ["arena", "arena"]
    assert len(archive.read("ratings.csv").splitlines()) == 2
    assert json.loads(archive.read("evidence.jsonl").splitlines()[-1])["stderr"] == "thinking"
    assert {archive.read(name) for name in archive.namelist() if name.startswith("drafts/")} == {b"print()", b"pass"}
    profile = json.loads(archive.read("profile.json"))
    assert [token["name"] for token in profile["tokens"]] == ["laptop"]
    assert olga.password not in profile.values()
    assert all(".." not in name and not name.startswith("/") for name in archive.namelist())


def test_each_match_in_the_file_says_of_what_kind_it_is() -> None:
    olga, version, _ = olga_with_a_bot()
    trial = a_trial(Version.objects.get(pk=version.pk), sets=1)
    archive = dict(data_files(olga))
    rows = csv.DictReader(io.StringIO(archive["matches.csv"].decode("utf-8-sig")))
    kinds = {int(row["match"]): row["kind"] for row in rows}
    assert kinds == {match.pk: match.set.kind.value for match in Match.objects.filter(pk__in=kinds)}
    assert {*kinds.values()} == {"check", "ladder", "trial"}
    assert [kinds[match.pk] for match in Match.objects.filter(set__trial=trial, status="done")] == ["trial"] * 2


def test_neither_a_session_nor_a_token_is_enough() -> None:
    olga, other = a_user("olga"), a_user()
    token = f"Token {make_token(user=olga, name='stolen')}"
    for path in ("data", "erase"):
        wrong = {"password": "of somebody else", "name": "olga"}
        page = signed_in(olga).post(f"/account/{path}/", wrong)
        assert "This is not your password" in page.content.decode()
        body = wrong if path == "erase" else {"password": "of somebody else"}
        assert refused(ask("POST", f"account/{path}", token, body)) == (401, "bad_password")
    assert refused(ask("POST", "account/erase", token, {**RIGHT, "name": other.username})) == (409, "other_name")
    assert User.objects.get(pk=olga.pk).is_active


def test_the_api_gives_the_same_file() -> None:
    olga, version, data = olga_with_a_bot()
    answer = ask("POST", "account/data", olga, RIGHT)
    archive = ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert archive.read(f"bots/{version.bot_id}-v1.py") == data


def test_who_erases_the_account_is_signed_out_and_cannot_come_back() -> None:
    olga, version, _ = olga_with_a_bot()
    client = signed_in(olga)
    page = client.get("/account/erase/").content.decode()
    assert "What stays" in page
    assert "not the name" in client.post("/account/erase/", {**RIGHT, "name": "Olga"}).content.decode()
    answer = client.post("/account/erase/", {**RIGHT, "name": "olga"}, follow=True).content.decode()
    assert "It is erased in 3 days" in answer
    assert client.get("/account/").status_code == 302
    assert not Client().login(username="olga", **RIGHT)
    assert set(version.bot.entries.values_list("status", flat=True)) == {"withdrawn"}
