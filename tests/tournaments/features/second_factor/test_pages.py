import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.tournaments.core.accounts.test_second_factor import code_of, now, program_of, with_factor
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.core.accounts.time_codes import code_at
from tournaments.models import User

pytestmark = pytest.mark.django_db
HERE = "/account/second-factor/"
PROGRAM = f"{HERE}program/"
CODES = f"{HERE}codes/"


def page_of(client: Client, path: str, **typed: str) -> Html:
    """The page after sending the form, or after going there."""
    answer = client.post(path, typed, follow=True) if typed else client.get(path, follow=True)
    page = Html(answer.content.decode())
    assert page.faults() == []
    return page


def sign_in(name: str, onward: str = "") -> Client:
    """Sign in as far as the password goes."""
    client = Client()
    client.post("/sign-in/", {"username": name, "password": f"the password of {name}", "next": onward})
    return client


def is_in(client: Client) -> bool:
    return client.get("/tokens/").status_code == 200


def letters(client: Client) -> str:
    """The secret that the page shows to be typed."""
    return client.get(PROGRAM).content.decode().partition('id="letters">')[2].partition("<")[0]


def test_it_is_set_up_by_a_picture_or_letters_and_confirmed_by_a_code() -> None:
    user = a_user("olga")
    client, elsewhere = signed_in(user), signed_in(user)
    assert "Set one up" in page_of(client, HERE).text
    assert "This is not your password." in page_of(client, PROGRAM, password="a guess").text
    assert (letters(client), client.get(f"{HERE}code.svg").status_code) == ("", 404)
    page_of(client, PROGRAM, password="the password of olga")
    secret = letters(client)
    assert len(secret) == 32
    assert secret not in str(client.session.items())
    picture = client.get(f"{HERE}code.svg")
    assert (picture["Content-Type"], picture.content[:4]) == ("image/svg+xml", b"<?xm")
    assert b'fill="white"' in picture.content
    assert "no-store" in picture["Cache-Control"]
    assert "not the code of this minute" in page_of(client, PROGRAM, code="1").text
    assert not Authenticator.objects.exists()
    answer = client.post(PROGRAM, {"code": code_at(secret, now())})
    shown = Html(answer.content.decode()).text
    assert "no-store" in answer["Cache-Control"]
    assert shown.count("-") >= 30
    assert (is_in(client), is_in(elsewhere)) == (True, False)
    assert client.get(f"{HERE}code.svg").status_code == 404
    assert client.get(PROGRAM)["Location"] == HERE
    shown = client.get(HERE).content.decode() + client.get("/account/").content.decode()
    assert secret not in shown
    assert "10 recovery codes left" in Html(client.get("/account/").content.decode()).text


def test_the_letters_are_shown_for_ten_minutes() -> None:
    client = signed_in(a_user("olga"))
    client.post(PROGRAM, {"password": "the password of olga"})
    session = client.session
    session["authenticator_secret"] = {**session["authenticator_secret"], "until": 0}
    session.save()
    assert letters(client) == ""


def test_new_recovery_codes_take_a_code_and_end_those_of_before() -> None:
    user = a_user("olga")
    before = with_factor(user)
    client = signed_in(user)
    assert "is wrong, out of date or used" in page_of(client, CODES, code="000").text
    page = page_of(client, CODES, code=code_of(user))
    assert page.text.count("-") >= 30
    assert not any(code in page.text for code in before)
    other = sign_in("olga")
    other.post("/sign-in/code/", {"code": before[0]})
    assert not is_in(other)
    assert signed_in(a_user()).get(CODES)["Location"] == HERE


def test_signing_in_takes_the_password_and_then_a_code() -> None:
    user = a_user("olga")
    with_factor(user)
    client = sign_in("olga", "/upload/")
    assert not is_in(client)
    path = "/sign-in/code/?next=/upload/"
    assert "wrong, out of date or used" in page_of(client, path, code="000").text
    assert not is_in(client)
    key = client.session.session_key
    assert client.post(path, {"code": code_of(user), "next": "/upload/"})["Location"] == "/upload/"
    assert is_in(client)
    assert client.session.session_key != key


