"""Spaces that tests begin from: with an organiser and members."""

from collections.abc import Iterable

from tests.factories import a_user, numbers
from tournaments.models import Space, SpaceMember, User


def a_space(
    slug: str = "", *, access: str = "private", organiser: User | None = None, members: Iterable[User] = ()
) -> Space:
    """Make a space without ladders. Its organiser is somebody new, if nobody is named."""
    slug = slug or f"class-{next(numbers)}"
    space = Space.objects.create(slug=slug, title=slug.title(), access=access)
    SpaceMember.objects.create(space=space, user=organiser or a_user(), role=SpaceMember.Role.ORGANISER)
    SpaceMember.objects.bulk_create(SpaceMember(space=space, user=member) for member in members)
    return space
