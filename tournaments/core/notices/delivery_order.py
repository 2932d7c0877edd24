"""Which deliveries are next. There are few threads, and a slow receiver delays few others.

A person has SHARE of the threads, and so have the host of an address, and the space, the event or what is followed
whose many people are told something at once. Mail waits for one server, and a retry is often slow again: each of both
has its own few threads, so some are always free for new deliveries.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField, Window
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, RowNumber

from tournaments.models import Delivery

AT_ONCE = 8
SHARE = 2  # of one person, one host, and one source
SOURCE = Coalesce(  # whose news it is: what many follow, a space's, an event's, or one's own
    KeyTextTransform("news", "notice__detail"),
    KeyTextTransform("space", "notice__detail"),
    KeyTextTransform("event", "notice__detail"),
    Cast("notice__user_id", TextField()),
)
MAIL, AGAIN, FRESH = "mail", "again", "fresh"
LANES = {FRESH: AT_ONCE, AGAIN: 3, MAIL: 3}
CONSIDERED = 500  # of each lane: all of the first few may belong to one host

ANY_DUE = "SELECT EXISTS (SELECT FROM tournaments_delivery WHERE status = 'waiting' AND next_at <= %s)"
DueRow = tuple[int, int, str, str | None]  # the delivery, its person, whose news it is, the webhook's address


@dataclass(frozen=True, slots=True)
class Chosen:
    delivery: int
    name: str  # for organisers
    counts_for: tuple[str, ...]  # a lane, a person, a source and a host


def choose_deliveries(now: datetime, under_way: Iterable[Chosen]) -> Sequence[Chosen]:
    """The due deliveries that fit beside those under way; nobody gets more than their share."""
    known = list(under_way)
    busy = Counter(key for one in known for key in one.counts_for)
    room, chosen, here = AT_ONCE - len(known), list[Chosen](), {one.delivery for one in known}
    for one in _all_due(now) if room and _any_due(now) else ():
        if len(chosen) < room and one.delivery not in here and all(busy[key] < _most(key) for key in one.counts_for):
            chosen.append(one)
            busy.update(one.counts_for)
    return chosen


def _any_due(now: datetime) -> bool:
    """Nearly always there is none: the lanes' queries take forty times as long to put together."""
    with connection.cursor() as cursor:
        cursor.execute(ANY_DUE, [now])
        return bool(cursor.fetchone()[0])


def _all_due(now: datetime) -> Iterator[Chosen]:
    for lane in LANES:
        for number, person, source, url in _due(lane, now):
            host = _host(url) if url else MAIL
            keys = (lane, f"person {person}", f"source {source}", *([f"host {host}"] if url else []))
            yield Chosen(number, f"{number} to {host}", keys)


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:  # older than this check of addresses
        return ""


def _most(key: str) -> int:
    return LANES.get(key, SHARE)


def _due(lane: str, now: datetime) -> Iterable[DueRow]:
    """Everybody's first comes before anybody's second: that of each space and event, and of each person."""
    due = _in(lane, Delivery.objects.filter(status=Delivery.Status.WAITING, next_at__lte=now)).annotate(source=SOURCE)
    turn = Window(RowNumber(), partition_by=F("source"), order_by=["next_at", "pk"])
    ranked = due.annotate(turn=turn).order_by("turn", "next_at", "pk")
    return ranked.values_list("pk", "notice__user_id", "source", "webhook__url")[:CONSIDERED]


def _in(lane: str, due: QuerySet[Delivery]) -> QuerySet[Delivery]:
    if lane == MAIL:
        return due.filter(webhook=None)
    tried = Delivery.objects.filter(webhook=OuterRef("webhook"), status=Delivery.Status.WAITING, attempts__gt=0)
    doubtful = Q(webhook__failures__gt=0) | Exists(tried)
    return due.filter(doubtful if lane == AGAIN else ~doubtful, webhook__isnull=False)
