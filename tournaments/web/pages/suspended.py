"""Whoever is suspended reads, and sends no forms; they are told so when they sign in."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.core.accounts.suspension import check_writes, said_of, suspension_of
from tournaments.core.errors import Refused
from tournaments.models import User
from tournaments.web.pages.run_action import sentence

Answer = Callable[[HttpRequest], HttpResponse]
WHILE_SUSPENDED = {  # forms that a suspended account sends all the same: it leaves, and answers for itself
    *("sign-in", "sign-in-code", "sign-out", "lost-password", "reset-password", "confirm-email", "unsubscribe"),
    *("sign-on-name", "sign-on-assertion", "sign-in-passkey", "passkey-challenge"),
    *("authenticator-program", "factor-remove", "recovery-codes"),
    *("language", "password", "token-revoke", "tokens-revoke", "webhook-remove", "notices-read", "unfollow"),
    *("appeal", "own-data", "account-erase", "practice-leave"),
}


class OnlyReading:
    """Middleware: who is suspended sends no forms, wherever one is."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, _view: object, _args: object, _kwargs: object) -> HttpResponse | None:
        route = request.resolver_match
        is_api = route is not None and route.namespaces == ["api"]  # which has rules of its own
        if request.method != "POST" or is_api or (route and route.url_name in WHILE_SUSPENDED):
            return None
        try:
            check_writes(request.user)
        except Refused as why:
            return render(request, "403.html", {"exception": sentence(why)}, status=403)  # not raised: logs tell nobody
        return None


def tell_if_suspended(request: HttpRequest, user: User) -> None:
    """Say why, how long, and how to appeal: before they run into it."""
    if suspension := suspension_of(user):
        messages.warning(request, sentence(Refused("account_suspended", said_of(suspension))))
