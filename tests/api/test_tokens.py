import pytest
from django.test import Client

from tests.api.asking import ask, refused
from tests.factories import a_user
from tournaments.models import ApiToken, User
from tournaments.tokens import make_token

pytestmark = pytest.mark.django_db


def ask_for_one(user: User, **changed: object) -> dict[str, object]:
    return {"username": user.username, "password": f"the password of {user}", "name": "laptop", **changed}


def test_a_name_and_a_password_buy_a_token_that_works() -> None:
    user = a_user("ada")
    made = ask("POST", "tokens", body=ask_for_one(user))
    assert made.status_code == 201
    assert made.json()["token"].startswith("brd_")
    assert made["Cache-Control"] == "no-store"
    assert ask("GET", "", f"Token {made.json()['token']}").json()["user"] == "ada"


def test_a_wrong_password_an_unknown_name_and_a_closed_account_look_alike() -> None:
    user, closed = a_user(), a_user()
    User.objects.filter(pk=closed.pk).update(is_active=False)
    answers = [
        ask("POST", "tokens", body=ask_for_one(user, password="wrong")),
        ask("POST", "tokens", body=ask_for_one(user, username="nobody")),
        ask("POST", "tokens", body=ask_for_one(closed)),
    ]
    assert {refused(answer) for answer in answers} == {(401, "bad_password")}
    assert len({answer.content for answer in answers}) == 1
    assert not ApiToken.objects.exists()


def test_a_token_does_not_make_another_without_the_password() -> None:
    user = a_user()
    assert refused(ask("POST", "tokens", user, {"name": "more"})) == (400, "invalid")


def test_tokens_are_listed_without_their_secrets_and_only_ones_own() -> None:
    user, other = a_user(), a_user()
    make_token(user=other, name="not mine")
    [row] = ask("GET", "tokens", user).json()["results"]
    assert row.keys() == {"id", "name", "created_at", "used_at", "expires_at", "reads_only"}
    assert row["name"] == "of a test"


def test_a_revoked_token_opens_nothing() -> None:
    user = a_user()
    secret = make_token(user=user, name="lost")
    assert ask("DELETE", f"tokens/{user.tokens.get().pk}", f"Token {secret}").status_code == 204
    assert refused(ask("GET", "tokens", f"Token {secret}")) == (401, "bad_token")


def test_somebody_elses_token_is_unknown_to_me() -> None:
    user, other = a_user(), a_user()
    make_token(user=other, name="theirs")
    assert refused(ask("DELETE", f"tokens/{other.tokens.get().pk}", user)) == (404, "unknown_token")
    assert other.tokens.exists()


@pytest.mark.parametrize("header", ["Token", "Token brd_nonsense", "token  x", "Token \xff", "Token brd_a b"])
def test_a_token_that_is_none_is_refused_even_where_nobody_need_sign_in(header: str) -> None:
    answer = ask("GET", "bots", header)
    assert refused(answer) == (401, "bad_token")
    assert answer["WWW-Authenticate"] == "Token"


def test_the_cookie_of_the_site_writes_only_with_its_csrf_token() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(a_user("ada"))
    body = {"game": "zaibatsu", "name": "By cookie"}
    without = client.post("/api/v1/bots", body, "application/json")
    assert refused(without) == (403, "csrf_failed")
    client.get("/api/v1/docs/")
    client.cookies["csrftoken"] = "a" * 32
    assert client.post("/api/v1/bots", body, "application/json", headers={"X-CSRFToken": "a" * 32}).status_code == 201
    assert client.get("/api/v1/").json()["user"] == "ada"
