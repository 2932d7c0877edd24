"""The broker as the site uses it: it rings workers, and nothing in it is needed again."""

from collections.abc import Iterable
from functools import cache

from django.conf import settings
from redis import Redis, RedisError

from engine.records import to_plain
from tournaments.celery import app
from workers import presence
from workers.orders import PLAY, REPORTS, Order, queue_for

EPOCH = "boardroom:epoch"  # there as long as the broker remembers what it was given
LEASE = "boardroom:lease:{}"  # the present lease of a match, so that a worker can drop an order that is out of date
LEASE_KNOWN_FOR = 3600  # seconds


@cache
def broker() -> Redis:
    return Redis.from_url(settings.REDIS_URL)


def ring(order: Order, needs: Iterable[str]) -> None:
    """Send an order to whichever worker is free that has the languages it needs."""
    with broker().pipeline() as pipe:
        for match in order.matches:
            pipe.set(LEASE.format(match.match), match.lease, ex=LEASE_KNOWN_FOR)
        pipe.execute()
    app.send_task(PLAY, [to_plain(order)], queue=queue_for(needs), retry=False)


def players_of(needs: Iterable[str]) -> int | None:
    """How many of the workers that are here have all these languages; None if none has said that it is here."""
    offers = presence.present(broker())
    return sum(set(needs) <= offered for offered in offers) if offers else None


def nobody_plays(needs: Iterable[str]) -> bool:
    """Whether workers are here, and none of them has all these languages. While the broker is away nobody knows."""
    try:
        return players_of(needs) == 0
    except RedisError:
        return False


def has_forgotten() -> bool:
    """Whether the broker has lost its memory since `remember`, and every order in it."""
    return not broker().exists(EPOCH)


def remember() -> None:
    broker().set(EPOCH, "1")


def reports_waiting() -> int:
    """How many reports have not reached a recorder."""
    return int(broker().llen(REPORTS))
