import re
import threading
import time

import pytest
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.tournaments.core.accounts.test_second_factor import with_factor
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import User

pytestmark = pytest.mark.django_db
NEW = "vermilion tea house"


def text_of(client: Client, path: str, **typed: str) -> str:
    answer = client.post(path, typed, follow=True) if typed else client.get(path, follow=True)
    page = Html(answer.content.decode())
    assert page.faults() == []
    return page.text


def another(old: str, new: str = NEW, again: str = NEW) -> dict[str, str]:
    return {"old_password": old, "new_password1": new, "new_password2": again}


def test_another_password_ends_all_other_sessions() -> None:
    user = a_user("olga")
    client, elsewhere = signed_in(user), signed_in(user)
    assert "signed out" in text_of(client, "/account/password/", **another("the password of olga"))
    assert client.get("/tokens/").status_code == 200
    assert elsewhere.get("/tokens/").status_code == 302
    assert User.objects.get().check_password(NEW)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (another("a guess"), "old password was entered incorrectly"),
        (another("the password of olga", "short", "short"), "at least 10 characters"),
        (another("the password of olga", "qwertyuiop", "qwertyuiop"), "too common"),
        (another("the password of olga", NEW, "vermilion tea horse"), "match"),
    ],
)
def test_a_wrong_password_says_what_would_be_right(typed: dict[str, str], words: str) -> None:
    user = a_user("olga")
    assert words in text_of(signed_in(user), "/account/password/", **typed)
    assert User.objects.get().check_password("the password of olga")


def test_the_old_password_cannot_be_guessed_by_whoever_found_an_open_session() -> None:
    user = a_user("olga")
    client = signed_in(user)
    for _ in range(10):
        text_of(client, "/account/password/", **another("a guess"))
    assert "Too many attempts" in text_of(client, "/account/password/", **another("the password of olga"))
    assert User.objects.get().check_password("the password of olga")


def test_guesses_in_a_session_that_somebody_found_open_do_not_lock_out_the_owner() -> None:
    user = a_user("olga")
    left_open, owners = signed_in(user), signed_in(user)
    for _ in range(11):
        text_of(left_open, "/account/password/", **another("a guess"))
    assert "The password is changed" in text_of(owners, "/account/password/", **another("the password of olga"))


@pytest.mark.parametrize("wished", [False, True])
def test_tokens_end_with_a_changed_password_if_their_owner_wishes(wished: bool) -> None:
    user = a_user("olga")
    make_token(user=user, name="laptop")
    typed = another("the password of olga") | ({"end_tokens": "on"} if wished else {})
    text = text_of(signed_in(user), "/account/password/", **typed)
    assert ("Your tokens are revoked" in text, user.tokens.exists()) == (wished, not wished)


def test_a_site_that_sends_no_e_mail_says_whom_to_ask() -> None:
    user = a_user("olga")
    assert "Ask an organiser" in text_of(Client(), "/lost-password/")
    text_of(Client(), "/lost-password/", email="olga@example.org")
    text_of(signed_in(user), "/account/", email="olga@example.org", password="the password of olga")
    assert User.objects.get().email == ""


def letters(count: int) -> list[str]:
    """The letters sent, once there are so many; they are sent beside the answers."""
    deadline = time.monotonic() + 10
    while len(mail.outbox) < count and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    return [str(letter.body) for letter in mail.outbox]


@pytest.mark.django_db(transaction=True)
def test_a_lost_password_is_replaced_by_a_link_that_opens_once(settings: Settings) -> None:
    settings.CAN_MAIL, settings.SITE_URL, settings.HTTPS = True, "https://board.example", True
    user = a_user("olga")
    assert "not your password" in text_of(signed_in(user), "/account/", email="olga@example.org", password="a guess")
    text_of(signed_in(user), "/account/", email="olga@example.org", password="the password of olga")
    elsewhere, client = signed_in(user), Client()  # who signs in after a letter was sent closes its link
    answers = [text_of(Client(), "/lost-password/", email=email) for email in ("olga@example.org", "no@example.org")]
    assert answers[0] == answers[1]
    assert "on its way" in answers[0]
    [letter] = letters(1)
    assert mail.outbox[0].message()["Auto-Submitted"] == "auto-generated"
    [link] = re.findall(r"https://board\.example(/lost-password/\S+/)\n", letter)
    form = client.get(link, follow=True).redirect_chain[-1][0]
    assert "at least 10 characters" in text_of(client, form, new_password1="short", new_password2="short")
    assert "Sign in with it" in text_of(client, form, new_password1=NEW, new_password2=NEW)
    assert "_auth_user_id" not in client.session
    assert elsewhere.get("/tokens/").status_code == 302
    assert "has been used" in text_of(Client(), link)
    assert User.objects.get().check_password(NEW)


@pytest.mark.django_db(transaction=True)
def test_a_reset_leaves_the_second_factor_on(settings: Settings) -> None:
    settings.CAN_MAIL = True
    user = a_user("olga")
    with_factor(user)
    User.objects.update(email="olga@example.org")
    text_of(Client(), "/lost-password/", email="olga@example.org")
    [link] = re.findall(r"(/lost-password/\S+/)\n", letters(1)[0])
    client = Client()
    make_token(user=user, name="laptop")
    form = client.get(link, follow=True).redirect_chain[-1][0]
    text_of(client, form, new_password1=NEW, new_password2=NEW, end_tokens="on")
    assert not user.tokens.exists()
    signing = client.post("/sign-in/", {"username": "olga", "password": NEW})
    assert signing["Location"] == "/sign-in/code/"


@pytest.mark.django_db(transaction=True)
def test_letters_are_not_sent_by_the_hundred(settings: Settings) -> None:
    settings.CAN_MAIL = True
    a_user("olga")
    User.objects.update(email="olga@example.org")
    for _ in range(5):
        text_of(Client(), "/lost-password/", email="olga@example.org")
    assert "Too many attempts" in text_of(Client(), "/lost-password/", email="olga@example.org")
    assert len(letters(5)) == 5
