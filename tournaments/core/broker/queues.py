"""Message queues of orders and reports. PostgreSQL is the source of truth; everything here can be rebuilt."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from redis import Redis, RedisError
from redis.exceptions import ResponseError

from engine.records import to_plain
from tournaments.core.broker.celery_app import app
from workers import examination_orders as examinations
from workers import process_heartbeats
from workers import suggestion_orders as suggestions
from workers.examination_orders import EXAMINE, ExaminationOrder
from workers.orders import (
    LEASE_KEY,
    PLAY,
    TAG,
    TAKEN_KEY,
    USED,
    USED_FOR,
    Order,
    key_of,
    reports_of,
    set_reports_of,
    space_of_queue,
)
from workers.practice_orders import PRACTISE, TURN_KEY, PracticeOrder, practice_queue
from workers.process_heartbeats import OnlineProcess
from workers.suggestion_orders import SUGGEST, SuggestionOrder

EPOCH = "boardroom:epoch"  # there as long as the broker remembers what it was given
LEASE_KNOWN_FOR = 900  # seconds: what waits for a worker is sent again, and noted anew, every two minutes
CHANGED = "boardroom:changed"  # how often each page that is kept fresh has had news


@cache
def broker() -> Redis:
    return Redis.from_url(settings.REDIS_URL)


def note_orders(orders: Sequence[tuple[Order, str]]) -> None:
    """Note orders before they are sent: leases, so that a worker drops older ones, and queues for it to read."""
    with broker().pipeline(transaction=False) as pipe:
        for match in chain.from_iterable(order.matches for order, _ in orders):
            pipe.set(LEASE_KEY.format(match.match), match.lease, ex=LEASE_KNOWN_FOR)
        pipe.execute()
    _note_used({queue for _, queue in orders})


def note_over(numbers: Mapping[str, int]) -> None:
    """Tell the workers, at commit, that nobody waits for these leases or turns any more, by the key at which they look.

    Should it get lost, a worker's next heartbeat brings it again.
    """
    transaction.on_commit(partial(_note_over, dict(numbers)), robust=True)


def note_leases_over(leases: Iterable[tuple[int, int]]) -> None:
    """The same for leases, by match and number."""
    note_over({LEASE_KEY.format(match): lease for match, lease in leases})


def note_practice_over(practice: int, turn: int) -> None:
    """The same for a turn of a practice."""
    note_over({TURN_KEY.format(practice): turn})


def note_examination_over(examination: int, turn: int) -> None:
    """The same for a turn of an examination."""
    note_over({examinations.TURN_KEY.format(examination): turn})


def _note_over(numbers: Mapping[str, int]) -> None:
    with suppress(RedisError), broker().pipeline(transaction=False) as pipe:
        for key, number in numbers.items():
            pipe.set(key, number + 1, ex=LEASE_KNOWN_FOR)
        pipe.execute()


def _note_used(names: Iterable[str]) -> None:
    """But for the queue of Python alone, which every worker reads. What a space uses its own workers alone are told."""
    named = sorted((space_of_queue(name), name) for name in names if name.count(":") > 1)
    for space, used in groupby(named, itemgetter(0)):
        _note_used_in(key_of(space, USED), [name for _, name in used])


def _note_used_in(key: str, names: Iterable[str]) -> None:
    now, _ = broker().time()  # of all hosts the same
    try:
        broker().zadd(key, dict.fromkeys(names, now))
        broker().zremrangebyscore(key, 0, now - USED_FOR)
    except ResponseError:
        broker().delete(key)  # something else stood there: the next time finds nothing
        raise


def send_order(order: Order, queue: str, producer: Any = None) -> None:
    """Put an order into that queue. Unless told, Celery makes a text of all its parts, which nobody keeps."""
    app.send_task(PLAY, [to_plain(order)], queue=queue, retry=False, argsrepr="(an order)", producer=producer)


def orders_in(names: Collection[str]) -> dict[str, int]:
    """Return how many orders lie in each of these queues; without those that are none. Raises RedisError."""
    with broker().pipeline(transaction=False) as pipe:
        for name in names:
            pipe.llen(name)
        lengths = zip(names, pipe.execute(raise_on_error=False), strict=True)
        return {name: length for name, length in lengths if isinstance(length, int)}


def send_practice_order(order: PracticeOrder, needs: Iterable[str], space: str = "") -> None:
    """Put a practice's turn into the queue of practice workers with these languages: the site's, or a space's own."""
    queue = practice_queue(needs, space)
    broker().set(TURN_KEY.format(order.practice), order.turn, ex=LEASE_KNOWN_FOR)
    _note_used([queue])
    app.send_task(PRACTISE, [to_plain(order)], queue=queue, retry=False)


