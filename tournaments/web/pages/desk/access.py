"""Who may use the desk: organisers, with a second factor where it is required, as in the admin; and for what is in a
space, its own organisers."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournaments.core.accounts.organisers import lacks_one
from tournaments.core.accounts.spaces import runs, runs_a_space

P = ParamSpec("P")


def organisers(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    @wraps(view)
    def enter(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not request.user.is_staff:
            raise PermissionDenied("The desk is for organisers.")
        if lacks_one(request.user):
            if request.method == "POST":  # what was typed comes back with the page of the error
                raise PermissionDenied(
                    "Organisers need a second factor. Set one up on your account's page, and send it again."
                )
            messages.info(request, "Organisers need a second factor. Set one up, and the desk opens.")
            return redirect("second-factor")
        return view(request, *args, **kwargs)

    return enter


def organisers_here(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let in whom `organisers` does, and organisers of spaces too: the view calls `check_here` for what it shows."""
    of_site = organisers(view)

    @wraps(view)
    def enter(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_staff and runs_a_space(request.user):
            return view(request, *args, **kwargs)
        return of_site(request, *args, **kwargs)

    return enter


def check_here(request: HttpRequest, space: int | None) -> None:
    """Raises PermissionDenied unless they are an organiser of the space, or of the site."""
    if not runs(request.user, space):
        raise PermissionDenied("Its organisers see this on the desk.")
