"""Who is an organiser, and whether they have the second factor that organisers need."""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from tournaments.core.errors import Refused
from tournaments.models import User

NEEDED = "organisers need a second factor, and tokens made after it was set up; the page /account/ sets one up"


def has_factor(user: User) -> bool:
    """Whether one is asked for at sign-in."""
    return bool(user.factors)


def lacks_one(user: User | AnonymousUser) -> bool:
    """Whether this is an organiser without a second factor, or with a token that is older than it."""
    if not (settings.STAFF_NEED_SECOND_FACTOR and isinstance(user, User) and user.is_staff):
        return False
    factors = user.factors
    return not factors or (user.token is not None and user.token.created_at < min(factors))


def organises(user: User | AnonymousUser | None) -> bool:
    """Whether they have the rights of an organiser."""
    return isinstance(user, User) and user.is_staff and user.is_active and not lacks_one(user)


def check_organises(by: User | str) -> None:
    """`by` is a person, or the platform itself. Raises Refused: not_organiser, second_factor_needed."""
    if isinstance(by, User) and not organises(by):
        if lacks_one(by):
            raise Refused("second_factor_needed", NEEDED)
        raise Refused("not_organiser", "only organisers may do that")
