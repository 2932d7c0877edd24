"""Passkeys, with an authenticator of ours that signs truly; `browser/` tries that of a real browser."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import takewhile
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.passkeys import ADD, SITE, Passkey, add, asked_by
from tests.tournaments.core.accounts.test_second_factor import code_of, with_factor
from tests.tournaments.features.moderation.test_moderation import suspended
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.core.accounts import passkey_answers, passkeys
from tournaments.models import Notice, User

pytestmark = pytest.mark.django_db
HERE = "/account/second-factor/"
IN = "/sign-in/passkey/"


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE_URL = SITE


@pytest.fixture
def olga() -> User:
    return a_user("olga")


@pytest.fixture
def passkey(olga: User) -> Passkey:
    """Hers, with which she signs in without a password too."""
    passkey = Passkey()
    add(signed_in(olga), passkey, password="the password of olga")
    assert Authenticator.objects.filter(user=olga, type="webauthn").count() == 1
    return passkey


def text(answer: Any) -> str:
    page = Html(answer.content.decode())
    assert page.faults() == []
    return page.text


def after_password(name: str = "olga") -> Client:
    client = Client()
    client.post("/sign-in/", {"username": name, "password": f"the password of {name}"})
    return client


def is_in(client: Client) -> bool:
    return client.get("/tokens/").status_code == 200


def refused(client: Client, answer: str, words: str, path: str = IN) -> None:
    """It's told why, and nobody is in."""
    assert words in text(client.post(path, {"passkey": answer}))
    assert not is_in(client)


def held(user: User) -> Authenticator:
    return Authenticator.objects.get(user=user, type="webauthn")


# --- adding ----------------------------------------------------------------------------------------------------------


def test_it_is_added_by_whoever_shows_the_password_and_ends_other_sessions(olga: User) -> None:
    client, elsewhere = signed_in(olga), signed_in(olga)
    assert client.post("/sign-in/challenge/", {"why": "add"}).status_code == 403
    assert "This is not your password." in text(client.post(ADD, {"password": "a guess"}))
    assert client.post("/sign-in/challenge/", {"why": "add"}).status_code == 403
    answer = add(client, Passkey(), name="telephone", password="the password of olga")
    assert text(answer).count("-") >= 30  # ten recovery codes
    assert (is_in(client), is_in(elsewhere)) == (True, False)
    page = text(client.get(HERE))
    assert "telephone" in page
    assert "10 recovery codes are left." in page
    assert client.post("/sign-in/challenge/", {"why": "add"}).status_code == 403  # each takes a proof


def test_another_takes_the_first_as_its_proof_and_keeps_the_recovery_codes(olga: User, passkey: Passkey) -> None:
    client = signed_in(olga)
    client.post(ADD, {"passkey": passkey.signed(asked_by(client, "factor"))})
    answer = add(client, Passkey(), name="key ring", alone=False)
    assert answer["Location"] == HERE
    page = text(client.get(HERE))
    assert "key ring" in page
    assert "Your recovery codes stay the same." in page
    codes = Authenticator.objects.get(type="recovery_codes")
    assert len(codes.data["hashes"]) == 10


@pytest.mark.parametrize("name", ["", " ", "x" * 41])
def test_it_has_a_name(olga: User, name: str) -> None:
    client = signed_in(olga)
    assert "Please check:" in text(add(client, Passkey(), name=name, password="the password of olga"))
    assert not Authenticator.objects.exists()


def test_one_that_was_asked_for_a_finger_and_took_none_is_not_added(olga: User) -> None:
    client = signed_in(olga)
    answer = add(client, Passkey(verifies=False), password="the password of olga")
    assert "passkey was not accepted" in text(answer)
    assert not Authenticator.objects.exists()
    add(client, Passkey(verifies=False), alone=False)
    assert not passkeys.opens_alone(held(olga))


@pytest.mark.parametrize("origin", ["https://evil.example", "http://evil.localhost:8000", "http://localhost:9000"])
def test_one_made_on_another_origin_is_not_added(olga: User, origin: str) -> None:
    answer = add(signed_in(olga), Passkey(origin=origin), password="the password of olga")
    assert "passkey was not accepted" in text(answer)
    assert not Authenticator.objects.exists()


def test_nobody_adds_the_passkey_of_somebody_else(olga: User, passkey: Passkey) -> None:
    otto = a_user("otto")
    answer = add(signed_in(otto), passkey.copied(), password="the password of otto")
    assert "set up here already" in text(answer)
    assert not Authenticator.objects.filter(user=otto).exists()


