from typing import Any

import pytest

from tests.api.asking import ask, refused
from tests.factories import a_bot, a_user
from tournaments.api import throttles
from tournaments.api.throttles import Rate
from tournaments.fleet import token_of

pytestmark = pytest.mark.django_db


def few(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Two in an hour: no window ends while the test looks."""
    rate: Rate = getattr(throttles, name)
    monkeypatch.setattr(throttles, name, Rate(rate.name, 2, 86_400, rate.closed_without_cache))


def test_whoever_asks_too_often_is_told_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, "ANONYMOUS")
    assert [ask("GET", "bots").status_code for _ in range(2)] == [200, 200]
    answer = ask("GET", "bots")
    assert refused(answer) == (429, "throttled")
    assert 1 <= int(answer["Retry-After"]) <= 86_401
    assert ask("GET", "bots", a_user()).status_code == 200


def test_each_person_has_a_rate_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, "USER")
    ada, bob = a_user(), a_user()
    assert [ask("GET", "bots", ada).status_code for _ in range(3)] == [200, 200, 429]
    assert ask("GET", "bots", bob).status_code == 200


def test_an_invented_forwarding_header_makes_nobody_new(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, "ANONYMOUS")
    statuses = [ask("GET", "bots", **{"X-Forwarded-For": f"10.0.0.{n}"}).status_code for n in range(3)]
    assert statuses == [200, 200, 429]


def test_uploads_have_a_rate_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, "UPLOAD")
    bot = a_bot()
    path, kind = f"bots/{bot.pk}/versions", "application/octet-stream"
    assert [ask("POST", path, bot.owner, b"", kind=kind).status_code for _ in range(3)] == [400, 400, 429]
    assert ask("GET", path, bot.owner).status_code == 200


@pytest.mark.parametrize("rate", ["SIGN_IN", "GUESSES"])
def test_passwords_are_not_guessed_at_for_long(rate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, rate)
    a_user("ada")
    wrong = {"username": "ada", "password": "guess", "name": "x"}
    assert [ask("POST", "tokens", body=wrong).status_code for _ in range(3)] == [401, 401, 429]
    right = {**wrong, "username": "ADA" if rate == "GUESSES" else "ada", "password": "the password of ada"}
    assert refused(ask("POST", "tokens", body=right)) == (429, "throttled")


def test_workers_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, "ANONYMOUS")
    asked = [ask("GET", "bundles/abc", f"Worker {token_of('tester')}").status_code for _ in range(4)]
    assert asked == [404] * 4


def test_without_redis_the_api_answers_uncounted_but_takes_no_passwords(settings: Any) -> None:
    user = a_user("ada")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert ask("GET", "bots").status_code == 200
    assert ask("POST", "bots", user, {"game": "zaibatsu", "name": "A bot"}).status_code == 201
    body = {"username": "ada", "password": "the password of ada", "name": "x"}
    assert refused(ask("POST", "tokens", body=body)) == (503, "try_later")
