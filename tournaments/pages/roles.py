"""Who is asking, and what is theirs."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from tournaments.models import User


def owns(user: User | AnonymousUser, *owners: int) -> bool:
    """Whether `user` may see what only the given owners, and staff, may see."""
    return user.is_staff or user.pk in owners


def signed_in(request: HttpRequest) -> User:
    """The person behind a request that only signed-in people can make."""
    assert isinstance(request.user, User)
    return request.user