def test_there_are_twenty_at_most(olga: User, passkey: Passkey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passkey_answers, "MOST", 1)
    client = signed_in(olga)
    client.post(ADD, {"passkey": passkey.signed(asked_by(client, "factor"))})
    assert "You have 1 passkeys; remove one" in text(add(client, Passkey()))


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8000", "http://board.example", "https://192.0.2.7", "https://[::1]"]
)
def test_where_browsers_take_none_the_site_offers_none_and_says_why(
    olga: User, settings: Settings, address: str
) -> None:
    settings.SITE_URL = address
    client = signed_in(olga)
    assert "Browsers take passkeys only from a site with a domain name and https" in text(client.get(HERE))
    assert client.get(ADD)["Location"] == HERE
    assert "passkey" not in Client().get("/sign-in/").content.decode()
    assert Client().post("/sign-in/challenge/", {"why": "in"}).json()["code"] == "no_domain"


def test_it_is_bound_to_the_name_of_the_site(olga: User, settings: Settings) -> None:
    settings.SITE_URL = "https://board.example:8443"
    asked = asked_by(Client(), "in")
    assert (asked["rpId"], asked["userVerification"]) == ("board.example", "required")
    client = signed_in(olga)
    client.post(ADD, {"password": "the password of olga"})
    asked = asked_by(client, "add", alone="on")
    assert asked["rp"] == {"id": "board.example", "name": "Boardroom board.example"}
    assert asked["user"]["name"] == "olga"
    assert asked["authenticatorSelection"]["residentKey"] == "required"


# --- signing in ------------------------------------------------------------------------------------------------------


def test_it_opens_the_account_without_a_password(olga: User, passkey: Passkey) -> None:
    client = Client()
    answer = client.post(IN, {"passkey": passkey.signed(asked_by(client, "in")), "next": "/upload/"})
    assert answer["Location"] == "/upload/"
    assert is_in(client)
    credential = held(olga)
    assert credential.last_used_at
    assert timezone.now() - credential.last_used_at < timedelta(minutes=1)
    assert "telephone" in text(client.get(HERE))


def test_it_leads_to_no_other_site(passkey: Passkey) -> None:
    client = Client()
    answer = client.post(IN, {"passkey": passkey.signed(asked_by(client, "in")), "next": "https://evil.example/"})
    assert answer["Location"] == "/"


def test_it_is_a_second_factor_after_the_password(passkey: Passkey) -> None:
    client = after_password()
    assert not is_in(client)
    asked = asked_by(client, "factor")
    assert len(asked["allowCredentials"]) == 1
    client.post("/sign-in/code/", {"passkey": passkey.signed(asked)})
    assert is_in(client)


def test_one_that_is_a_second_factor_alone_needs_the_password(olga: User) -> None:
    key = Passkey(verifies=False)
    add(signed_in(olga), key, alone=False, password="the password of olga")
    refused(client := Client(), key.signed(asked_by(client, "in")), "passkey was not accepted")  # no finger, no PIN
    key.verifies = True
    refused(client, key.signed(asked_by(client, "in")), "does not replace the password")
    key.verifies = False
    client = after_password()
    client.post("/sign-in/code/", {"passkey": key.signed(asked_by(client, "factor"))})
    assert is_in(client)


def test_a_challenge_is_answered_once(passkey: Passkey) -> None:
    client = Client()
    answer = passkey.signed(asked_by(client, "in"))
    spent = client.session["passkey_challenge"]
    client.post(IN, {"passkey": answer})
    assert is_in(client)
    refused(Client(), answer, "answered already")
    again = Client()
    asked_by(again, "in")
    refused(again, answer, "passkey was not accepted")  # to another challenge
    session = again.session
    session["passkey_challenge"] = spent  # as if a second request had read the session before the first one was done
    session.save()
    refused(again, answer, "answered already")


@pytest.mark.django_db(transaction=True)
def test_of_two_who_send_the_same_answer_at_once_one_is_let_in(passkey: Passkey) -> None:
    client = Client()
    answer = passkey.signed(asked_by(client, "in"))

    def send(_: int) -> bool:
        other = Client()
        other.cookies["sessionid"] = client.session.session_key or ""
        try:
            return other.post(IN, {"passkey": answer}).status_code == 302
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as crowd:
        assert sorted(crowd.map(send, range(3))) == [False, False, True]


def test_a_wrong_answer_uses_the_challenge_up(passkey: Passkey) -> None:
    client = Client()
    asked = asked_by(client, "in")
    refused(client, "{}", "passkey was not accepted")
    refused(client, passkey.signed(asked), "answered already")