def test_a_recovery_code_works_once() -> None:
    code = with_factor(a_user("olga"))[0]
    for taken in (True, False):
        client = sign_in("olga")
        client.post("/sign-in/code/", {"code": code})
        assert is_in(client) is taken


def test_only_a_right_password_tells_that_there_is_a_second_factor() -> None:
    with_factor(a_user("olga"))
    a_user("otto")
    pages = []
    for name in ("olga", "otto", "nobody"):
        answer = Client().post("/sign-in/", {"username": name, "password": "a guess"})
        pages.append(Html(answer.content.decode()).text)
        assert answer.status_code == 200
    assert len(set(pages)) == 1


def test_nobody_comes_to_the_code_without_the_password() -> None:
    with_factor(a_user("olga"))
    assert Client().get("/sign-in/code/")["Location"] == "/sign-in/"
    assert Client().post("/sign-in/code/", {"code": "1"})["Location"] == "/sign-in/"


def test_a_half_signed_in_person_has_ten_minutes_and_loses_them_with_the_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = a_user("olga")
    with_factor(user)
    client, late = sign_in("olga"), sign_in("olga")
    session = late.session
    session["half_signed_in"] = {**session["half_signed_in"], "until": 0}
    session.save()
    assert late.get("/sign-in/code/")["Location"] == "/sign-in/"
    assert client.get("/sign-in/code/").status_code == 200
    user.set_password("another password")
    user.save()
    assert client.get("/sign-in/code/")["Location"] == "/sign-in/"


def test_codes_cannot_be_guessed_for_long() -> None:
    user = a_user("olga")
    with_factor(user)
    client = sign_in("olga")
    for _ in range(5):
        client.post("/sign-in/code/", {"code": "000"})
    assert "Too many attempts" in page_of(client, "/sign-in/code/", code=code_of(user, 1)).text
    assert not is_in(client)


def test_turning_it_off_takes_the_password_and_a_code() -> None:
    user = a_user("olga")
    codes = with_factor(user)
    client = signed_in(user)
    path = f"{HERE}{program_of(user).pk}/remove/"
    for typed in ({"password": "a guess", "code": codes[0]}, {"password": "the password of olga", "code": "0"}):
        client.post(path, typed)
        assert Authenticator.objects.exists()
    client.post(path, {"password": "the password of olga", "code": codes[0]})
    assert not Authenticator.objects.exists()
    assert is_in(client)


def organiser(settings: Settings) -> User:
    settings.STAFF_NEED_SECOND_FACTOR = True
    user = a_user("stella", staff=True)
    user.is_superuser = True
    user.save()
    return user


def test_the_admin_opens_to_organisers_with_a_second_factor(settings: Settings) -> None:
    user = organiser(settings)
    client = signed_in(user)
    page = page_of(client, "/admin/")
    assert "Organisers need a second factor." in page.text
    with_factor(user)
    assert client.get("/admin/")["Location"].startswith("/admin/login/")  # a session of before
    client = sign_in("stella", "/admin/")
    assert client.get("/admin/").status_code == 302
    client.post("/sign-in/code/?next=/admin/", {"code": code_of(user)})
    assert client.get("/admin/").status_code == 200
    assert client.get("/admin/password_change/")["Location"] == "/account/password/"


def test_the_admin_has_no_sign_in_of_its_own(settings: Settings) -> None:
    organiser(settings)
    client = Client()
    typed = {"username": "stella", "password": "the password of stella", "next": "/admin/"}
    for path in ("/admin/login/", "/admin/login/?next=/admin/", "/admin/"):
        client.get(path)
        assert 'action="/sign-in/"' in client.post(path, typed, follow=True).content.decode()
    assert "_auth_user_id" not in client.session
    assert signed_in(a_user()).get("/admin/", follow=True).status_code == 403


@pytest.mark.parametrize("away", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_the_door_of_the_admin_leads_to_no_other_site(away: str, settings: Settings) -> None:
    user = organiser(settings)
    settings.STAFF_NEED_SECOND_FACTOR = False
    assert signed_in(user).get("/admin/login/", {"next": away})["Location"] == "/admin/"
    assert Client().get("/admin/login/", {"next": away})["Location"] == "/sign-in/?next=/admin/"
