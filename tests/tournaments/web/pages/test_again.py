"""Whoever's session ends while they type loses none of it, and nothing is done that they did not send themselves."""

import re
from html import unescape
from secrets import token_hex

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.factories import a_bot, a_user
from tests.tournaments.core.accounts.test_second_factor import code_of, with_factor
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.models import ApiToken, Bot, User
from tournaments.web.pages.form_recovery import MOST, Typed, sealed_form, unsealed_form

pytestmark = pytest.mark.django_db
OLGA = {"username": "olga", "password": "the password of olga"}
NASTY = '"><script>alert(1)</script>\n\r\n  </textarea>'


def kept_in(page: str) -> str:
    field = re.search(r'name="kept" value="([^"]*)"', page)
    return unescape(field[1]) if field else ""


def values_in(page: str) -> dict[str, str]:
    return {
        name: unescape(value)
        for name, value in re.findall(r'<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</', page, re.DOTALL)
    }


def test_who_was_signed_out_signs_in_on_the_spot_and_finds_all_they_typed() -> None:
    user, client = a_user("olga"), Client()
    answer = client.post("/tokens/", {"name": "my laptop", "days": "30"})
    page = answer.content.decode()
    assert (answer.status_code, Html(page).faults()) == (200, [])
    assert "What you typed is kept" in page
    back = client.post("/sign-in/", {**OLGA, "kept": kept_in(page)})
    shown = back.content.decode()
    assert (back.status_code, Html(shown).faults()) == (200, [])
    assert values_in(shown) == {"name": "my laptop", "days": "30"}
    assert 'action="/tokens/"' in shown
    assert not ApiToken.objects.exists()  # nothing is sent by itself
    client.post("/tokens/", {**values_in(shown), "password": OLGA["password"]})
    assert ApiToken.objects.get().user == user


def test_a_wrong_password_on_the_way_loses_nothing() -> None:
    a_user("olga")
    kept = sealed_form(Typed("/tokens/", [("name", "my laptop")]))
    page = Client().post("/sign-in/", {**OLGA, "password": "wrong", "kept": kept}).content.decode()
    assert kept_in(page) == kept


def test_a_second_factor_on_the_way_loses_nothing() -> None:
    user = a_user("olga")
    with_factor(user)
    kept, client = sealed_form(Typed("/tokens/", [("name", "my laptop")])), Client()
    half = client.post("/sign-in/", {**OLGA, "kept": kept}).content.decode()
    assert kept_in(half) == kept
    done = client.post("/sign-in/code/", {"code": code_of(user), "kept": kept_in(half)})
    assert values_in(done.content.decode()) == {"name": "my laptop"}


def test_passwords_codes_and_files_do_not_travel_and_are_asked_for_anew(pages_world: World) -> None:
    form = {"old_password": "hush hush", "code": "123456", "email": "o@example.org"}
    page = Client().post("/account/", form).content.decode()
    typed = unsealed_form(kept_in(page))
    assert typed == Typed("/account/", [["email", "o@example.org"]], ["old_password", "code"])  # type: ignore[list-item]
    with open(__file__, "rb") as file:  # noqa: PTH123
        page = Client().post("/upload/", {"name": "Orchid", "file": file}).content.decode()
    assert unsealed_form(kept_in(page)).files == ["file"]  # type: ignore[union-attr]
    back = Client().post("/sign-in/", {**OLGA, "kept": kept_in(page)}).content.decode()
    assert 'enctype="multipart/form-data"' in back
    assert '<input type="file"' in back


def test_what_is_shown_again_is_words_and_never_markup() -> None:
    a_user("olga")
    page = Client().post("/tokens/", {"name": NASTY, NASTY: "x"}).content.decode()
    back = Client().post("/sign-in/", {**OLGA, "kept": kept_in(page)}).content.decode()
    assert "<script>alert" not in back
    assert Html(back).faults() == []
    assert values_in(back)["name"] == NASTY


@pytest.mark.parametrize("away", ["https://evil.example/", "//evil.example/", "/tokens/"])
def test_only_what_the_site_has_sealed_comes_back(away: str) -> None:
    a_user("olga")
    forged = sealed_form(Typed(away, [("name", "x")]))[:-2] + "xx"
    done = Client().post("/sign-in/", {**OLGA, "kept": forged})
    assert (done.status_code, done["Location"], done.content) == (302, "/", b"")


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example/x"])
def test_no_address_leads_to_another_site(path: str) -> None:
    page = Client().post("/tokens/", {"name": "x"}, PATH_INFO=path).content.decode()
    assert "evil" not in str(unsealed_form(kept_in(page)) or "")


