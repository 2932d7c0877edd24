"""People on a roster learn of the account made for them by mail, or from a link that a teacher passes on."""

from collections.abc import Iterable

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.accounts.invitations import token_for
from tournaments.features.spaces.roster import Planned, bring_in, uninvited
from tournaments.models import Delivery, Notice, Space, User
from tournaments.notices.letters import count


def link_for(user: User) -> str:
    """Return the link by which whoever has it chooses the account's password."""
    return f"{settings.SITE_URL}{reverse('invited', args=[token_for(user, mailed=False)])}"


@transaction.atomic
def bring_in_and_mail(*, space: Space, text: str, by: User) -> tuple[list[Planned], int]:
    """Return what became of each line, and how many letters are on their way: all of it happens, or nothing. Raises
    Refused: as `bring_in`, and over_budget."""
    planned = bring_in(space=space, text=text, by=by)
    return planned, mail_invitations(space, planned, by)


def mail_invitations(space: Space, planned: Iterable[Planned], by: User) -> int:
    """Send a letter to each who was not sent one, where the site sends mail; whoever got too many today gets it by the
    next roster. Where organisers hand out no links, since names are hidden from them, one a day. Returns how many."""
    if not settings.CAN_MAIL:
        return 0
    key = f"invited {space.pk}{timezone.now():, %Y-%m-%d}" if space.blind else f"invited {space.pk}"
    waiting = {row.user.pk: row.user for row in uninvited(list(planned)) if row.user}
    invited = Notice.objects.filter(user__in=waiting, key=key).values_list("user", flat=True)
    path = reverse("space", args=[space.slug])
    text = Sentence("An account was made for you in %(space)s.", space=space)
    detail = {"space": space.slug, "invited": True}
    notices = [
        Notice(user=user, kind=Notice.Kind.SPACE, key=key, text=text, path=path, detail=detail)
        for user in count([waiting[number] for number in waiting.keys() - set(invited)], by)
    ]
    now = timezone.now()
    Notice.objects.bulk_create(notices)
    Delivery.objects.bulk_create(Delivery(notice=notice, next_at=now) for notice in notices)
    return len(notices)
