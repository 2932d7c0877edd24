"""Signing up on the way to a join code. Wrong short codes are counted, by person, or by address of somebody unknown.

So nobody finds a code by trying, and a class behind one address that types right ones is never in the way of itself.
"""

from functools import partial

from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

from tournaments.core.accounts.admission import check_drawn
from tournaments.core.errors import Refused
from tournaments.core.feature import Welcome
from tournaments.features.spaces.join_codes import find_code, is_short, join_by
from tournaments.features.spaces.members import check_accounts
from tournaments.models import JoinCode, User
from tournaments.web.server.request_rates import JOIN_CODES, TooOften, asker_address, check_tries, take_try

LONGEST = 64


def welcome_by_code(request: HttpRequest, onward: str) -> Welcome | None:
    """Return how a new account is received on the way to the page of a join code. Raises Refused: too_often."""
    code = _code_on_the_way(request, onward)
    return Welcome(partial(_receive, code), reverse("space", args=[code.space.slug])) if code else None


def counted_code(request: HttpRequest, text: str) -> JoinCode | None:
    """Return the code, if it opens a space. Raises TooOften, also for a right one, once too many were wrong."""
    who = f"user {request.user.pk}" if request.user.is_authenticated else asker_address(request)
    if not is_short(text):
        return find_code(text[:LONGEST])
    check_tries(JOIN_CODES, who)
    code = find_code(text)
    if code is None:
        take_try(JOIN_CODES, who)
    return code


def _code_on_the_way(request: HttpRequest, onward: str) -> JoinCode | None:
    """Return the code of the page to which somebody goes who signs up. Raises Refused: too_often."""
    try:
        route = resolve(onward)
    except Resolver404:
        return None
    if route.url_name != "join":
        return None
    try:
        return counted_code(request, route.kwargs["code"])
    except TooOften:
        raise Refused("too_often", "too many wrong codes came from here; wait half an hour, or use the link") from None


def _receive(code: JoinCode, user: User) -> None:
    """Make a new account that came by a code the space's own. Raises Refused as `join_by`, and too_many_accounts."""
    check_drawn(code.space, user)  # before it has a home there: its name was typed
    check_accounts(code.space, 1)
    User.objects.filter(pk=user.pk).update(home=code.space)
    join_by(code=code, user=user)
