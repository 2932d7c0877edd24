"""Accounts that were made for one space and are visible only there."""

from tournaments.errors import Refused
from tournaments.models import User


def leave_home(*, user: User) -> None:
    """Seen on the whole site from now on; their places in spaces stay. Raises Refused: no_home."""
    if not User.objects.filter(pk=user.pk, home__isnull=False).update(home=None):
        raise Refused("no_home", "your account is one of the whole site already")
