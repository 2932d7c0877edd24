"""One's own account, notices and webhooks from a program."""

from typing import Any

import pytest
from django.test import Client

from tests.factories import a_user
from tests.tournaments.web.api.asking import ask, refused
from tournaments.core.notices.create import notify
from tournaments.models import Delivery, Notice, User
from tournaments.web.api import account
from tournaments.web.server.request_rates import Rate

pytestmark = pytest.mark.django_db


def test_what_one_says_and_has_mailed() -> None:
    user = a_user("ada")
    account = ask("PATCH", "account", user, {"about": "I write bots.", "mailed": ["rank", "fault"]}).json()
    assert (account["about"], account["mailed"]) == ("I write bots.", ["fault", "rank"])
    assert ask("GET", "people/ada").json()["about"] == "I write bots."
    assert refused(ask("PATCH", "account", user, {"mailed": ["test"]})) == (400, "invalid")
    assert ask("PATCH", "account", user, {"mailed": []}).json()["mailed"] == []


def test_notices_are_read_and_the_feed_has_the_address_told_last() -> None:
    user = a_user("ada")
    notify([user], Notice.Kind.RANK, "a rank", "You are first.", "/ladders/main/", rank=1)
    [notice] = ask("GET", "notices", user).json()["results"]
    assert (notice["kind"], notice["detail"], notice["read_at"]) == ("rank", {"rank": 1}, None)
    assert ask("POST", "notices/read", user).status_code == 204
    assert ask("GET", "account", user).json()["unread"] == 0
    former, now = (ask("POST", "account/feed", user).json()["address"] for _ in range(2))
    paths = [address.removeprefix("http://127.0.0.1:8000") for address in (former, now)]
    assert [Client().get(path).status_code for path in paths] == [404, 200]


def test_a_webhook_is_made_tried_and_removed_and_its_secret_told_once() -> None:
    user, body = a_user(), {"url": "https://example.org/hook", "kinds": ["fault", "rank"]}
    made = ask("POST", "webhooks", user, body).json()
    assert made["secret"].startswith("whsec_")
    assert ask("POST", f"webhooks/{made['id']}/test", user).status_code == 204
    [shown] = ask("GET", "webhooks", user).json()["results"]
    assert "secret" not in shown
    assert [delivery["kind"] for delivery in shown["deliveries"]] == ["test"]
    assert Delivery.objects.get().status == Delivery.Status.WAITING
    assert ask("DELETE", f"webhooks/{made['id']}", user).status_code == 204
    assert refused(ask("DELETE", f"webhooks/{made['id']}", user)) == (404, "unknown_webhook")
    assert refused(ask("POST", "webhooks", user, {**body, "url": "ftp://example.org/"})) == (400, "bad_address")


def test_tests_and_letters_are_counted_together(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.CAN_MAIL = True
    user = a_user()
    User.objects.filter(pk=user.pk).update(email="ada@example.org")
    monkeypatch.setattr(account, "LETTERS", Rate("letters", 1, 86_400))
    assert ask("POST", "account/letter", user).status_code == 204
    assert refused(ask("POST", "account/letter", user)) == (429, "throttled")


def test_the_address_takes_the_password_and_is_not_confirmed_by_it(settings: Any) -> None:
    settings.CAN_MAIL = True
    user = a_user("ada")
    wrong = {"email": "ada@example.org", "password": "guess"}
    assert refused(ask("POST", "account/email", user, wrong)) == (401, "bad_password")
    kept = ask("POST", "account/email", user, {**wrong, "password": "the password of ada"}).json()
    assert (kept["email"], kept["email_confirmed"]) == ("ada@example.org", False)
    settings.CAN_MAIL = False
    assert refused(ask("POST", "account/letter", user)) == (409, "no_address")
