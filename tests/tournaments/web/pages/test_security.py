import contextlib

import pytest
from django.conf import settings
from django.test import Client

from tests.factories import a_bot, a_ladder, a_user
from tests.tournaments.web.pages.html import Html

pytestmark = pytest.mark.django_db


def policy_of(path: str) -> dict[str, str]:
    with contextlib.closing(Client().get(path)) as answer:
        header = answer.headers["Content-Security-Policy"]
    return dict(rule.split(" ", 1) for rule in header.split("; "))


def static(name: str) -> bytes:
    with contextlib.closing(Client().get(f"/static/boardroom/{name}")) as answer:
        assert answer.status_code == 200
        return answer.getvalue()


@pytest.mark.parametrize("path", ["/", "/nowhere/", "/sign-in/", "/static/boardroom/site.css"])
def test_pages_take_everything_from_here_and_nothing_written_in_place(path: str) -> None:
    policy = policy_of(path)
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert "unsafe" not in str(policy)


@pytest.mark.parametrize("path", ["/api/v1/docs/", "/admin/login/"])
def test_pages_of_other_people_may_style_in_place_but_never_script_in_place(path: str) -> None:
    policy = policy_of(path)
    assert policy["style-src"] == "'self' 'unsafe-inline'"
    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy


def test_no_page_may_use_the_visitors_devices() -> None:
    headers = Client().get("/").headers
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("name", ["site.css", "site.js", "icon.svg"])
def test_static_files_are_served_by_the_site_itself(name: str) -> None:
    assert len(static(name)) > 100


def test_every_page_has_an_icon_even_those_that_name_none() -> None:
    assert Client().get("/favicon.ico").headers["Location"] == "/static/boardroom/icon.svg"


def test_the_style_sheet_is_small() -> None:
    assert len(static("site.css")) < 16_000


@pytest.mark.parametrize("length", [str(settings.FILE_UPLOAD_MAX_MEMORY_SIZE + 1), "9" * 30, "-1", "many", "٣"])
def test_a_body_too_large_is_refused_before_it_is_read(length: str) -> None:
    client = Client()
    client.force_login(a_user("olga"))
    page = client.post("/upload/", {"name": "x"}, headers={"Content-Length": length})
    assert page.status_code == 413
    assert "at most 5.0" in Html(page.content.decode()).text
    data = client.post("/api/v1/bots", "{}", "application/json", headers={"Content-Length": length})
    assert (data.status_code, data.json()["code"]) == (413, "too_large")


def test_a_form_without_its_token_is_refused_and_says_what_to_do() -> None:
    client = Client(enforce_csrf_checks=True)
    client.get("/sign-in/")
    answer = client.post("/sign-in/", {"username": "olga", "password": "x"})
    assert answer.status_code == 403
    page = Html(answer.content.decode())
    assert page.faults() == []
    assert "Go back, load the page again" in page.text


def test_an_unknown_host_is_told_nothing() -> None:
    answer = Client().get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    page = Html(answer.content.decode())
    assert page.faults() == []
    assert "evil" not in page.text


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "-1", "\0"])
def test_numbers_that_no_database_knows_are_not_found(number: str) -> None:
    client = Client()
    client.force_login(a_user("olga"))
    bot, ladder = a_bot(), a_ladder("arena")
    enter = client.post(f"/ladders/{ladder.slug}/enter/", {"bot": number})
    assert (enter.status_code, "Choose one of your bots" in enter.content.decode()) == (404, True)
    activate = client.post(f"/bots/{bot.pk}/activate/", {"version": number})
    assert (activate.status_code, f"Bot {bot.pk} has no version" in activate.content.decode()) == (404, True)
    page = client.get(f"/bots/{number}/")
    assert (page.status_code, "There is no " in page.content.decode()) == (404, True)


@pytest.mark.parametrize(
    "path", ["/ladders/x/enter/", "/entries/1/withdraw/", "/bots/1/activate/", "/tokens/1/revoke/"]
)
def test_actions_are_asked_for_by_post_and_by_people_only(path: str) -> None:
    client = Client()
    assert client.post(path).headers["Location"].startswith("/sign-in/")
    client.force_login(a_user("olga"))
    assert client.get(path).status_code == 405
