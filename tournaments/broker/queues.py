"""The broker as the site uses it: it rings workers, and nothing in it is needed again."""

from collections.abc import Iterable
from contextlib import suppress
from functools import cache, partial

from django.conf import settings
from django.db import transaction
from redis import Redis, RedisError

from engine.records import to_plain
from tournaments.broker.celery_app import app
from workers import presence
from workers.orders import LEASE_KEY, PLAY, TAG, Order, reports_of
from workers.practice_orders import PRACTISE, TURN_KEY, PracticeOrder, queue_for
from workers.presence import Here

EPOCH = "boardroom:epoch"  # there as long as the broker remembers what it was given
LEASE_KNOWN_FOR = 3600  # seconds
CHANGED = "boardroom:changed"  # how often each page that is kept fresh has had news


@cache
def broker() -> Redis:
    return Redis.from_url(settings.REDIS_URL)


def ring(order: Order, queue: str) -> None:
    """Send an order to whichever worker takes it from that queue."""
    with broker().pipeline() as pipe:
        for match in order.matches:
            pipe.set(LEASE_KEY.format(match.match), match.lease, ex=LEASE_KNOWN_FOR)
        pipe.execute()
    app.send_task(PLAY, [to_plain(order)], queue=queue, retry=False)


def ring_practice(order: PracticeOrder, needs: Iterable[str]) -> None:
    """Send a practice's turn to a practice worker that has these languages."""
    broker().set(TURN_KEY.format(order.practice), order.turn, ex=LEASE_KNOWN_FOR)
    app.send_task(PRACTISE, [to_plain(order)], queue=queue_for(needs), retry=False)


def practisers_here() -> list[Here]:
    return presence.present(broker(), presence.PRACTISERS)


def workers_here() -> list[Here]:
    return presence.present(broker())


def recorders_here() -> list[Here]:
    return presence.present(broker(), presence.RECORDERS)


def workers_gone() -> set[str]:
    """Those that have fallen silent while the broker was there to hear them."""
    return presence.lapsed(broker())


def resting() -> dict[str, str]:
    """Which workers are told to take no more orders, by name, and why."""
    return presence.resting(broker())


def tell_resting(reasons: dict[str, str]) -> None:
    """Which workers are to take no more orders, by name, and why: these and no others."""
    with broker().pipeline() as pipe:
        pipe.delete(presence.RESTING)
        if reasons:
            pipe.hset(presence.RESTING, items=[part for pair in reasons.items() for part in pair])
        pipe.execute()


def changed(*topics: str) -> None:
    """Once the present transaction is committed: there is news for those who look at "ladder SLUG", "event SLUG" or
    "site". Nobody waits for it, and what gets lost is lost: the pages look again by themselves.
    """
    transaction.on_commit(partial(_change, topics), robust=True)


def _change(topics: tuple[str, ...]) -> None:
    with suppress(RedisError), broker().pipeline(transaction=False) as pipe:
        for topic in topics:
            pipe.hincrby(CHANGED, topic, 1)
        pipe.execute()


def has_forgotten() -> bool:
    """Whether the broker has lost its memory since `remember`, and every order in it."""
    return not broker().exists(EPOCH)


def remember() -> None:
    broker().set(EPOCH, "1")


def reports_waiting() -> int:
    """How many reports, of any release that is here, have not reached a recorder."""
    tags = {TAG, *(here.tag for here in workers_here())}
    return sum(int(broker().llen(reports_of(tag))) for tag in tags)
