import pytest
from django.test import Client

from tests.factories import a_bot, a_user
from tests.tournaments.core.accounts.test_second_factor import code_of, with_factor
from tests.tournaments.web.api.asking import ask, refused
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import ApiToken, User

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
    assert answer["WWW-Authenticate"] == "Token, Bearer"


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


def test_an_account_with_a_second_factor_sends_its_code_too_and_each_once() -> None:
    user = a_user("ada")
    with_factor(user)
    assert refused(ask("POST", "tokens", body=ask_for_one(user, password="wrong", code="1"))) == (401, "bad_password")
    assert refused(ask("POST", "tokens", body=ask_for_one(user))) == (401, "code_needed")
    assert refused(ask("POST", "tokens", body=ask_for_one(user, code="000"))) == (401, "bad_code")
    code = code_of(user)
    assert ask("POST", "tokens", body=ask_for_one(user, code=code)).status_code == 201
    assert refused(ask("POST", "tokens", body=ask_for_one(user, code=code))) == (401, "bad_code")


def test_codes_are_not_guessed_at_for_long() -> None:
    user = a_user("ada")
    with_factor(user)
    guesses = [ask("POST", "tokens", body=ask_for_one(user, code=str(n))).status_code for n in range(6)]
    assert guesses == [401] * 5 + [429]


def test_a_token_for_reading_changes_nothing_by_any_method() -> None:
    bot = a_bot(a_user("ada"), "Analytical")
    body = ask_for_one(bot.owner, reads_only=True, days=7)
    token = f"Token {ask('POST', 'tokens', body=body).json()['token']}"
    assert ask("GET", "tokens", token).json()["results"][0]["reads_only"] is True
    for method, path in (
        ("POST", "bots"),
        ("PATCH", f"bots/{bot.pk}"),
        ("POST", f"bots/{bot.pk}/versions"),
        ("DELETE", "tokens"),
        ("POST", "tokens"),
    ):
        assert refused(ask(method, path, token, {})) == (403, "reads_only")
    assert bot.owner.tokens.count() == 1


@pytest.mark.parametrize(
    "wrong", [{"days": 0}, {"days": 3661}, {"days": "7"}, {"days": True}, {"reads_only": "yes"}, {"reads_only": None}]
)
def test_a_life_or_a_kind_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    user = a_user("ada")
    assert refused(ask("POST", "tokens", body=ask_for_one(user, **wrong))) == (400, "invalid")
    assert not ApiToken.objects.exists()


def test_all_tokens_are_revoked_at_once() -> None:
    user, other = a_user(), a_user()
    make_token(user=other, name="theirs")
    assert ask("DELETE", "tokens", user).status_code == 204
    assert (user.tokens.count(), other.tokens.count()) == (0, 1)
