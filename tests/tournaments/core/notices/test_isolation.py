"""Nobody's webhook stops or holds up anybody else's: receivers here are real, and behave as badly as they can."""

import socket
from collections.abc import Callable
from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest
from django.conf import settings as site
from django.db import connection
from django.utils import timezone
from redis import Redis

from tests.factories import a_ladder, a_user
from tests.tournaments.core.notices.conftest import Listener, Manners, Silence, answering, trickling
from tests.tournaments.ops.launcher.processes import until
from tournaments.core.broker import failing_items
from tournaments.core.broker.heartbeats import alive
from tournaments.core.notices import webhook_post
from tournaments.core.notices.create import notify
from tournaments.core.notices.delivery import AGAIN, Deliveries, deliver_due, deliver_until_stopped
from tournaments.core.notices.delivery_order import AT_ONCE, LANES, SHARE, choose_deliveries
from tournaments.core.notices.webhook_post import _connect
from tournaments.ledger.ladders.rank_notices import Ranks
from tournaments.ledger.ladders.standings_lines import StandingsLine
from tournaments.models import Delivery, FailingItem, Fit, Ladder, Notice, User, Webhook

pytestmark = pytest.mark.django_db(transaction=True)
Receiver = Callable[[Manners], int]

BAD = [
    f"https://{'a' * 70}.com/",
    "https://a..b/",
    "https://127.0.0.1:1/ü",
    "https://[::1",
    "https://ex\u2100mple.org/",
    "https://127.0.0.1:1/a b",
    "http://127.0.0.1:99999/",
]


def a_webhook(url: str, user: User | None = None, **fields: Any) -> Webhook:
    """A webhook in the database, whatever the form would say to it."""
    user = user or a_user()
    made: dict[str, Any] = {"secret": "whsec_c2VjcmV0", "kinds": ["fault"], **fields}
    return Webhook.objects.create(user=user, url=url, **made)


def tell(*users: User, key: str = "a") -> None:
    notify(users, "fault", key, "Orchid was at fault.", "/matches/1/", match=1)


def settle_until(deliveries: Deliveries, condition: Callable[[], object]) -> None:
    def settled() -> bool:
        deliveries.settle(0.1)
        return bool(condition())

    until(settled)


def delivered_to(webhook: Webhook) -> Delivery:
    return Delivery.objects.get(webhook=webhook)


@pytest.mark.parametrize("url", BAD)
def test_an_address_from_before_ends_at_its_own_delivery(url: str, listener: Listener) -> None:
    bad, good = a_webhook(url), a_webhook(listener.url)
    tell(bad.user, good.user)
    deliver_due()
    assert len(listener.heard) == 1
    assert (delivered_to(good).status, delivered_to(bad).status) == ("done", "failed")
    assert delivered_to(bad).answer


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (b"HTTP/1.1 200 O\0K\r\n\r\n", "200 O\ufffdK"),
        (b"HTTP/1.1 200 a\x85\xad\x1b[2J\r\n\r\n", "200 a\ufffd\ufffd\ufffd[2J"),
        (b"HTTP/1.1 200 " + b"x" * 60_000 + b"\r\n\r\n", "200 " + "x" * 196),
    ],
)
def test_whatever_a_receiver_says_can_be_stored(receiver: Receiver, answer: bytes, shown: str) -> None:
    webhook = a_webhook(f"http://127.0.0.1:{receiver(answering(answer))}/")
    tell(webhook.user)
    deliver_due()
    assert (delivered_to(webhook).status, delivered_to(webhook).answer) == ("done", shown)


