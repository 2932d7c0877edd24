from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.exceptions import Throttled

from tests.factories import a_bot, a_user, worker_token
from tests.tournaments.web.api.asking import ask, refused
from tournaments.web.api import throttles
from tournaments.web.api.throttles import spend_request
from tournaments.web.server.request_rates import Rate, give_back_try

pytestmark = pytest.mark.django_db


def allow_two(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Two in an hour: no window ends while the test looks."""
    rate: Rate = getattr(throttles, name)
    monkeypatch.setattr(throttles, name, Rate(rate.name, 2, 86_400, rate.closed_without_cache))


def test_whoever_asks_too_often_is_told_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_two(monkeypatch, "ANONYMOUS")
    assert [ask("GET", "bots").status_code for _ in range(2)] == [200, 200]
    answer = ask("GET", "bots")
    assert refused(answer) == (429, "throttled")
    assert 1 <= int(answer["Retry-After"]) <= 86_401
    assert ask("GET", "bots", a_user()).status_code == 200


def test_each_person_has_a_rate_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_two(monkeypatch, "USER")
    ada, bob = a_user(), a_user()
    assert [ask("GET", "bots", ada).status_code for _ in range(2)] == [200, 200]
    assert refused(ask("GET", "bots", ada)) == (429, "throttled")
    assert ask("GET", "bots", bob).json()["results"] == []


def test_an_invented_forwarding_header_makes_nobody_new(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_two(monkeypatch, "ANONYMOUS")
    statuses = [ask("GET", "bots", **{"X-Forwarded-For": f"10.0.0.{n}"}).status_code for n in range(3)]
    assert statuses == [200, 200, 429]


def test_uploads_have_a_rate_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_two(monkeypatch, "UPLOAD")
    bot = a_bot()
    path, kind = f"bots/{bot.pk}/versions", "application/octet-stream"
    answers = [refused(ask("POST", path, bot.owner, b"", kind=kind)) for _ in range(3)]
    assert answers == [(400, "empty"), (400, "empty"), (429, "throttled")]
    assert ask("GET", path, bot.owner).json()["results"] == []


@pytest.mark.parametrize("rate", ["SIGN_IN", "GUESSES"])
def test_passwords_are_not_guessed_at_for_long(rate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    allow_two(monkeypatch, rate)
    a_user("ada")
    wrong = {"username": "ada", "password": "guess", "name": "x"}
    assert [ask("POST", "tokens", body=wrong).status_code for _ in range(3)] == [401, 401, 429]
    right = {**wrong, "username": "ADA" if rate == "GUESSES" else "ada", "password": "the password of ada"}
    assert refused(ask("POST", "tokens", body=right)) == (429, "throttled")


def test_right_passwords_count_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_two(monkeypatch, "GUESSES")
    a_user("ada")
    right = {"username": "ada", "password": "the password of ada", "name": "x"}
    assert [ask("POST", "tokens", body={**right, "name": f"x{n}"}).status_code for n in range(4)] == [201] * 4
    wrong = {**right, "password": "guess"}
    assert [ask("POST", "tokens", body=wrong).status_code for _ in range(3)] == [401, 401, 429]


def test_what_is_given_back_is_one_and_never_more_than_there_was() -> None:
    rate, client = Rate("given back", 3, 86_400), str(uuid4())
    give_back_try(rate, client)
    assert [lets_in(rate, client) for _ in range(4)] == [True, True, True, False]
    give_back_try(rate, client)
    assert [lets_in(rate, client) for _ in range(2)] == [True, False]


def test_workers_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_two(monkeypatch, "ANONYMOUS")
    statuses = [ask("GET", "bundles/abc", f"Worker {worker_token('tester')}").status_code for _ in range(4)]
    assert statuses == [404] * 4


def test_without_redis_the_api_answers_uncounted_but_takes_no_passwords(settings: Any) -> None:
    user = a_user("ada")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert ask("GET", "bots").status_code == 200
    assert ask("POST", "bots", user, {"game": "zaibatsu", "name": "A bot"}).status_code == 201
    body = {"username": "ada", "password": "the password of ada", "name": "x"}
    assert refused(ask("POST", "tokens", body=body)) == (503, "try_later")


def lets_in(rate: Rate, client: str) -> bool:
    try:
        spend_request(rate, client)
    except Throttled:
        return False
    return True


def test_a_crowd_that_comes_at_once_gets_exactly_what_there_is() -> None:
    rate, client = Rate("crowd", 7, 86_400), str(uuid4())
    with ThreadPoolExecutor(8) as crowd:
        assert sum(crowd.map(lambda _: lets_in(rate, client), range(40))) == 7


def test_what_is_spent_comes_back_one_by_one_and_not_before_the_refusal_said() -> None:
    rate, client = Rate("quick", 2, 2), str(uuid4())
    while lets_in(rate, client):
        pass
    begun = monotonic()
    with pytest.raises(Throttled) as refused:
        spend_request(rate, client)
    wait = refused.value.wait  # type: ignore[attr-defined]
    assert 0 < wait <= 1
    while not lets_in(rate, client):
        assert monotonic() < begun + 30
    assert monotonic() - begun > wait - 0.05


def test_a_refused_request_costs_nothing() -> None:
    rate, client = Rate("patient", 1, 86_400), str(uuid4())
    spend_request(rate, client)
    waits = []
    for _ in range(20):
        with pytest.raises(Throttled) as refused:
            spend_request(rate, client)
        waits.append(refused.value.wait)  # type: ignore[attr-defined]
    assert waits == sorted(waits, reverse=True)
    assert 86_390 < waits[-1] <= 86_400
