"""Check-in: in the last minutes before the start, entrants confirm that they take part; the rest is automatic."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.audit.chain import moment_text
from tournaments.core.accounts.permissions import check_runs
from tournaments.core.errors import Refused
from tournaments.core.notices import triggers
from tournaments.features.events.rounds import locked_event
from tournaments.features.events.waiting_list import fill_free_places
from tournaments.models import Entrant, Event, User

ABSENT = "it was not checked in before the start"
TAKING_PART = (Entrant.Status.PLAYING, Entrant.Status.WAITING)


def check_in_begins(event: Event) -> datetime | None:
    """Return when check-in begins; None where there is none."""
    if not event.check_in_minutes or not event.starts_at:
        return None
    return event.starts_at - timedelta(minutes=event.check_in_minutes)


def is_open(event: Event) -> bool:
    begin = check_in_begins(event)
    return event.status == Event.Status.REGISTRATION and begin is not None and begin <= timezone.now()


@transaction.atomic
def check_in(*, entrant: Entrant, by: User) -> None:
    """Check an entrant in; one that waits for a place may be, too. Once more changes nothing.

    Raises Refused: not_yours, no_check_in, not_registered."""
    check_runs(entrant.bot, by)
    event = locked_event(entrant.event)
    if not is_open(event):
        begin = check_in_begins(event) if event.status == Event.Status.REGISTRATION else None
        when = (
            Sentence("it begins %(replace)s UTC", replace=moment_text(begin)[:16].replace("T", " "))
            if begin
            else Sentence("there is none to come")
        )
        raise Refused("no_check_in", "check-in for %(event)s is not open: %(when)s", event=event, when=when)
    if not event.entrants.filter(pk=entrant.pk, status__in=TAKING_PART).exists():
        raise Refused("not_registered", "%(bot)s does not take part in %(event)s", bot=entrant.bot, event=event)
    event.entrants.filter(pk=entrant.pk, checked_in_at=None).update(checked_in_at=timezone.now())


def settle_check_in(event: Event) -> None:
    """Give the places, at the start, to those who checked in. Whoever waits still has none.

    The caller has locked the event.
    """
    if is_open(event):
        _without_the_absent(event)
    left_over = event.entrants.filter(status=Entrant.Status.WAITING)
    left_over.update(status=Entrant.Status.WITHDRAWN, reason=Sentence("no place became free before the start"))


def _without_the_absent(event: Event) -> None:
    absent = list(event.entrants.filter(status=Entrant.Status.PLAYING, checked_in_at=None).select_related("bot"))
    event.entrants.filter(pk__in=[entrant.pk for entrant in absent]).update(
        status=Entrant.Status.WITHDRAWN, reason=ABSENT
    )
    for entrant in absent:
        triggers.notify_of_absence(entrant)
    fill_free_places(event, present=True)


def announce_check_in(event: Event) -> int:
    """Tell the entrants that it has begun, once."""
    with transaction.atomic():
        event = locked_event(event)
        if event.called_at or not is_open(event):
            return 0
        event.called_at = timezone.now()
        event.save(update_fields=["called_at"])
        triggers.notify_of_check_in(event)
    return 1
