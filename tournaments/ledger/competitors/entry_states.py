"""The states of a bot's entry in a ladder. Only this module writes `Entry.status`.

It is in this room because a version that takes over ends the suspensions of its bot.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.models import Entry, Suspension

Status = Entry.Status
GONE = (Status.WITHDRAWN, Status.DISQUALIFIED)


def enter_again(entry: Entry) -> None:
    """A bot that left enters again."""
    entry.status = Status.PLAYING
    entry.save(update_fields=["status"])


def mark_withdrawn(entry: Entry) -> bool:
    """Whether it was there to leave."""
    return bool(Entry.objects.filter(pk=entry.pk).exclude(status__in=GONE).update(status=Status.WITHDRAWN))


def suspend(entries: QuerySet[Entry]) -> list[Entry]:
    """Suspend the entries that play: they are not paired until a new version takes over or an organiser ends it."""
    playing = list(entries.filter(status=Status.PLAYING).select_related("bot", "ladder"))
    there = Entry.objects.filter(pk__in=[entry.pk for entry in playing], status=Status.PLAYING)
    there.update(status=Status.SUSPENDED)
    return playing


def end_suspensions(entries: QuerySet[Entry]) -> None:
    """Have the suspended entries play again."""
    here = Q(space=None) | Q(space=OuterRef("ladder__space"))
    waits = Suspension.objects.filter(here, user=OuterRef("bot__owner"), over_at=None)  # the account is suspended
    suspended = list(entries.filter(~Exists(waits), status=Status.SUSPENDED).values_list("pk", flat=True))
    Entry.objects.filter(pk__in=suspended, status=Status.SUSPENDED).update(status=Status.PLAYING)


def disqualify_entries(entries: QuerySet[Entry]) -> None:
    entries.update(status=Status.DISQUALIFIED)


def reinstate(entry: Entry, status: str) -> None:
    """A disqualified entry is again what it was before."""
    entry.status = status
    entry.save(update_fields=["status"])
