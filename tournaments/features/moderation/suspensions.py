"""An account is suspended, on the site or in one space, and no more. Its bots leave no table of before; what they play
in waits meanwhile."""

from datetime import datetime

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.notices.create import notify
from tournaments.ledger.competitors import entry_states
from tournaments.models import Act, Entry, Notice, Space, Suspension, User
from workers.isolation import handle_each

BEGUN = {  # by whether in one space, and whether for a time
    (True, True): "Your account is suspended in %(space)s until %(until)s UTC; you can appeal once: %(reason)s",
    (True, False): "Your account is suspended in %(space)s until it is lifted; you can appeal once: %(reason)s",
    (False, True): "Your account is suspended until %(until)s UTC; you can appeal once: %(reason)s",
    (False, False): "Your account is suspended until it is lifted; you can appeal once: %(reason)s",
}
OVER = {  # by whether in one space, and whether by an act
    (True, True): "Your account is no longer suspended in %(space)s: %(reason)s.",
    (True, False): "Your account is no longer suspended in %(space)s; the time is over.",
    (False, True): "Your account is no longer suspended: %(reason)s.",
    (False, False): "Your account is no longer suspended; the time is over.",
}


def entries_to_suspend(user: User, space: Space | None) -> QuerySet[Entry]:
    """Return where it would play: in the space, or anywhere."""
    return Entry.objects.filter(Q(ladder__space=space) if space else Q(), bot__owner=user)


def begin_suspension(user: User, act: Act, until: datetime | None, words: str, space: Space | None) -> Suspension:
    paused = [entry.pk for entry in entry_states.suspend(entries_to_suspend(user, space))]
    suspension = Suspension.objects.create(user=user, space=space, act=act, until=until, words=words, paused=paused)
    end_at = f"{until:%d %B %Y, %H:%M}" if until else ""
    text = Sentence(BEGUN[bool(space), bool(until)], space=space, until=end_at, reason=words)
    notify([user], Notice.Kind.ACT, f"act {act.number}", text, reverse("appeal", args=[act.number]), act=act.number)
    return suspension


def end_suspension(suspension: Suspension, act: Act | None) -> None:
    """End it: its entries play again, but for those that something else keeps out since, and that ends later."""
    Suspension.objects.filter(pk=suspension.pk).update(over_at=timezone.now(), lifted=act)
    paused = Entry.objects.filter(pk__in=suspension.paused)
    entry_states.end_suspensions(paused)
    for other in Suspension.objects.filter(user=suspension.user, over_at=None):
        waiting = entries_to_suspend(suspension.user, other.space).filter(pk__in=paused, status=Entry.Status.SUSPENDED)
        other.paused = sorted({*other.paused, *waiting.values_list("pk", flat=True)})
        other.save(update_fields=["paused"])
    text = Sentence(OVER[bool(suspension.space), bool(act)], space=suspension.space, reason=act.reason if act else "")
    notify([suspension.user], Notice.Kind.ACT, f"suspension {suspension.pk} over", text, reverse("account"))


def end_due() -> int:
    """End those whose time is over. Return how many."""
    due = Suspension.objects.filter(over_at=None, until__lte=Now()).select_related("user", "space").order_by("pk")
    return handle_each("suspensions", due, _end, FAILING_ITEMS, item_name)


def _end(suspension: Suspension) -> int:
    end_suspension(suspension, None)
    return 1
