"""Who is invited to an event, and whether only they may register."""

from django.db import transaction
from django.utils import timezone

from tournaments.errors import Refused
from tournaments.models import Bot, Event, EventInvitation, User


def check_invited(event: Event, bot: Bot, by: User) -> None:
    """The bot's owner, or who registers it for a team. Raises Refused: not_invited."""
    if not event.invited_only or event.invitations.filter(user__in=(by, bot.owner_id), declined_at=None).exists():
        return
    raise Refused("not_invited", "%(event)s is for people whom its organisers have invited; ask them", event=event)


@transaction.atomic
def decline(*, event: Event, by: User) -> None:
    """Raises Refused: not_invited."""
    asked = EventInvitation.objects.filter(event=event, user=by, declined_at=None)
    if not asked.update(declined_at=timezone.now()):
        raise Refused("not_invited", "you have no invitation to %(event)s that is open", event=event)
