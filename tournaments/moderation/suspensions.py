"""Suspending an account and lifting it. Its bots stay in earlier tables; the entries that play are paused meanwhile."""

from datetime import datetime

from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from tournaments.accounts.suspension import said_of
from tournaments.broker.failing_items import FAILING_ITEMS, name_of
from tournaments.competitors import entry_states
from tournaments.models import Act, Entry, Notice, Suspension, User
from tournaments.notices.create import notify
from workers.isolation import each


def playing(user: User) -> list[Entry]:
    return list(Entry.objects.filter(bot__owner=user, status=Entry.Status.PLAYING))


def begin(user: User, act: Act, until: datetime | None, words: str) -> Suspension:
    paused = [entry.pk for entry in entry_states.suspend(Entry.objects.filter(bot__owner=user))]
    found = Suspension.objects.create(user=user, act=act, until=until, words=words, paused=paused)
    said = said_of(found)
    text = f"{said[:1].upper()}{said[1:]}"
    notify([user], Notice.Kind.ACT, f"act {act.number}", text, reverse("appeal", args=[act.number]), act=act.number)
    return found


def end(found: Suspension, act: Act | None) -> None:
    """Its entries play again, but for those that something else keeps out since."""
    Suspension.objects.filter(pk=found.pk).update(over_at=timezone.now(), lifted=act)
    entry_states.end_suspensions(Entry.objects.filter(pk__in=found.paused))
    text = f"Your account is suspended no more{f': {act.reason}' if act else '; its time is over'}."
    notify([found.user], Notice.Kind.ACT, f"suspension {found.pk} over", text, reverse("account"))


def end_due() -> int:
    """Returns how many."""
    due = Suspension.objects.filter(over_at=None, until__lte=Now()).select_related("user").order_by("pk")
    return each("suspensions", due, _end, FAILING_ITEMS, name_of)


def _end(found: Suspension) -> int:
    end(found, None)
    return 1
