"""Accounts that organisers have suspended, on the site or in one space: there they read, download what is theirs,
appeal and leave, and write nothing."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.errors import Refused
from tournaments.models import Suspension, User


def in_force() -> "QuerySet[Suspension]":
    return Suspension.objects.filter(Q(until=None) | Q(until__gt=timezone.now()), over_at=None)


def suspension_of(user: User | AnonymousUser, space: int | None = None) -> Suspension | None:
    """On the site, or in the space if one is named."""
    rows = in_force().select_related("act", "space")
    return rows.filter(user=user, space=space).first() if isinstance(user, User) else None


def said_of(found: Suspension) -> Sentence:
    """To the person: where, why, how long, and what they can do."""
    how_long = Sentence("until an organiser lifts it")
    if found.until:
        how_long = Sentence("until %(time)s UTC", time=f"{found.until:%d %B %Y, %H:%M}")
    return Sentence(
        "your account is suspended%(where)s %(how_long)s: %(words)s. You can read, download what is yours, and appeal "
        "once at /appeals/%(number)s/",
        where=Sentence(" in %(space)s", space=found.space) if found.space else "",
        how_long=how_long,
        words=found.words.rstrip("."),
        number=found.act.number,
    )


def check_writes(user: User | AnonymousUser, space: int | None = None) -> None:
    """On the site, and in the space if one is named. Raises Refused: account_suspended."""
    found = suspension_of(user) or (suspension_of(user, space) if space else None)
    if found:
        raise Refused("account_suspended", said_of(found))


def check_owner(owner: User, by: User, space: int | None) -> None:
    """Nor does a team play on with the bots of somebody who is suspended. Raises Refused: account_suspended."""
    check_writes(by, space)
    try:
        check_writes(owner, space)
    except Refused:
        raise Refused(
            "account_suspended", "the account of the bot's owner is suspended; the bot waits until that ends"
        ) from None
