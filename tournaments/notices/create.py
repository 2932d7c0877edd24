"""Creating a notice: one row for each person, and one for each channel by which it is delivered."""

from collections.abc import Iterable

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from tournaments.models import Bot, Delivery, Membership, Notice, User, Webhook

MOST_WAITING = 1000  # deliveries to one person's webhooks; beyond it notices appear on the page alone


def managers_of(bot: Bot) -> Iterable[User]:
    """Those who run a bot: its owner and the members of its team."""
    members = Q(memberships__team=bot.team_id, memberships__role__in=Membership.INSIDE)
    return User.objects.filter(Q(pk=bot.owner_id) | members if bot.team_id else Q(pk=bot.owner_id)).distinct()


def notify(users: Iterable[User], kind: str, key: str, text: str, path: str, **detail: object) -> None:
    """Notify each of `users`, at most once for the same `key`.

    Call it in the transaction of the event, so that there is a notice if and only if it happened. `text` is a sentence,
    `path` the page that shows more, `detail` the same for programs.
    """
    for user in users:
        values = {"kind": kind, "text": " ".join(text.split())[:400], "path": path[:200], "detail": detail}
        notice, fresh = Notice.objects.get_or_create(user=user, key=key[:120], defaults=values)
        if fresh:
            Delivery.objects.bulk_create(_deliveries(notice, user))


def _deliveries(notice: Notice, user: User) -> list[Delivery]:
    if not user.is_active:  # a shut account sees it on its page alone, once it is open again
        return []
    now = timezone.now()
    mails = settings.CAN_MAIL and notice.kind in user.mailed and may_be_mailed(user)
    channels: list[Webhook | None] = [None] if mails else []
    if Delivery.objects.filter(notice__user=user, status=Delivery.Status.WAITING).count() < MOST_WAITING:
        channels += [hook for hook in user.webhooks.filter(stopped="") if notice.kind in hook.kinds]
    return [Delivery(notice=notice, webhook=channel, next_at=now) for channel in channels]


def may_be_mailed(user: User) -> bool:
    """Whether the address is confirmed; others get no mail."""
    return bool(user.email) and user.email == user.confirmed_email