def test_more_than_anybody_types_is_not_carried_about_but_stands_there_until_one_has_signed_in() -> None:
    source = token_hex(MOST)  # packs to more than half
    page = Client().post("/drafts/1/", {"source": source}).content.decode()
    assert (kept_in(page), values_in(page)) == ("", {"source": source})
    assert "sign in in another tab" in page
    assert Client().post("/tokens/").status_code == 302  # where nothing was typed there is nothing to keep


def test_who_signed_in_meanwhile_in_another_tab_finds_it_too() -> None:
    client = signed_in(a_user("olga"))
    kept = sealed_form(Typed("/tokens/", [("name", "my laptop")]))
    assert values_in(client.post("/sign-in/", {**OLGA, "kept": kept}).content.decode()) == {"name": "my laptop"}


def strict(user: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    return client


def test_a_form_that_is_too_old_is_shown_filled_with_a_fresh_token() -> None:
    client = strict(a_user("olga"))
    old = client.post("/tokens/", {"name": "my laptop", "days": "30"}, headers={"Origin": "http://testserver"})
    page = old.content.decode()
    assert (old.status_code, Html(page).faults()) == (403, [])
    assert not ApiToken.objects.exists()
    fresh = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.split("<main")[1])
    assert fresh
    client.post("/tokens/", {**values_in(page), "csrfmiddlewaretoken": fresh[1], "password": OLGA["password"]})
    assert ApiToken.objects.get().name == "my laptop"


@pytest.mark.parametrize("origin", [None, "http://testserver"])
@pytest.mark.parametrize("path", ["/sign-in/", "/sign-up/", "/sign-in/code/", "/lost-password/"])
def test_who_blocks_cookies_is_told_so_and_not_that_the_form_is_too_old(path: str, origin: str | None) -> None:
    a_user("olga")
    client, headers = Client(enforce_csrf_checks=True), {"Origin": origin} if origin else {}
    answer = client.post(path, OLGA, headers=headers)
    page = Html(answer.content.decode())
    assert (answer.status_code, page.faults()) == (403, [])
    assert "Cookies are needed" in page.text
    assert "sent no cookie with this form" in page.text
    assert "too old" not in answer.content.decode()


def test_a_form_of_another_site_or_another_session_is_no_question_of_cookies() -> None:
    evil = Client(enforce_csrf_checks=True).post("/sign-in/", OLGA, headers={"Origin": "https://evil.example"})
    other = strict(a_user("olga")).post("/tokens/", {"name": "x"})
    assert ["Cookies are needed" in answer.content.decode() for answer in (evil, other)] == [False, False]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example", ""])
def test_what_another_site_has_sent_is_never_shown_as_a_form_of_ours(origin: str) -> None:
    client, headers = strict(a_user("olga")), {"Origin": origin} if origin else {}
    page = client.post("/tokens/", {"name": "my laptop", "days": "30"}, headers=headers)
    assert page.status_code == 403
    assert "my laptop" not in page.content.decode()


def test_an_action_of_somebody_signed_out_is_done_by_nobody() -> None:
    bot = a_bot(a_user("olga"))
    Client().post(f"/bots/{bot.pk}/gate/", {"gate": "ask"})
    assert Bot.objects.get().gate == "off"


@pytest.mark.parametrize(("path", "status"), [("/teams/77/about/", 404), ("/bots/{bot}/about/", 403)])
def test_the_page_of_an_error_gives_back_what_was_typed(path: str, status: int) -> None:
    path = path.format(bot=a_bot().pk)
    page = signed_in(a_user("olga")).post(path, {"about": NASTY})
    shown = page.content.decode()
    assert (page.status_code, Html(shown).faults(), values_in(shown)) == (status, [], {"about": NASTY})
    assert f'action="{path}"' in shown


def test_an_error_that_another_site_led_to_gives_nothing_back() -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.post("/nowhere/", {"about": "theirs"}, headers={"Origin": "https://evil.example"})
    assert page.status_code == 404
    assert "theirs" not in page.content.decode()


def test_an_organiser_without_the_second_factor_that_is_needed_keeps_what_they_typed(settings: Settings) -> None:
    settings.STAFF_NEED_SECOND_FACTOR = True
    page = signed_in(a_user("stella", staff=True)).post("/desk/acts/announce/", {"text": "A long announcement."})
    assert page.status_code == 403
    assert values_in(page.content.decode()) == {"text": "A long announcement."}


def test_a_sign_in_that_took_too_long_to_bring_its_code_loses_nothing() -> None:
    kept = sealed_form(Typed("/tokens/", [("name", "my laptop")]))
    page = Client().post("/sign-in/code/", {"code": "123456", "kept": kept}).content.decode()
    assert unsealed_form(kept_in(page)) == unsealed_form(kept)
