"""For how many days a space keeps what its results do not need. It goes by itself, some at a time.

Sets, seats, results with the digests of their replays, ratings, acts and seed chains stay: a table is made of these
alone, and so is a season's file.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice
from typing import Any

from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.ledger.competitors.bundles import bundles_of
from tournaments.ledger.retention import Forgettable
from tournaments.models import (
    AdmittedAddress,
    Bundle,
    Entrant,
    Entry,
    Event,
    Examination,
    FaultEvidence,
    MatchSet,
    Practice,
    Result,
    Seat,
    SeatNotes,
    Space,
    SpaceMember,
    Version,
)
from workers.isolation import handle_each

BATCHES = 10  # of each kind in one step
Rows = QuerySet[Any]


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one table that belong to a space. `when`: how a row leads to the time from which it is kept."""

    rows: Callable[[Space], Rows]
    when: str
    forget: Callable[[Rows], object]

    def due(self, space: Space, old: datetime) -> Rows:
        return self.rows(space).filter(**{f"{self.when}__lt": old})

    def go(self, space: Space, old: datetime) -> Iterator[int]:
        return Forgettable("", partial(self.due, space), self.forget).go(old)

    def first_after(self, space: Space, old: datetime) -> datetime | None:
        """Return from when the next is kept that goes."""
        first: datetime | None = (
            self.rows(space).filter(**{f"{self.when}__gte": old}).aggregate(at=Min(self.when))["at"]
        )
        return first


@dataclass(frozen=True, slots=True)
class Kind:
    """What a space keeps for so many days."""

    title: Sentence  # in the plural
    since: Sentence
    parts: tuple[Part, ...]


def _of_seats(rows: Callable[[], Rows], seat: str, forget: Callable[[Rows], object]) -> Part:
    to_space = f"{seat}match__set__space"
    return Part(lambda space: rows().filter(**{to_space: space}), f"{seat}match__result__recorded_at", forget)


def _replays(space: Space) -> Rows:
    """Return the replays, without those that a spot check is still to be compared with."""
    checked = MatchSet.objects.filter(rechecks=OuterRef("match"), reason="").exclude(status=MatchSet.Status.CANCELLED)
    over = Result.objects.filter(match__set__space=space).exclude(match__set__status=MatchSet.Status.OPEN)
    return over.filter(~Exists(checked)).exclude(replay=b"")


def _sources(space: Space) -> Rows:
    """Return versions that play nowhere and have bytes. Bytes that are somebody else's, or those of a version that
    plays, stay."""
    idle = _idle().filter(bot__space=space)
    versions = Version.objects.filter(bundle=OuterRef("bundle")).exclude(pk__in=idle.values("pk"))
    return idle.filter(~Exists(versions), bundle__size__gt=0)


def _idle() -> QuerySet[Version]:
    seated = Seat.objects.filter(version=OuterRef("pk"), match__set__status=MatchSet.Status.OPEN)
    entered = Entrant.objects.filter(version=OuterRef("pk")).exclude(event__status__in=Event.OVER)
    pinned = Entry.objects.filter(pinned=OuterRef("pk"))
    over = Version.objects.filter(status__in=(Version.Status.RETIRED, Version.Status.REJECTED))
    return over.filter(~Exists(seated), ~Exists(entered), ~Exists(pinned))


def _forget_sources(versions: Rows) -> None:
    played = Practice.objects.filter(status__in=(Practice.Status.WAITING, Practice.Status.ASKING))
    used = {bundle for practice in played for bundle in bundles_of(practice)}
    Bundle.objects.filter(pk__in=set(versions.values_list("bundle", flat=True)) - used).update(content=b"", size=0)


KINDS = {  # by the name of what is set
    "words": Kind(
        Sentence("What bots wrote for their owners (stderr, notes, evidence of faults)"),
        Sentence("after its match"),
        (
            _of_seats(lambda: Seat.objects.exclude(stderr=""), "", lambda rows: rows.update(stderr="")),
            _of_seats(SeatNotes.objects.all, "seat__", lambda rows: rows.delete()),
            _of_seats(
                lambda: FaultEvidence.objects.filter(~Q(detail="") | ~Q(given="") | Q(asked__isnull=False)),
                "seat__",
                lambda rows: rows.update(detail="", detail_data=None, given="", asked=None),
            ),
            Part(
                lambda space: Examination.objects.filter(version__bot__space=space),
                "ended_at",
                lambda rows: rows.delete(),
            ),
        ),
    ),
    "replays": Kind(
        Sentence("Replays of matches"),
        Sentence("after the match"),
        (Part(_replays, "recorded_at", lambda rows: rows.update(replay=b"")),),
    ),
    "sources": Kind(
        Sentence("Sources of versions that no longer play"),
        Sentence("after their upload"),
        (Part(_sources, "created_at", _forget_sources),),
    ),
    "identities": Kind(
        Sentence("Who members are by the roster, and admitted addresses"),
        Sentence("after the space is closed"),
        (
            Part(
                lambda space: space.members.exclude(identity="", address=""),
                "space__closed_at",
                lambda rows: SpaceMember.objects.filter(pk__in=rows.values("pk")).update(identity="", address=""),
            ),
            Part(
                lambda space: AdmittedAddress.objects.filter(space=space),
                "space__closed_at",
                lambda rows: rows.delete(),
            ),
        ),
    ),
}


def days_of(space: Space) -> dict[str, int | None]:
    """Return for how many days each kind is kept."""
    return {name: getattr(space, f"keep_{name}") for name in KINDS}


def old_at(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def apply_retention() -> int:
    """Do a step of each space that says how long it keeps things. Return how many rows went."""
    kept = [Q(**{f"keep_{name}__isnull": False}) for name in KINDS]
    spaces = Space.objects.filter(kept[0] | kept[1] | kept[2] | kept[3]).order_by("pk")
    return handle_each("retention of spaces", spaces, _step, FAILING_ITEMS, item_name)


def _step(space: Space) -> int:
    going = [(KINDS[name], old_at(days)) for name, days in days_of(space).items() if days]
    steps = (islice(part.go(space, old), BATCHES) for kind, old in going for part in kind.parts)
    return sum(chain.from_iterable(steps))