def test_a_challenge_lasts_five_minutes(passkey: Passkey) -> None:
    client = Client()
    answer = passkey.signed(asked_by(client, "in"))
    session = client.session
    session["passkey_challenge"] = {**session["passkey_challenge"], "until": 0}
    session.save()
    refused(client, answer, "more than five minutes ago")


def test_a_challenge_is_good_for_what_it_was_asked_for(olga: User, passkey: Passkey) -> None:
    client = after_password()
    refused(client, passkey.signed(asked_by(client, "factor")), "answered already")
    otto, otto_s = a_user("otto"), Passkey()
    add(signed_in(otto), otto_s, password="the password of otto")
    half = after_password("otto")
    asked = asked_by(half, "factor")
    half.post("/sign-in/", {"username": "olga", "password": "the password of olga"})
    refused(half, otto_s.signed(asked), "answered already", "/sign-in/code/")


@pytest.mark.parametrize("origin", ["https://evil.example", "http://evil.localhost:8000", "https://localhost:8000"])
def test_what_was_signed_on_another_origin_is_refused(passkey: Passkey, origin: str) -> None:
    passkey.origin = origin
    client = Client()
    refused(client, passkey.signed(asked_by(client, "in")), "passkey was not accepted")


def test_what_was_signed_for_another_site_is_refused(passkey: Passkey) -> None:
    client = Client()
    refused(client, passkey.signed({**asked_by(client, "in"), "rpId": "evil.example"}), "passkey was not accepted")


def test_a_copy_is_found_by_its_counter_and_the_person_is_told(olga: User, passkey: Passkey) -> None:
    copy, client = passkey.copied(), Client()
    client.post(IN, {"passkey": passkey.signed(asked_by(client, "in"))})
    assert is_in(client)
    other = Client()
    refused(other, copy.signed(asked_by(other, "in")), "there may be a copy of it")
    assert "refused: there may be a copy of it" in text(client.get(HERE))
    assert "the passkey telephone" in client.get("/notices/").content.decode()
    assert Notice.objects.get(user=olga).kind == "account"


def test_one_without_a_counter_is_no_copy(passkey: Passkey) -> None:
    for _ in range(2):
        passkey.counter = -1
        client = Client()
        client.post(IN, {"passkey": passkey.signed(asked_by(client, "in"))})
        assert is_in(client)


def test_somebody_elses_passkey_opens_nothing_of_mine(olga: User, passkey: Passkey) -> None:
    otto, otto_s = a_user("otto"), Passkey()
    add(signed_in(otto), otto_s, password="the password of otto")
    otto_s.owner = passkey.owner  # it says that it is hers
    refused(client := Client(), otto_s.signed(asked_by(client, "in")), "passkey was not accepted")
    half = after_password()
    refused(half, otto_s.signed(asked_by(half, "factor")), "passkey was not accepted", "/sign-in/code/")
    forger = Passkey(number=passkey.number, owner=passkey.owner)
    refused(client, forger.signed(asked_by(client, "in")), "passkey was not accepted")


def test_a_removed_one_opens_nothing(olga: User, passkey: Passkey) -> None:
    client, elsewhere = signed_in(olga), signed_in(olga)
    path = f"{HERE}{held(olga).pk}/remove/"
    assert "your last one" in text(client.get(path))
    client.post(path, {"password": "a guess", "passkey": passkey.signed(asked_by(client, "factor"))})
    client.post(path, {"password": "the password of olga", "code": "000"})
    assert held(olga)
    client.post(path, {"password": "the password of olga", "passkey": passkey.signed(asked_by(client, "factor"))})
    assert not Authenticator.objects.exists()
    assert (is_in(client), is_in(elsewhere)) == (True, False)
    refused(stranger := Client(), passkey.signed(asked_by(stranger, "in")), "passkey was not accepted")


def test_nobody_removes_what_is_somebody_elses(olga: User, passkey: Passkey) -> None:
    assert signed_in(a_user()).get(f"{HERE}{held(olga).pk}/remove/").status_code == 404


def test_closed_accounts_stay_closed(olga: User, passkey: Passkey) -> None:
    User.objects.filter(pk=olga.pk).update(is_active=False)
    refused(client := Client(), passkey.signed(asked_by(client, "in")), "This account is closed.")


def test_who_is_suspended_comes_in_to_read_and_adds_none(olga: User, passkey: Passkey) -> None:
    suspended(olga, a_user("stella", staff=True))
    client = Client()
    answer = client.post(IN, {"passkey": passkey.signed(asked_by(client, "in"))}, follow=True)
    assert "suspended" in text(answer)
    assert client.post(ADD, {"passkey": passkey.signed(asked_by(client, "factor"))}).status_code == 403
    assert client.post("/sign-in/challenge/", {"why": "add"}).status_code == 403


