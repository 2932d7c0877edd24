"""Creating a notice: one row for each person, and one for each channel by which it is delivered."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.spending import spend_in
from tournaments.core.config.budgets import Budget, declare
from tournaments.models import Bot, Delivery, Membership, Notice, Space, User, Webhook

NOTICES = declare(
    Budget(
        "notices to all members or entrants",
        resource="Actions and notices",
        most=10_000,
        unit="notices",
        holder="organiser and space",
        where="tournaments.core.notices.create.count_notices",
        sentence=Sentence(
            "at most %(most)s notices a day go to the members of a space and the entrants of its events, where an "
            "announcement to 40 people counts as 40; go on tomorrow"
        ),
        seconds=86_400,
        setting="NOTICES_A_DAY",
    )
)
MOST_WAITING = 1000  # deliveries to one person's webhooks; beyond it notices appear on the page alone


def managers_of(bot: Bot) -> Iterable[User]:
    """Return those who run a bot: its owner and the members of its team."""
    members = Q(memberships__team=bot.team_id, memberships__role__in=Membership.INSIDE)
    return User.objects.filter(Q(pk=bot.owner_id) | members if bot.team_id else Q(pk=bot.owner_id)).distinct()


def count_notices(by: User | str, space: int | None, people: QuerySet[User]) -> None:
    """Count a notice to each of the people, before any is written. Raises Refused(over_budget)."""
    if people_told := people.count():
        spend_in(space, NOTICES, by, people_told)


def notify(users: Iterable[User], kind: str, key: str, text: str, path: str, **detail: object) -> None:
    """Notify each of `users`, at most once for the same `key`.

    Call it in the transaction of the event, so that there is a notice if and only if it happened. `text` is a sentence,
    `path` the page that shows more, `detail` the same for programs.
    """
    values = notice_values(kind, text, path, detail)
    for user in users:
        notice, fresh = Notice.objects.get_or_create(user=user, key=key[:120], defaults=values)
        if fresh:
            Delivery.objects.bulk_create(_deliveries(notice, user))


def notify_many(people: QuerySet[User], kind: str, key: str, text: str, path: str, **detail: object) -> None:
    """Notify hundreds of people in a few statements, as `notify` does, with a `key` that nobody was notified of yet."""
    values = notice_values(kind, text, path, detail)
    notices = Notice.objects.bulk_create([Notice(user=user, key=key[:120], **values) for user in people], 1000)
    with_hooks = set(Webhook.objects.filter(user__in=people, stopped="").values_list("user", flat=True))
    Delivery.objects.bulk_create(_of_many(notices, with_hooks), 1000)


def users_of_space(space: Space) -> QuerySet[User]:
    return User.objects.filter(spaces__space=space)


def notify_members(space: Space, key: str, text: str, path: str) -> None:
    """Notify all who are in the space, as `notify_many`."""
    notify_many(users_of_space(space), Notice.Kind.SPACE, key, text, path, space=space.slug)


def _of_many(notices: Iterable[Notice], with_hooks: set[int]) -> Iterator[Delivery]:
    """Notify people, looking for webhooks only of those who have one."""
    for notice in notices:
        if notice.user_id in with_hooks:
            yield from _deliveries(notice, notice.user)
        elif notice.user.is_active and _is_mailed(notice, notice.user):
            yield Delivery(notice=notice, next_at=timezone.now())


def notice_values(kind: str, text: str, path: str, detail: Mapping[str, object]) -> dict[str, Any]:
    """Return the columns of a notice."""
    return {"kind": kind, "text": " ".join(text.split())[:400], "path": path[:200], "detail": detail}


def _is_mailed(notice: Notice, user: User) -> bool:
    return settings.CAN_MAIL and notice.kind in user.mailed and may_be_mailed(user)


def _deliveries(notice: Notice, user: User) -> list[Delivery]:
    if not user.is_active:  # a shut account sees it on its page alone, once it is open again
        return []
    now = timezone.now()
    channels: list[Webhook | None] = [None] if _is_mailed(notice, user) else []
    if has_room(user):
        channels += [hook for hook in user.webhooks.filter(stopped="") if notice.kind in hook.kinds]
    return [Delivery(notice=notice, webhook=channel, next_at=now) for channel in channels]


def has_room(user: User) -> bool:
    """Whether the queue for the person's webhooks is not full."""
    return Delivery.objects.filter(notice__user=user, status=Delivery.Status.WAITING).count() < MOST_WAITING


def may_be_mailed(user: User) -> bool:
    """Whether the address is confirmed; others get no mail."""
    return bool(user.email) and user.email == user.confirmed_email
