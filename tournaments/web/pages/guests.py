"""What guests may do, decided here alone: they play, and to every other page they are visitors who are not signed in.

Whoever signs up or in takes a guest's games along.
"""

from collections.abc import Callable
from typing import TypeVar

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from tournaments.core.accounts.guests import LASTS, new_guest
from tournaments.core.feature import features
from tournaments.models import User
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in
from tournaments.web.server.request_rates import asker_address

T = TypeVar("T")
Answer = Callable[[HttpRequest], HttpResponse]
PLAY = {  # routes on which a guest is somebody
    *("play", "play-now", "play-begin", "practice", "practice-state", "practice-table", "practice-join"),
    *("practice-leave", "practice-retry", "practice-again", "practice-replay", "practice-film"),
}
WAYS_IN = {  # forms that a guest sends as a visitor does
    *("sign-up", "sign-in", "sign-in-code", "sign-in-passkey", "passkey-challenge", "lost-password", "reset-password"),
    *("sign-on", "sign-on-answer", "sign-on-assertion", "sign-on-launch", "sign-on-name", "sign-on-course"),
    *("invited", "sign-out", "language"),
}
SAFE = ("GET", "HEAD", "OPTIONS")


class OnlyPlaying:
    """Middleware: a guest is nobody but where games are played."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, _view: object, _args: object, _kwargs: object) -> HttpResponse | None:
        user, route = request.user, request.resolver_match
        if not isinstance(user, User) or user.guest_until is None or route is None:
            return None
        is_there = user.guest_until > timezone.now()
        request.guest = user if is_there else None  # type: ignore[attr-defined]
        own = "" if route.namespaces else route.url_name
        if is_there and own in PLAY:
            return None
        request.user = AnonymousUser()
        if request.method in SAFE or route.namespaces or own in WAYS_IN or not is_there:
            return None  # the API and the admin refuse visitors by themselves
        return render(request, "guest_refused.html", status=403)


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest who asks, also where it is nobody."""
    return getattr(request, "guest", None)


def as_player(request: HttpRequest, begins: Callable[[User], T]) -> T:
    """Return what `begins` does for whoever asks: a visitor becomes a guest, unless it is refused. Raises Refused."""
    if request.user.is_authenticated:
        return begins(signed_in(request))
    with transaction.atomic():
        guest = new_guest(asker_address(request))
        done = begins(guest)
    login(request, guest)
    request.session.set_expiry(int(LASTS.total_seconds()))
    return done


@transaction.atomic
def save_over_guest(request: HttpRequest, account: User) -> None:
    """Make the row of a guest who signs up that of the new account, which is not saved yet."""
    guest = guest_of(request)
    rows = User.objects.select_for_update().filter(guest_until__isnull=False, is_active=True)
    if guest and rows.filter(pk=guest.pk).exists():  # another tab may have signed up first
        account.pk = guest.pk
        account._state.adding = False  # noqa: SLF001  Django's way to say that there is a row


@receiver(user_logged_in)
def take_games_along(request: HttpRequest, user: User, **_: object) -> None:
    guest = guest_of(request)
    if guest is None or user.guest_until:
        return
    with transaction.atomic():
        for feature in features():
            feature.guest_kept(guest, user)
    messages.success(request, say("Your games as %(guest)s are kept under your name.", guest=guest))