def test_a_recovery_code_opens_the_account_of_a_lost_passkey(olga: User) -> None:
    client = signed_in(olga)
    answer = add(client, Passkey(), password="the password of olga")
    code = Html(answer.content.decode()).text.split("fingerprints.")[1].split()[0]
    other = after_password()
    other.post("/sign-in/code/", {"code": code})
    assert is_in(other)


def test_it_proves_who_asks_for_a_token(olga: User, passkey: Passkey) -> None:
    client = signed_in(olga)
    client.post("/tokens/", {"name": "laptop", "days": 30, "code": "000"})
    client.post("/tokens/", {"name": "laptop", "days": 30, "passkey": "{}"})
    assert not olga.tokens.exists()
    asked = asked_by(client, "factor")
    client.post("/tokens/", {"name": "laptop", "days": 30, "passkey": passkey.signed(asked)})
    assert olga.tokens.exists()


def test_it_is_a_factor_for_organisers(settings: Settings) -> None:
    settings.STAFF_NEED_SECOND_FACTOR = True
    stella, key = a_user("stella", staff=True), Passkey()
    add(signed_in(stella), key, password="the password of stella")
    client = Client()
    client.post(IN, {"passkey": key.signed(asked_by(client, "in"))})
    assert client.get("/desk/").status_code == 200


@pytest.mark.parametrize(
    "answer",
    [
        *("", "x", "null", "[]", "{}", '{"response": []}', '{"response": {}}', "9" * 5000, "[" * 19_000, "x" * 30_000),
        '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"clientDataJSON": "\\u0000"}}',
        '{"id": "AA", "rawId": "AB", "type": "public-key", "response": {"userHandle": 7}}',
    ],
)
@pytest.mark.parametrize("path", [IN, "/sign-in/code/", ADD])
def test_what_is_no_answer_is_refused_in_a_sentence(olga: User, passkey: Passkey, answer: str, path: str) -> None:
    client = after_password() if path == "/sign-in/code/" else signed_in(olga if path == ADD else None)
    if path == ADD:
        client.post(ADD, {"passkey": passkey.signed(asked_by(client, "factor"))})
    asked_by(client, {IN: "in", ADD: "add"}.get(path, "factor"))
    assert client.post(path, {"name": "x", "code": "", "passkey": answer}).status_code == 200
    assert len(Authenticator.objects.filter(type="webauthn")) == 1


@pytest.mark.parametrize("part", ["clientDataJSON", "authenticatorData", "signature", "userHandle"])
def test_parts_that_are_broken_are_refused(passkey: Passkey, part: str) -> None:
    several: tuple[object, ...] = ("", "AAAA", "\0", 7, None, [], "g" * 400)
    for broken in several:
        client = Client()
        answer = json.loads(passkey.signed(asked_by(client, "in")))
        answer["response"][part] = broken
        refused(client, json.dumps(answer), "passkey was not accepted")


@pytest.mark.parametrize("made", ["AAAA", "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA", "gYGB" * 4000, None])
def test_what_no_authenticator_makes_is_not_added(olga: User, made: str | None) -> None:
    client = signed_in(olga)
    client.post(ADD, {"password": "the password of olga"})
    answer = json.loads(Passkey().made_for(asked_by(client, "add", alone="on")))
    answer["response"]["attestationObject"] = made
    assert client.post(ADD, {"name": "x", "passkey": json.dumps(answer)}).status_code == 200
    assert not Authenticator.objects.exists()


def test_challenges_cannot_be_asked_for_without_end() -> None:
    client = Client()
    answers = (client.post("/sign-in/challenge/", {"why": "in"}).status_code for _ in range(200))
    assert 100 <= sum(1 for _ in takewhile(lambda status: status == 200, answers)) < 200  # one comes back in 9 s


def test_a_challenge_is_for_something(olga: User) -> None:
    for why in ("", "all", "factor", "add"):
        assert Client().post("/sign-in/challenge/", {"why": why}).status_code == 403
    assert signed_in(olga).get("/sign-in/challenge/").status_code == 405


def test_both_kinds_stand_side_by_side(olga: User, passkey: Passkey) -> None:
    with_factor(olga)
    client = after_password()
    client.post("/sign-in/code/", {"code": code_of(olga)})
    assert is_in(client)
    half = after_password()
    half.post("/sign-in/code/", {"passkey": passkey.signed(asked_by(half, "factor"))})
    assert is_in(half)
