"""Accounts that organisers have suspended: they can read, download their data, appeal and leave, but write nothing."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils import timezone

from tournaments.errors import Refused
from tournaments.models import Suspension, User


def in_force() -> "QuerySet[Suspension]":
    return Suspension.objects.filter(Q(until=None) | Q(until__gt=timezone.now()), over_at=None)


def suspension_of(user: User | AnonymousUser) -> Suspension | None:
    return in_force().select_related("act").filter(user=user).first() if isinstance(user, User) else None


def said_of(found: Suspension) -> str:
    """To the person: why, how long, and what they can do."""
    how_long = f"until {found.until:%d %B %Y, %H:%M} UTC" if found.until else "until an organiser lifts it"
    return (
        f"your account is suspended {how_long}: {found.words.rstrip('.')}. You can read, download what is yours, and "
        f"appeal once at /appeals/{found.act.number}/"
    )


def check_writes(user: User | AnonymousUser) -> None:
    """Raises Refused: account_suspended."""
    if found := suspension_of(user):
        raise Refused("account_suspended", said_of(found))


def check_owner(owner: User, by: User) -> None:
    """Nor does a team play on with the bots of somebody who is suspended. Raises Refused: account_suspended."""
    check_writes(by)
    if suspension_of(owner):
        raise Refused("account_suspended", "the account of the bot's owner is suspended; the bot waits until that ends")
