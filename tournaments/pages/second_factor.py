"""Setting up a second factor, and turning it off."""

import io
from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from tournaments.accounts.organisers import lacks_one
from tournaments.accounts.second_factor import address, begin, confirm, turn_off
from tournaments.errors import Refused
from tournaments.models import SecondFactor, User
from tournaments.pages.account_forms import FirstCodeForm, Guarded, TurnOffForm
from tournaments.pages.rate_limits import count_own
from tournaments.pages.run_action import sentence
from tournaments.pages.who_asks import signed_in
from tournaments.server.request_rates import CODES


@login_required
@never_cache
def second_factor(request: HttpRequest) -> HttpResponse:
    """One page, three stages: none yet, begun and not confirmed, on. Each has a form that leads to the next."""
    user = signed_in(request)
    factor = SecondFactor.objects.filter(user=user).first()
    form_class, act = (Guarded, start) if factor is None else (TurnOffForm, end) if factor.confirmed_at else FINISH
    form = form_class(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return act(request, user, form.cleaned_data)
        except Refused as refused:
            form.add_error("code" if "code" in form.fields else None, sentence(refused))
    context = {"form": form, "factor": factor, "needed": lacks_one(user)}
    return render(request, "second_factor.html", context)


def start(_request: HttpRequest, user: User, _typed: dict[str, Any]) -> HttpResponse:
    begin(user=user)
    return redirect("second-factor")


def finish(request: HttpRequest, user: User, typed: dict[str, Any]) -> HttpResponse:
    """The recovery codes are in this answer and nowhere else."""
    count_own(CODES, request)
    codes = confirm(user=user, code=typed["code"])
    stay(request)
    return render(request, "recovery_codes.html", {"codes": codes})


def end(request: HttpRequest, user: User, typed: dict[str, Any]) -> HttpResponse:
    count_own(CODES, request)
    turn_off(user=user, code=typed["code"])
    stay(request)
    messages.success(request, "The second factor is off. Signing in takes only your password.")
    return redirect("account")


FINISH = (FirstCodeForm, finish)


def stay(request: HttpRequest) -> None:
    """The change ends all other sessions; this one goes on."""
    update_session_auth_hash(request, User.objects.get(pk=signed_in(request).pk))


@login_required
@never_cache
def picture(request: HttpRequest) -> HttpResponse:
    """The QR code, until the factor is confirmed: a separate image, since the content policy allows none inline."""
    factor = SecondFactor.objects.filter(user=signed_in(request), confirmed_at=None).first()
    if factor is None:
        raise Http404("There is nothing to scan.")
    drawn = io.BytesIO()
    segno.make(address(factor), error="m", micro=False).save(drawn, kind="svg", scale=5, light="#fff", nl=False)
    return HttpResponse(drawn.getvalue(), content_type="image/svg+xml")
