"""Retention: deletes old data on request, in small steps that may be interrupted at any moment. What a space keeps for
less long than the site goes by itself (`tournaments.features.spaces.retention`).

It never deletes sets, matches, seats' outcomes, results, replays except of checks, ratings and their steps, acts, seed
chains, and bundles of versions: everything else can be derived from these.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Case, Count, F, Q, QuerySet, Value, When
from django.utils import timezone

from tournaments.models import (
    ApiToken,
    Attempt,
    Bundle,
    Examination,
    FaultEvidence,
    Match,
    MatchSet,
    Result,
    Seat,
    SeatNotes,
    Upkeep,
    Version,
)

BATCH = 1000  # rows in one transaction
LATE = "; then its report came, "  # in the reason of an attempt whose lease expired first

Rows = QuerySet[Any]


@dataclass(frozen=True, slots=True)
class Forgettable:
    """`rows`: those that may be deleted, given the time before which they are old; `forget` deletes some of them."""

    title: str
    rows: Callable[[datetime], Rows]
    forget: Callable[[Rows], object]

    def count(self, old: datetime) -> int:
        return self.rows(old).count()

    def go(self, old: datetime) -> Iterator[int]:
        """Delete batch by batch, each in its own transaction. Yields the number of rows of each."""
        last: Any = None
        while keys := self._batch(old, last):
            last = keys[-1]
            yield len(keys)

    @transaction.atomic
    def _batch(self, old: datetime, last: Any) -> list[Any]:
        rows = self.rows(old).order_by("pk")
        rows = rows if last is None else rows.filter(pk__gt=last)
        keys = list(rows.select_for_update(of=("self",), skip_locked=True).values_list("pk", flat=True)[:BATCH])
        self.forget(self.rows(old).filter(pk__in=keys))
        return keys


def forget_attempts(attempts: Rows) -> None:
    """Delete attempts that still count in the metrics: a counter must not fall."""
    as_counted = Case(When(outcome="refused", reason__contains=LATE, then=Value("expired")), default=F("outcome"))
    numbers = attempts.order_by().values(counted=as_counted).annotate(number=Count("pk"))
    for outcome, number in list(numbers.values_list("counted", "number")):
        Upkeep.objects.get_or_create(what=f"attempts.{outcome}")
        Upkeep.objects.filter(what=f"attempts.{outcome}").update(count=F("count") + number)
    attempts.delete()


def _stderr(old: datetime) -> Rows:
    return Seat.objects.filter(match__result__recorded_at__lt=old).exclude(stderr="")


def _notes(old: datetime) -> Rows:
    return SeatNotes.objects.filter(seat__match__result__recorded_at__lt=old)


def _evidence(old: datetime) -> Rows:
    texts = ~Q(detail="") | ~Q(given="") | Q(asked__isnull=False)
    return FaultEvidence.objects.filter(texts, seat__match__result__recorded_at__lt=old)


def _attempts(old: datetime) -> Rows:
    over = Attempt.objects.filter(match__status=Match.Status.DONE, match__result__recorded_at__lt=old, ended_at__lt=old)
    return over.exclude(match__set__status=MatchSet.Status.OPEN)


def _replays(old: datetime) -> Rows:
    decided = Result.objects.exclude(match__set__checks__status=Version.Status.CHECKING)
    return decided.filter(match__set__checks__isnull=False, recorded_at__lt=old).exclude(replay=b"")


FORGETTABLE = (
    Forgettable("last lines of bots on stderr", _stderr, lambda rows: rows.update(stderr="")),
    Forgettable("notes of bots", _notes, lambda rows: rows.delete()),
    Forgettable(
        "texts of evidence for faults",
        _evidence,
        lambda rows: rows.update(detail="", detail_data=None, given="", asked=None),
    ),
    Forgettable(
        "examinations of versions",
        lambda old: Examination.objects.filter(ended_at__lt=old),
        lambda rows: rows.delete(),
    ),
    Forgettable("attempts at matches that are over", _attempts, forget_attempts),
    Forgettable("replays of checks of uploads", _replays, lambda rows: rows.update(replay=b"")),
    Forgettable(
        "sessions that have expired",
        lambda _: Session.objects.filter(expire_date__lt=timezone.now()),
        lambda rows: rows.delete(),
    ),
    Forgettable(
        "tokens that have expired",
        lambda old: ApiToken.objects.filter(expires_at__lt=old),
        lambda rows: rows.delete(),
    ),
    Forgettable(
        "bundles of no version",
        lambda old: Bundle.objects.filter(versions__isnull=True, created_at__lt=old),
        lambda rows: rows.delete(),
    ),
)