@pytest.mark.parametrize(
    "answer", [b"", b"\0", b"HTTP/1.1 999999 What\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200]
)
def test_an_answer_that_is_none_is_tried_again(receiver: Receiver, answer: bytes) -> None:
    webhook = a_webhook(f"http://127.0.0.1:{receiver(answering(answer))}/")
    tell(webhook.user)
    deliver_due()
    delivery = delivered_to(webhook)
    assert delivery.status == "waiting"
    assert delivery.answer.startswith("no answer: ")


def test_what_nobody_thought_of_is_noted_and_tried_again_as_often_as_anything(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing_items, "FRESH", 0.0)
    bad, good = a_webhook(listener.url, secret="whsec_a"), a_webhook(listener.url)  # it cannot be signed with that
    tell(bad.user, good.user)
    deliver_due()
    assert len(listener.heard) == 1
    delivery, noted = delivered_to(bad), FailingItem.objects.get()
    assert (delivery.status, delivery.answer) == ("waiting", "It could not be sent, for a reason that organisers see.")
    assert (noted.loop, noted.item) == ("delivery", f"{delivery.pk} to 127.0.0.1")
    FailingItem.objects.update(next_try_at=None)  # set aside
    Delivery.objects.update(next_at=timezone.now() - timedelta(seconds=1), attempts=len(AGAIN) + 1)
    assert deliver_due() == 0
    FailingItem.objects.all().delete()
    Delivery.objects.update(next_at=timezone.now() - timedelta(seconds=1))
    deliver_due()
    assert delivered_to(bad).status == "failed"


def test_the_loop_goes_on_whatever_comes_and_gives_its_sign(listener: Listener) -> None:
    poison = [a_webhook(url) for url in BAD] + [a_webhook(listener.url, secret="whsec_a")]
    good, stop = a_webhook(listener.url), Event()

    def loop() -> None:
        deliver_until_stopped(stop, Ranks().notify_next)
        connection.close()

    thread = Thread(target=loop)
    thread.start()
    try:
        tell(*(webhook.user for webhook in poison))
        until(lambda: not Delivery.objects.filter(attempts=0).exists(), what="a try of each")
        tell(good.user, key="b")
        until(lambda: listener.heard, what="the delivery of what came after")
        with Redis.from_url(site.REDIS_URL) as redis:
            until(lambda: alive(redis, "delivery"), what="a heartbeat")
    finally:
        stop.set()
        thread.join()


def test_those_who_do_not_answer_hold_up_nobody_else(receiver: Receiver, listener: Listener) -> None:
    silence = Silence()
    slow = f"http://127.0.0.1:{receiver(silence)}/"
    hostile, good = a_user(), a_webhook(listener.url.replace("127.0.0.1", "localhost"))
    for _ in range(5):
        a_webhook(slow, hostile)
    accomplices = [a_webhook(slow) for _ in range(AT_ONCE)]
    for key in "abc":
        tell(hostile, *(webhook.user for webhook in accomplices), key=key)
    tell(good.user)
    deliveries = Deliveries()
    try:
        assert deliveries.send_due() == SHARE + 1
        settle_until(deliveries, lambda: listener.heard)
        settle_until(deliveries, lambda: len(deliveries.under_way) == SHARE)
        assert deliveries.send_due() == 0
    finally:
        silence.over.set()
    settle_until(deliveries, lambda: not deliveries.under_way)


def test_what_did_not_arrive_at_once_waits_apart_from_what_is_new(listener: Listener) -> None:
    names = [f"http://127.0.0.{number}:{listener.url.split(':')[2].split('/')[0]}/" for number in range(2, 12)]
    again = [a_webhook(url) for url in names]
    tell(*(webhook.user for webhook in again))
    Delivery.objects.update(attempts=1)
    failed = a_webhook(listener.url, failures=1)
    fresh = [a_webhook(f"http://127.0.1.{number}:9/") for number in range(1, 5)]
    tell(failed.user, *(webhook.user for webhook in fresh))
    deliveries = Deliveries()
    assert deliveries.send_due() == len(fresh) + LANES["again"]
    settle_until(deliveries, lambda: not deliveries.under_way)
    assert not Delivery.objects.filter(webhook__in=fresh, attempts=0).exists()


@pytest.mark.parametrize(
    ("scheme", "answer"),
    [
        ("http", b"HTTP/1.1 200 O"),
        ("http", b"HTTP/1.1 100 Continue\r\n\r\n"),
        ("https", b"\x16\x03\x03\x3f\xff\x02\x00\x3f\xfb"),  # a hello as long as one may be
    ],
)
def test_an_exchange_ends_in_time_however_slowly_the_other_side_speaks(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, scheme: str, answer: bytes
) -> None:
    monkeypatch.setattr(webhook_post, "SECONDS", 0.5)
    webhook = a_webhook(f"{scheme}://127.0.0.1:{receiver(trickling(answer))}/")
    tell(webhook.user)
    deliver_due()
    assert delivered_to(webhook).answer == "no answer within 0 s"


def test_a_redirect_is_not_followed(receiver: Receiver, listener: Listener) -> None:
    away = answering(f"HTTP/1.1 307 Over there\r\nLocation: {listener.url}\r\nContent-Length: 0\r\n\r\n".encode())
    webhook = a_webhook(f"http://127.0.0.1:{receiver(away)}/")
    tell(webhook.user)
    deliver_due()
    assert (delivered_to(webhook).answer, listener.heard) == ("307 Over there", [])


def test_a_name_is_looked_up_once_and_the_connection_goes_where_it_led(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, lookups = socket.getaddrinfo, []

    def look_up(host: str, port: int, *arguments: Any, **more: Any) -> Any:
        if host == "rebinding.example" and not more.get("flags"):
            lookups.append(host)
            host = "127.0.0.1" if len(lookups) == 1 else "127.0.0.9"
        return real(host, port, *arguments, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    webhook = a_webhook(listener.url.replace("127.0.0.1", "rebinding.example"))
    tell(webhook.user)
    deliver_due()
    assert len(lookups) == len(listener.heard) == 1
    assert listener.heard[0][0]["host"].startswith("rebinding.example:")


def test_of_several_addresses_one_that_answers_is_enough(listener: Listener) -> None:
    port = int(listener.url.split(":")[2].split("/")[0])
    _connect(["127.0.0.9", "127.0.0.1"], port, monotonic() + 5).close()


def test_a_webhook_removed_while_it_is_posted_to_is_no_matter(receiver: Receiver) -> None:
    silence = Silence()
    webhook = a_webhook(f"http://127.0.0.1:{receiver(silence)}/")
    tell(webhook.user)
    deliveries = Deliveries()
    deliveries.send_due()
    webhook.delete()
    silence.over.set()
    settle_until(deliveries, lambda: not deliveries.under_way)
    assert not FailingItem.objects.exists()


def test_a_shut_account_gets_nothing(listener: Listener) -> None:
    webhook = a_webhook(listener.url)
    tell(webhook.user)
    User.objects.update(is_active=False)
    webhook.user.refresh_from_db()
    tell(webhook.user, key="b")
    deliver_due()
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.answer, listener.heard) == ("failed", "the account is shut", [])
    webhook.refresh_from_db()
    assert webhook.failures == 0, "the address is not to blame"


def test_a_ladder_whose_ranks_cannot_be_told_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    notified = list[str]()

    def standings(ladder: Ladder) -> list[StandingsLine]:
        notified.append(ladder.slug)
        if len(notified) == 1:
            raise ZeroDivisionError("a ladder that nobody thought of")
        return []

    monkeypatch.setattr("tournaments.ledger.ladders.rank_notices.standings", standings)
    for _ in range(2):
        Fit.objects.create(ladder=a_ladder(), sets=0, phi=1, zero=1000, rows=[], seconds=0)
    ranks = Ranks()
    while ranks.notify_next():
        pass
    assert len(set(notified)) == 2
    assert [(row.loop, row.item) for row in FailingItem.objects.all()] == [("ranks", notified[0])]


@pytest.mark.parametrize("lane", ["mail", "webhook"])
@pytest.mark.parametrize("detail", [{"space": "club"}, {"event": "cup", "bot": 7}])
def test_what_hundreds_are_told_at_once_delays_nobody_else(lane: str, detail: dict[str, Any]) -> None:
    people = User.objects.bulk_create(User(username=f"p{number}") for number in range(300))
    single = [a_user() for _ in range(3)]
    now = timezone.now()

    def due(user: User, seconds: int, **detail: Any) -> Delivery:
        hook = a_webhook(f"https://h{user.pk}.example/", user) if lane == "webhook" else None
        notice = Notice.objects.create(user=user, kind="space", key="a", text="News.", path="/", detail=detail)
        return Delivery.objects.create(notice=notice, webhook=hook, next_at=now - timedelta(seconds=seconds))

    notified = {due(user, 60, **detail).pk for user in people}
    early, middle, late = (due(other, 10 - number).pk for number, other in enumerate(single))
    first = choose_deliveries(now, [])
    chosen = [row.delivery for row in first]
    assert early in chosen
    assert len(notified & set(chosen)) <= SHARE
    Delivery.objects.filter(pk__in=chosen).update(status="done")
    assert {early, middle, late} <= {*chosen, *(row.delivery for row in choose_deliveries(now, []))}