def send_examination(order: ExaminationOrder, needs: Iterable[str], space: str = "") -> None:
    """Put a turn into the queue of match workers with these languages: the site's, or a space's own."""
    queue = examinations.examination_queue(needs, space)
    broker().set(examinations.TURN_KEY.format(order.examination), order.turn, ex=LEASE_KNOWN_FOR)
    _note_used([queue])
    app.send_task(EXAMINE, [to_plain(order)], queue=queue, retry=False, argsrepr="(an order)")


def send_suggestion(order: SuggestionOrder, space: str = "") -> None:
    """Put a turn into the queue of match workers: the site's, or a space's own."""
    queue = examinations.examination_queue((), space)
    broker().set(suggestions.TURN_KEY.format(order.suggestion), order.turn, ex=LEASE_KNOWN_FOR)
    _note_used([queue])
    app.send_task(SUGGEST, [to_plain(order)], queue=queue, retry=False, argsrepr="(an order)")


def practice_workers_here(spaces: Iterable[str] = ()) -> list[OnlineProcess]:
    return process_heartbeats.present(broker(), process_heartbeats.PRACTISERS, spaces)


def online_workers(spaces: Iterable[str] = ()) -> list[OnlineProcess]:
    """The site's, and those of these spaces."""
    return process_heartbeats.present(broker(), spaces=spaces)


def recorders_here() -> list[OnlineProcess]:
    return process_heartbeats.present(broker(), process_heartbeats.RECORDERS)


def workers_gone(spaces: Collection[str] = ()) -> set[str]:
    """Workers, those of these spaces among them, whose heartbeats stopped while the broker was up."""
    return process_heartbeats.lapsed(broker(), spaces)


def taken_by(workers: Collection[str]) -> dict[str, bytes]:
    """Return, by worker that took an order lately, what it noted of the last one."""
    if not workers:
        return {}
    notes = cast("list[bytes | None]", broker().mget([TAKEN_KEY.format(worker) for worker in workers]))
    return {worker: note for worker, note in zip(workers, notes, strict=True) if note}


def reasons_to_rest() -> dict[str, str]:
    """The reason by name of each worker that must take no more orders."""
    return process_heartbeats.reasons_to_rest(broker())


def set_resting(reasons: dict[str, str]) -> None:
    """Set the reason by name of each worker that must take no more orders, and of no others."""
    with broker().pipeline() as pipe:
        pipe.delete(process_heartbeats.RESTING)
        if reasons:
            pipe.hset(process_heartbeats.RESTING, items=[part for pair in reasons.items() for part in pair])
        pipe.execute()


def announce_change(*topics: str) -> None:
    """Announce a change of "ladder SLUG", "event SLUG" or "site" to viewers when the present transaction commits.

    Nobody waits for it, and it may get lost: the pages also refresh by themselves.
    """
    transaction.on_commit(partial(_change, topics), robust=True)


def _change(topics: tuple[str, ...]) -> None:
    with suppress(RedisError), broker().pipeline(transaction=False) as pipe:
        for topic in topics:
            pipe.hincrby(CHANGED, topic, 1)
        pipe.execute()


def who_is_here() -> list[int]:
    """How many processes of each kind are known, and whether the broker remembers: another answer is news."""
    with broker().pipeline(transaction=False) as pipe:
        for kind in (process_heartbeats.WORKERS, process_heartbeats.PRACTISERS, process_heartbeats.RECORDERS):
            pipe.zcard(kind)
        pipe.exists(EPOCH)
        return pipe.execute()


def has_forgotten() -> bool:
    """Whether the broker has lost its data since `note_epoch`, and every order with it."""
    return not broker().exists(EPOCH)


def note_epoch() -> None:
    broker().set(EPOCH, "1")


def reports_waiting() -> int:
    """Count messages with reports, of any release that is online, that have not reached a recorder."""
    tags = {TAG, *(worker.tag for worker in online_workers())}
    with broker().pipeline(transaction=False) as pipe:
        for tag in tags:
            pipe.llen(reports_of(tag))
            pipe.llen(set_reports_of(tag))
        return sum(pipe.execute())
