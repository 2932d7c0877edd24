"""The promised wait of every bot that plays in a ladder: a match of it is over by `Entry.next_by`.

Only the dispatcher writes them. A promise is renewed when a match of the bot is recorded; if it is broken, it is
counted, logged once, and made again. While a ladder is not paired, or in a final run, nothing is promised; while no
worker has the bot's language nothing new is promised, but earlier promises still count.
"""

import logging
import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from tournaments.core.broker.available_workers import Players
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.ledger.dispatch import wait_bound
from tournaments.ledger.ladders.paired import paired_by_pace
from tournaments.ledger.matchmaking.candidates import need_of
from tournaments.ledger.matchmaking.wait_inputs import line_members, line_of, owners_in, wait_figures, workers_for
from tournaments.models import Entry, FinalRun, Ladder, Seat
from workers.isolation import handle_each

EVERY = 5.0  # seconds between two checks at least
PART = 20  # a check may take one in so many seconds
NEW = 10.0  # seconds between two checks for entries without a promise
OVERLAP = timedelta(seconds=10)  # a result may become visible later than its time
FIRST_LOOK = timedelta(minutes=10)  # back, when a process begins
IN_FINAL_RUN = "Nothing is promised during a final run: only bots near its borders play."

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Looks:
    """When entries were checked last."""

    again: float = 0.0
    new_again: float = 0.0
    recorded: datetime | None = None

    def forget(self) -> None:
        """Check everything again."""
        self.again, self.new_again, self.recorded = 0.0, 0.0, None


LOOKS = Looks()


def keep_promises() -> int:
    """Renew the promises of all that have played, make those that are missing, count those that are broken: at most
    every few seconds. Returns how many were made."""
    if time.monotonic() < LOOKS.again:
        return 0
    began, now = time.monotonic(), timezone.now()
    made = _renew(now)
    LOOKS.again = began + max(EVERY, PART * (time.monotonic() - began))
    return made


def _renew(now: datetime) -> int:
    _promise_nothing_in_final_runs()
    Entry.objects.filter(next_by__isnull=False).exclude(_in_paired_ladder()).update(next_by=None)
    played = _played(now)
    late = set(_playing().filter(next_by__lt=now).values_list("pk", flat=True)) - played
    _break(late)
    due = played | late | _new()
    ladders = paired_by_pace().filter(entries__in=due).distinct()
    return handle_each("promised waits", ladders, lambda ladder: _promise(ladder, due, now), FAILING_ITEMS, item_name)


def _in_paired_ladder() -> Q:
    return Q(status=Entry.Status.PLAYING, ladder__in=paired_by_pace())


def _playing() -> QuerySet[Entry]:
    return Entry.objects.filter(_in_paired_ladder())


def _promise_nothing_in_final_runs() -> None:
    running = FinalRun.objects.filter(state=FinalRun.State.RUNNING).values("ladder")
    playing = Entry.objects.filter(status=Entry.Status.PLAYING, ladder__in=running)
    playing.exclude(unpromised=IN_FINAL_RUN).update(next_by=None, unpromised=IN_FINAL_RUN)


def _played(now: datetime) -> set[int]:
    """Return entries with a rated match recorded since the last check."""
    since = (LOOKS.recorded or now - FIRST_LOOK) - OVERLAP
    LOOKS.recorded = now
    seats = Seat.objects.filter(match__result__recorded_at__gt=since, match__set__number__isnull=False)
    pairs = seats.filter(version__bot__entries__ladder=F("match__set__ladder"))
    return set(pairs.values_list("version__bot__entries", flat=True))


def _new() -> set[int]:
    if time.monotonic() < LOOKS.new_again:
        return set()
    LOOKS.new_again = time.monotonic() + NEW
    return set(_playing().filter(next_by=None).values_list("pk", flat=True))


def _break(late: Collection[int]) -> None:
    broken = Entry.objects.filter(pk__in=late)
    for entry in broken.select_related("bot", "ladder"):
        log.warning(
            "the promise to %s in %s is broken: no match was over by %s", entry.bot, entry.ladder, entry.next_by
        )
    broken.update(broken=F("broken") + 1)


def _promise(ladder: Ladder, due: Collection[int], now: datetime) -> int:
    """Promise to those of the entries that are in the ladder, if a table of it can be filled and played."""
    line = line_of(ladder)
    fielded = {entry.pk: need_of(ladder, version) for entry, version in line}
    workers = {need: workers_for(need, ladder.space) for need in set(fielded.values())}
    figures_by_need = {need: wait_figures(ladder, line, count) for need, count in workers.items() if sum(count)}
    until: dict[int, datetime] = {}
    missing = _who_is_missing(ladder, len(line), owners_in(line))
    for member in line_members(ladder, line, max(workers.values(), key=sum, default=Players(0))):
        figures = figures_by_need.get(fielded[member.entry.pk])
        if member.entry.pk in due and figures and not missing:
            until[member.entry.pk] = now + timedelta(seconds=wait_bound.max_wait(figures, member.place))
    entries = list(ladder.entries.filter(pk__in=due))
    for entry in entries:
        entry.next_by = until.get(entry.pk)
        entry.unpromised = "" if entry.next_by else _why_nothing(missing, fielded.get(entry.pk))
    Entry.objects.bulk_update(entries, ["next_by", "unpromised"], batch_size=500)
    return len(until)


def _who_is_missing(ladder: Ladder, playing: int, owners: int) -> str:
    """Return a sentence that says what keeps a table from being filled, or nothing."""
    seats = min(ladder.sizes)
    if playing < seats:
        count = "1 plays" if playing == 1 else f"{playing} play"
        return f"Nothing is promised yet: a table takes {seats} bots, and {count} here."
    if ladder.owners_apart and ladder.few_owners == Ladder.FewOwners.WAIT and owners < seats:
        return (
            f"Nothing is promised yet: a table takes bots of {seats} owners, a team being one, and {owners} are here."
        )
    return ""


def _why_nothing(missing: str, need: str | None) -> str:
    if need is None:
        return "Nothing is promised until a version of it may play."
    return missing or f"Nothing is promised: no worker that is here now can run {need}."
