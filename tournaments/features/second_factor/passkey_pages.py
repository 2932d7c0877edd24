"""Passkeys: the challenge that our script asks for, adding one, and signing in with one."""

import time
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import RedirectURLMixin
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from tournaments.core.accounts import passkey_answers, passkeys
from tournaments.core.errors import Refused
from tournaments.features.second_factor.forms import PasskeyForm
from tournaments.features.second_factor.pages import recovery_codes_page
from tournaments.models import User
from tournaments.web.pages.account_forms import Proven, SignInForm
from tournaments.web.pages.accounts import HALF, half_signed_in, sign_in_and_go_on
from tournaments.web.pages.factor_forms import PasskeyInForm
from tournaments.web.pages.form_recovery import carried
from tournaments.web.pages.passkey_answers import user_of_passkey_answer
from tournaments.web.pages.rate_limits import count_passkey
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.who_asks import signed_in

STATUS = {"too_often": 429, "try_later": 503}
ADDS, LASTS = "may_add_passkey", 600  # in the session of somebody who has just shown who they are; seconds


@never_cache
def challenge(request: HttpRequest) -> HttpResponse:
    """Return, in JSON for our script, what the authenticator signs. `why` says for what: in, factor, add."""
    why = request.POST.get("why", "")
    try:
        count_passkey(request)
        if why not in ("in", "factor", "add"):
            raise Refused("bad_why", "a challenge is for one of in, factor, add")
        user = who(request, cast("passkeys.For", why))
        return JsonResponse(passkey_answers.ask_for_passkey(request, why, user, alone="alone" in request.POST))  # type: ignore[arg-type]
    except Refused as refused:
        problem = {"code": refused.code, "detail": sentence(refused)}
        return JsonResponse(problem, status=STATUS.get(refused.code, 403))


def who(request: HttpRequest, why: passkeys.For) -> User | None:
    """Return who is to answer: nobody yet, whose password was right, or who is signed in.

    Raises Refused: signed_out.
    """
    if why == "in":
        return None
    user = request.user if isinstance(request.user, User) else half_signed_in(request) if why == "factor" else None
    if user is None or (why == "add" and not may_add(request)):
        raise Refused("signed_out", "that was more than ten minutes ago; load this page again")
    return user


def may_add(request: HttpRequest) -> bool:
    return float(request.session.get(ADDS, 0)) > time.time()


@login_required
@never_cache
def add_passkey(request: HttpRequest) -> HttpResponse:
    """Ask who it is, then for the passkey. A browser that has made one cannot take it back."""
    user = signed_in(request)
    if not passkeys.usable():
        return redirect("second-factor")
    if not may_add(request):
        return prove_before_passkey(request, user)
    form = PasskeyForm(request.POST if "passkey" in request.POST else None)
    if form.is_valid():
        try:
            count_passkey(request)
            name, answer = form.cleaned_data["name"], form.cleaned_data["passkey"]
            codes = passkey_answers.store_passkey(request, user=user, name=name, typed=answer)
        except Refused as refused:
            form.add_error("name" if refused.code == "bad_name" else "passkey", sentence(refused))
        else:
            del request.session[ADDS]
            return recovery_codes_page(request, codes)
    return render(request, "second_factor/passkey_add.html", {"form": form, "proven": True})


def prove_before_passkey(request: HttpRequest, user: User) -> HttpResponse:
    form = Proven(request, user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        request.session[ADDS] = time.time() + LASTS
        return redirect("passkey-add")
    return render(request, "second_factor/passkey_add.html", {"form": form})


@method_decorator(never_cache, name="dispatch")
class SignInPasskey(RedirectURLMixin, FormView):  # type: ignore[type-arg]
    """Both factors at once: the passkey, and the finger, face or PIN that it has asked for."""

    template_name = "sign_in.html"
    form_class = PasskeyInForm
    next_page = settings.LOGIN_REDIRECT_URL

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the page of the sign-in shows, with this form beside that of the password."""
        context = super().get_context_data(**kwargs)
        own = {"form": SignInForm(self.request), "by_passkey": context["form"], "next": self.get_redirect_url()}
        return {**context, **own, "kept": carried(self.request), "providers": settings.SIGN_ON.values()}

    def form_valid(self, form: PasskeyInForm) -> HttpResponse:
        try:
            count_passkey(self.request)
            user = user_of_passkey_answer(self.request, "in", None, form.cleaned_data["passkey"])
        except Refused as refused:
            form.add_error("passkey", sentence(refused))
            return self.form_invalid(form)
        self.request.session.pop(HALF, None)
        return sign_in_and_go_on(self.request, user, self.get_success_url())
