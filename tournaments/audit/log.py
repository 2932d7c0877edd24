"""The public log of organisers' acts: one chain for the whole site (see `tournaments.audit.chain`)."""

import secrets
from collections.abc import Collection, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import TextField
from django.db.models.functions import Cast, Length
from django.utils import timezone

from tournaments import audit
from tournaments.audit.entry_size import ENTRY, beginning_of_text, bounded_detail, size_in_log
from tournaments.core.config.plain_text import storable
from tournaments.models import Act, User
from tournaments.models.paging import paged_rows

LOCK = 7_002  # one entry at a time: numbers have no gaps
PLATFORM = "the platform"
SOMEWHERE = "in a space"  # stands for each part that is sealed
PAGE = 10  # entries, each of which may hold a whole table, or a long text from before there were budgets
LEFT_OUT: Final = {"left_out": "it is too long for a page; the downloaded log has it"}  # a detail


@transaction.atomic
def append(
    *,
    kind: str,
    by: User | str,
    subject: object,
    reason: str = "",
    detail: Mapping[str, object] | None = None,
    space: int | None = None,
) -> Act:
    """Append the log's next entry, in the transaction of the act that it describes: both are stored or neither.

    `space`: those who do not see it are shown a sealed entry. Raises Refused(over_budget) for what a person writes.

    It is public for ever, but for the names of erased accounts: it must hold no seed, no draft, and nothing private.
    Nobody else can append until the transaction ends, so lock everything else (ladders, sets, entries) before.
    """
    kept = bounded_detail({storable(name): audit.loggable_value(value) for name, value in (detail or {}).items()})
    if isinstance(by, User):
        ENTRY.check(size_in_log(kept))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    moment, last = timezone.now(), Act.objects.order_by("number").last()
    entry = audit.Entry(
        number=last.number + 1 if last else 1,
        kind=kind,
        by=storable(str(by))[:150],
        subject=storable(str(subject))[:200],
        reason=beginning_of_text(storable(reason)),
        detail=kept,
        at=audit.moment_text(moment),
        previous=last.digest if last else audit.START,
        salts={part: secrets.token_hex(16) for part in audit.PARTS},
    )
    return Act.objects.create(
        space_id=space,
        number=entry.number,
        kind=entry.kind,
        by=entry.by,
        subject=entry.subject,
        reason=entry.reason,
        detail=entry.detail,
        at=moment,
        previous=entry.previous,
        salts=entry.salts,
        digest=entry.digest,
    )


def entry_of(act: Act) -> audit.Entry:
    return audit.Entry(
        number=act.number,
        kind=act.kind,
        by=act.by,
        subject=act.subject,
        reason=act.reason,
        detail=act.detail,
        at=audit.moment_text(act.at),
        previous=act.previous,
        salts=act.salts,
        erased=act.erased,
    )


def entry_for(act: Act, spaces: Collection[int]) -> audit.Entry:
    """The entry as those see it who see these spaces."""
    entry = entry_of(act)
    return entry if act.space_id is None or act.space_id in spaces else entry.sealed(SOMEWHERE)


def load_details(acts: Collection[Act]) -> None:
    """Fill in the details of acts that were read without, or LEFT_OUT where they are too long for a page: some from
    before there were budgets have megabytes."""
    sized = Act.objects.annotate(size=Length(Cast("detail", TextField())))
    bounded_acts = sized.filter(
        pk__in=[act.pk for act in acts], size__lte=2 * ENTRY.most
    )  # as stored it has more spaces
    details: dict[int, Any] = dict(bounded_acts.values_list("pk", "detail"))
    for act in acts:
        act.detail = details.get(act.pk, LEFT_OUT)


def log_lines(spaces: Collection[int] | None = None) -> Iterator[str]:
    """The whole log as JSON Lines, with the stored digests, which the reader checks: as those see it who see these
    spaces; None: all of it."""
    for act in paged_rows(_after, attrgetter("number")):
        yield audit.write_entry(entry_of(act) if spaces is None else entry_for(act, spaces), act.digest)


def _after(number: int) -> list[Act]:
    return list(Act.objects.filter(number__gt=number).order_by("number")[:PAGE])


def head() -> audit.Head:
    """The end of the log. Raises BrokenLog if the log is not intact."""
    return audit.check_log(log_lines())
