"""Accounts that organisers have suspended, on the site or in one space: there they read, download what is theirs,
appeal and leave, and write nothing."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.models import Suspension, User


def suspensions_in_force() -> "QuerySet[Suspension]":
    return Suspension.objects.filter(Q(until=None) | Q(until__gt=timezone.now()), over_at=None)


def suspension_of(user: User | AnonymousUser, space: int | None = None) -> Suspension | None:
    """Return the user's suspension on the site, or in the space if one is named."""
    rows = suspensions_in_force().select_related("act", "space")
    return rows.filter(user=user, space=space).first() if isinstance(user, User) else None


def said_of(suspension: Suspension) -> Sentence:
    """Return the sentence to the person: where, why, how long, and what they can do."""
    how_long = Sentence("until an organiser lifts it")
    if suspension.until:
        how_long = Sentence("until %(time)s UTC", time=f"{suspension.until:%d %B %Y, %H:%M}")
    return Sentence(
        "your account is suspended%(where)s %(how_long)s: %(words)s. You can read, download what is yours, and appeal "
        "once at /appeals/%(number)s/",
        where=Sentence(" in %(space)s", space=suspension.space) if suspension.space else "",
        how_long=how_long,
        words=suspension.words.rstrip("."),
        number=suspension.act.number,
    )


def check_writes(user: User | AnonymousUser, space: int | None = None) -> None:
    """Check that the user may write on the site, and in a space if one is named. Raises Refused: account_suspended."""
    suspension = suspension_of(user) or (suspension_of(user, space) if space else None)
    if suspension:
        raise Refused("account_suspended", said_of(suspension))


def check_owner(owner: User, by: User, space: int | None) -> None:
    """Check that neither asker nor owner is suspended: a team must not play on. Raises Refused: account_suspended."""
    check_writes(by, space)
    try:
        check_writes(owner, space)
    except Refused:
        raise Refused(
            "account_suspended", "the account of the bot's owner is suspended; the bot waits until that ends"
        ) from None
