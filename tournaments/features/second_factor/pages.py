"""The second factor: what there is of it, setting up an authenticator app, recovery codes, removing."""

import time

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache

from tournaments.core.accounts import passkeys, recovery_codes, time_codes
from tournaments.core.accounts.factor_secrets import seal_secret, unseal
from tournaments.core.accounts.organisers import has_factor, lacks_one
from tournaments.core.accounts.second_factor import factors_of, remove_second_factor
from tournaments.core.errors import Refused
from tournaments.features.second_factor.forms import FirstCodeForm
from tournaments.models import User
from tournaments.web.pages.account_forms import Proven, TurnOffForm
from tournaments.web.pages.rate_limits import count_own, give_back_own
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in
from tournaments.web.server.request_rates import CODES

SECRET, LASTS = "authenticator_secret", 600  # in the session, sealed; seconds


@login_required
@never_cache
def second_factor(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    factors = factors_of(user)
    context = {
        "program": next((factor for factor in factors if factor.type == time_codes.KIND), None),
        "passkeys": [factor for factor in factors if factor.type == passkeys.KIND],
        "usable": passkeys.usable(),
        "is_on": bool(factors),
        "codes": recovery_codes.codes_left(user),
        "needed": lacks_one(user),
    }
    return render(request, "second_factor/second_factor.html", context)


@login_required
@never_cache
def program(request: HttpRequest) -> HttpResponse:
    """Ask who it is, then show the secret and ask for a first code. In between the secret is in the session alone."""
    user = signed_in(request)
    if any(factor.type == time_codes.KIND for factor in factors_of(user)):
        return redirect("second-factor")
    secret = pending_secret(request)
    if secret is None:
        return prove_before_set_up(request, user)
    form = FirstCodeForm(request.POST if "code" in request.POST else None)
    if form.is_valid():
        try:
            count_own(CODES, request)
            codes = time_codes.confirm(
                user=user, secret=secret, code=recovery_codes.normalized_code(form.cleaned_data["code"])
            )
        except Refused as refused:
            form.add_error("code", sentence(refused))
        else:
            give_back_own(CODES, request)
            del request.session[SECRET]
            return recovery_codes_page(request, codes)
    return render(request, "second_factor/authenticator_program.html", {"form": form, "secret": secret})


def prove_before_set_up(request: HttpRequest, user: User) -> HttpResponse:
    form = Proven(request, user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            request.session[SECRET] = {"sealed": seal_secret(time_codes.new_secret()), "until": time.time() + LASTS}
            return redirect("authenticator-program")
        except Refused as refused:
            form.add_error(None, sentence(refused))
    return render(request, "second_factor/authenticator_program.html", {"form": form})


def pending_secret(request: HttpRequest) -> str | None:
    """Return the secret that is being set up."""
    begun = request.session.get(SECRET)
    try:
        return unseal(begun["sealed"]) if begun and begun["until"] > time.time() else None
    except Refused:
        return None


@login_required
@never_cache
def qr_code_page(request: HttpRequest) -> HttpResponse:
    """Return the QR code, while it is set up: a separate image, since the content policy allows none inline."""
    secret = pending_secret(request)
    if secret is None:
        raise Http404("There is nothing to scan.")
    return HttpResponse(time_codes.qr_code(signed_in(request), secret), content_type="image/svg+xml")


def recovery_codes_page(request: HttpRequest, codes: list[str]) -> HttpResponse:
    """Show the recovery codes, which are in this answer and nowhere else."""
    stay(request)
    if codes:
        return render(request, "second_factor/recovery_codes.html", {"codes": codes})
    messages.success(request, "The authenticator app is set up. Your recovery codes stay the same.")
    return redirect("second-factor")


def stay(request: HttpRequest) -> None:
    """Keep this session: the change ends all others."""
    update_session_auth_hash(request, User.objects.get(pk=signed_in(request).pk))


@login_required
@never_cache
def new_recovery_codes(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    if not has_factor(user):
        return redirect("second-factor")
    form = Proven(request, user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        return render(
            request, "second_factor/recovery_codes.html", {"codes": recovery_codes.renew_codes(user=user), "anew": True}
        )
    return render(request, "second_factor/recovery_codes_anew.html", {"form": form})


@login_required
@never_cache
def remove_factor(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    factor = next((factor for factor in factors_of(user) if factor.pk == number), None)
    if factor is None:
        raise Http404("This account has no such second factor.")
    form = TurnOffForm(request, user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        remove_second_factor(user=user, number=number)
        stay(request)
        messages.success(request, removal_sentence(factor, user))
        return redirect("second-factor")
    context = {"form": form, "passkey": name_of_factor(factor), "is_last": len(user.factors) == 1}
    return render(request, "second_factor/remove.html", context)


def name_of_factor(factor: Authenticator) -> str:
    return factor.data["name"] if factor.type == passkeys.KIND else ""


def removal_sentence(removed: Authenticator, user: User) -> str:
    if not factors_of(user):
        return gettext_noop("The second factor is off. Signing in takes only your password.")
    if removed.type == passkeys.KIND:
        return say("The passkey “%(name)s” no longer works.", name=name_of_factor(removed))
    return gettext_noop("The authenticator app is removed.")
