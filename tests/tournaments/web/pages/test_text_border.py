"""Text comes in clean, in every field of pages and API; passwords and files stay as they are."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import SAMPLE, a_bot, a_user
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.config.plain_text import clean_text, cleaned, one_line, storable
from tournaments.features.drafts.rules import begin_draft
from tournaments.models import Bot, Complaint, User, Version

pytestmark = pytest.mark.django_db
ODD = "\0\x01\x08\x0e\x1b\x7f\x80\x9f\ufffe\uffff\ufdd0\ufdef\U0001fffe\U0010ffff"
BREAKS = "\v\f\x1c\x1d\x1e\x1f\x85"
KEPT = "tab\there, line\nends, é, ß, 中, 🎲, e\u0301, \u202b, \u2028, \u200d, \ufffd, \ufeff"


@given(st.text(st.characters()))
def test_what_is_clean_is_well_formed_in_xml_and_in_the_database(text: str) -> None:
    clean = clean_text(text)
    assert clean_text(clean) == clean
    assert ET.fromstring(f"<a>{clean.replace('&', '').replace('<', '')}</a>") is not None  # noqa: S314 - our own
    assert clean.encode().decode() == clean
    assert "\0" not in clean
    assert len(one_line(text).splitlines()) <= 1
    assert storable(text).encode().decode().count("\0") == 0


def test_nothing_is_left_of_breaks_colours_and_signs_that_turn_text_round() -> None:
    for typed, kept in (("Bio\v 1", "Bio 1"), ("a\v \f b", "a b"), ("\x1b[1;31mred\x1b[0m", "red"), ("a\u202eb", "ab")):
        assert clean_text(typed) == kept


def test_what_people_write_stays_and_words_stay_apart() -> None:
    assert clean_text(KEPT) == KEPT
    assert clean_text(f"a{ODD}b\ud800c\udfff") == "abc"
    for sign in BREAKS:
        assert clean_text(f"one{sign}two{sign}{sign}three") == "one two three", repr(sign)
    assert cleaned({"a\x1b": ["b\v", 7, None, {"c": "d\ud800"}]}) == {"a": ["b ", 7, None, {"c": "d"}]}


def bot_page(client: Client, bot: Bot, text: str) -> None:
    client.post(f"/bots/{bot.pk}/about/", {"about": text})


def bot_page_urlencoded(client: Client, bot: Bot, text: str) -> None:
    client.post(f"/bots/{bot.pk}/about/", urlencode({"about": text}), content_type="application/x-www-form-urlencoded")


@pytest.mark.parametrize("send", [bot_page, bot_page_urlencoded])
def test_a_form_of_a_page_is_cleaned_and_keeps_its_lines(send: Callable[[Client, Bot, str], None]) -> None:
    bot = a_bot(a_user("ada"))
    send(signed_in(bot.owner), bot, f"First{ODD} line\r\n\tsecond\vline")
    bot.refresh_from_db()
    assert bot.about == "First line\n\tsecond line"


@pytest.mark.parametrize("odd", [*ODD, "\ud800", "\udfff\ud800", "\x1b\0\ufffe"])
def test_the_json_of_the_api_is_cleaned(odd: str) -> None:
    answer = ask("POST", "bots", a_user(), {"game": "zaibatsu", "name": f"Ana{odd}lytical"})
    assert (answer.status_code, answer.json()["name"]) == (201, "Analytical")


def test_escapes_that_make_one_character_together_stay(pages_world: World) -> None:
    answer = ask("POST", "reports", a_user(), {"about": f"bot-{pages_world.bot.pk}", "text": "\U0001f3b2 \u2028"})
    assert answer.status_code == 201, answer.content
    assert Complaint.objects.get().text == "\U0001f3b2"


def test_the_form_of_an_upload_is_cleaned_and_its_file_is_not() -> None:
    bot, source = a_bot(a_user("ada")), SAMPLE + b"# \x0c\x1b\x7f\n"
    file = SimpleUploadedFile("bot.py", source)
    path = f"/api/v1/bots/{bot.pk}/versions"
    headers = {"Authorization": auth(bot.owner)}
    answer = Client().post(path, {"bundle": file, "note": "bids\x1b\vlower"}, headers=headers)
    assert answer.status_code == 201, answer.content
    version = Version.objects.get()
    assert (version.note, bytes(version.bundle.content)) == ("bids lower", source)


def test_the_query_of_an_upload_is_cleaned_and_its_body_is_not() -> None:
    bot, source = a_bot(a_user("ada")), SAMPLE + b"# \x0c\x1b\x7f\n"
    answer = Client().post(
        f"/api/v1/bots/{bot.pk}/versions?filename=bot.py&note=bids%1B%0Blower",
        source,
        content_type="application/octet-stream",
        headers={"Authorization": auth(bot.owner)},
    )
    assert answer.status_code == 201, answer.content
    version = Version.objects.get()
    assert (version.note, bytes(version.bundle.content)) == ("bids lower", source)


def auth(user: User) -> str:
    return f"Token {make_token(user=user, name='x')}"


def test_a_source_that_is_typed_stays_as_it_is() -> None:
    draft = begin_draft(owner=a_user("ada"), game="zaibatsu", source="one")
    sent = {"source": "a = 1\r\n\f\r\nb = '\x1b'\r\n", "filename": "bot\x1b.py", "name": "A\vbot"}
    signed_in(draft.owner).post(f"/drafts/{draft.pk}/", sent)
    draft.refresh_from_db()
    assert (draft.source, draft.filename, draft.name) == ("a = 1\n\f\nb = '\x1b'\n", "bot.py", "A bot")
    answer = ask("PATCH", f"drafts/{draft.pk}", draft.owner, {"source": "a\f\x1bb", "name": "B\x1b"})
    assert (answer.status_code, answer.json()["source"], answer.json()["name"]) == (200, "a\f\x1bb", "B")


def test_a_password_is_never_another_than_the_one_that_was_typed() -> None:
    odd, plain = "vermilion\x0btea\x1bhouse\ufffe", "vermilion tea house"
    Client().post("/sign-up/", {"username": "ni\x1bna", "password1": odd, "password2": odd})
    user = User.objects.get()
    assert (user.username, user.check_password(odd), user.check_password(plain)) == ("nina", True, False)
    assert Client().post("/sign-in/", {"username": "nina", "password": odd}).status_code == 302
    assert Client().post("/sign-in/", {"username": "nina", "password": plain}).status_code == 200
    body: dict[str, Any] = {"username": "nina", "name": "laptop\x1b"}
    assert ask("POST", "tokens", None, {**body, "password": plain}).status_code == 401
    assert ask("POST", "tokens", None, {**body, "password": odd}).json()["name"] == "laptop"
    for password in ("\ud800", "a\0b"):
        sent = json.dumps({**body, "password": password}).encode()
        assert ask("POST", "tokens", None, sent).status_code == 400


def test_a_search_finds_what_is_meant(pages_world: World) -> None:
    page = signed_in(pages_world.owner).get("/search/", {"q": f"\x1b{pages_world.bot.name}\x0b\ufffe"})
    assert (page.status_code, pages_world.bot.name in Html(page.content.decode()).text) == (200, True)
