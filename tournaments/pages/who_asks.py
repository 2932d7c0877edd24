"""Who makes a request."""

from django.http import HttpRequest

from tournaments.models import User


def signed_in(request: HttpRequest) -> User:
    """The person behind a request that only signed-in people can make."""
    assert isinstance(request.user, User)
    return request.user
