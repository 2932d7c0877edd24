"""How notices reach people: a real server hears webhooks; letters are taken at the last step before a mail server."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.docs.snippets import snippet
from tests.factories import a_user
from tests.tournaments.core.notices.conftest import Listener
from tournaments.core.errors import Refused
from tournaments.core.notices.create import notify
from tournaments.core.notices.delivery import AGAIN, MOST_FAILURES, deliver_due
from tournaments.core.notices.webhooks import MOST, add_webhook
from tournaments.models import Delivery, Notice, User, Webhook

pytestmark = pytest.mark.django_db(transaction=True)


def tell(user: User, key: str = "a") -> None:
    notify([user], "fault", key, "Orchid was at fault.", "/matches/1/", match=1)


def hurry() -> None:
    """Everything is due."""
    Delivery.objects.filter(status="waiting").update(next_at=timezone.now() - timedelta(seconds=1))


def test_a_webhook_is_posted_once_and_signed_as_the_standard_says(listener: Listener) -> None:
    user = a_user()
    webhook = add_webhook(user=user, url=listener.url, kinds=["fault"])
    tell(user)
    tell(user)
    notify([user], "check", "b", "Not of a kind that it wants.", "/")
    while deliver_due():
        pass
    ((headers, body),) = listener.heard
    payload = json.loads(body)
    assert payload["type"] == "boardroom.fault"
    assert payload["data"] == {"text": "Orchid was at fault.", "url": "http://127.0.0.1:8000/matches/1/", "match": 1}
    names: dict[str, Any] = {}
    exec(snippet("docs/notices.md", "def is_genuine").text, names)  # noqa: S102  the receiver of the docs
    assert names["is_genuine"](webhook.secret, headers, body)
    assert not names["is_genuine"](webhook.secret, headers, body + b" ")
    assert Delivery.objects.get().status == "done"


def test_what_does_not_arrive_is_sent_again_later_and_then_given_up(listener: Listener) -> None:
    user = a_user()
    add_webhook(user=user, url=listener.url, kinds=["fault"])
    tell(user)
    listener.answers = [500, 302, *[500] * len(AGAIN)]
    deliver_due()
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.answer) == ("waiting", "500 Internal Server Error")
    assert delivery.next_at > timezone.now()
    assert deliver_due() == 0  # not before its time
    for _ in AGAIN:
        hurry()
        deliver_due()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("failed", len(AGAIN) + 1)


def test_a_webhook_that_fails_for_long_or_is_gone_is_stopped(listener: Listener) -> None:
    user = a_user()
    webhook = add_webhook(user=user, url=listener.url, kinds=["fault"])
    Webhook.objects.filter(pk=webhook.pk).update(failures=MOST_FAILURES - 2)
    tell(user)
    listener.answers = [410]
    deliver_due()
    webhook.refresh_from_db()
    assert webhook.stopped == "The address answered 410: it is gone."
    tell(user, "b")
    assert Delivery.objects.filter(notice__key="b").count() == 0


def test_a_connection_that_nobody_takes_is_no_end_of_the_world(listener: Listener) -> None:
    user = a_user()
    add_webhook(user=user, url="http://127.0.0.1:9/", kinds=["fault"])
    add_webhook(user=user, url=listener.url, kinds=["fault"])
    tell(user)
    deliver_due()
    assert len(listener.heard) == 1
    assert Delivery.objects.get(status="waiting").answer.startswith("no connection")


def test_a_name_that_leads_inside_is_found_out_when_it_is_used(settings: Settings, listener: Listener) -> None:
    user = a_user()
    settings.WEBHOOKS_INSIDE = False
    add_webhook(user=user, url=listener.url.replace("http", "https").replace("127.0.0.1", "localhost"), kinds=["fault"])
    tell(user)
    deliver_due()
    assert "which is not a public address" in Delivery.objects.get(status="failed").answer
    assert listener.heard == []


def test_one_has_so_many_webhooks_and_no_more(listener: Listener) -> None:
    user = a_user()
    for _ in range(MOST):
        add_webhook(user=user, url=listener.url, kinds=["fault"])
    with pytest.raises(Refused, match=f"you have {MOST} webhooks"):
        add_webhook(user=user, url=listener.url, kinds=["fault"])
    with pytest.raises(Refused, match="not a kind of notice"):
        add_webhook(user=a_user(), url=listener.url, kinds=["gossip"])


def test_mail_goes_to_a_proven_address_and_says_how_to_stop_it(settings: Settings) -> None:
    settings.CAN_MAIL = True
    user = a_user()
    user.email, user.mailed = "olga@example.org", ["fault"]
    user.save()
    tell(user, "before it is proven")
    user.confirmed_email = user.email
    user.save()
    tell(user, "after")
    deliver_due()
    (letter,) = mail.outbox
    assert letter.to == ["olga@example.org"]
    assert letter.subject == "A bot of yours was at fault"
    assert "/notices/stop/" in letter.extra_headers["List-Unsubscribe"]
    assert letter.message()["Auto-Submitted"] == "auto-generated"
    assert Notice.objects.count() == 2
