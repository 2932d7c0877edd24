"""Whether a space has room for a person, and whether they may join under their name."""

from django.conf import settings

from tournaments.core.errors import Refused
from tournaments.models import Space, User


def check_room(space: Space, more: int = 1) -> None:
    """Raises Refused: space_full."""
    most, now = settings.MEMBERS_A_SPACE, space.members.count()
    if now + more > most:
        raise Refused(
            "space_full",
            "%(space)s has room for %(most)s people: %(now)s are in it, and this would add %(more)s",
            space=space,
            most=most,
            now=now,
            more=more,
        )


def check_blind(*, drawn: bool) -> None:
    """Whether who is who can be hidden from organisers, too. Raises Refused: not_drawn, no_mail."""
    if not drawn:
        raise Refused("not_drawn", "names are hidden from organisers only where they are drawn; choose that too")
    if not settings.CAN_MAIL:
        raise Refused("no_mail", "this site sends no e-mail: you would get everybody's link, and see who is who")


def check_drawn(space: Space, user: User) -> None:
    """Refuse people under names of their own where nobody sees who is who. Raises Refused: drawn_names."""
    if space.pseudonyms and user.home_id != space.pk:
        raise Refused(
            "drawn_names", "in %(space)s names are drawn: people join only by the roster of its organisers", space=space
        )
