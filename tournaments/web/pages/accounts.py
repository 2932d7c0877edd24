"""Sign up, and sign in: password, then second factor."""

import time
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, RedirectURLMixin, redirect_to_login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from tournaments.core.accounts import passkeys
from tournaments.core.accounts.organisers import has_factor
from tournaments.core.accounts.second_factor import Passwords
from tournaments.core.errors import Refused
from tournaments.core.feature import Welcome, features
from tournaments.models import User
from tournaments.web.pages.account_forms import SignInForm, SignUpForm
from tournaments.web.pages.factor_forms import CodeForm, PasskeyInForm
from tournaments.web.pages.form_recovery import carried, onward
from tournaments.web.pages.guests import save_over_guest
from tournaments.web.pages.known_browsers import remember_browser
from tournaments.web.pages.rate_limits import count_code, count_sign_up, give_back_code
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.suspended import tell_if_suspended

HALF = "half_signed_in"  # in the session of a user whose password was right and whose code is still missing
HALF_LASTS = 600  # seconds


class SignIn(LoginView):
    template_name = "sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        kept, by_passkey = carried(self.request), PasskeyInForm() if passkeys.usable() else None
        own = {"kept": kept, "by_passkey": by_passkey, "providers": settings.SIGN_ON.values()}
        return super().get_context_data(**kwargs, **own)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = super().dispatch(request, *args, **kwargs)
        return onward(request, answer) if request.user.is_authenticated else answer

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, or ask for the second factor: only a right password shows that there is one."""
        user = form.get_user()
        assert isinstance(user, User)
        if not has_factor(user):
            tell_if_suspended(self.request, user)
            return remember_browser(self.request, user, super().form_valid(form))
        begin_half(self.request, user)
        if kept := carried(self.request):
            asks = CodeForm()
            asks.offer_passkey(user)
            return render(self.request, SignInCode.template_name, {"form": asks, "kept": kept})
        return to_code(self.get_redirect_url())


def begin_half(request: HttpRequest, user: User) -> None:
    """Note in the session that what there is besides the second factor was right."""
    known = {"user": user.pk, "hash": user.get_session_auth_hash(), "until": time.time() + HALF_LASTS}
    request.session[HALF] = known


def to_code(next_page: str) -> HttpResponse:
    onward = urlencode({"next": next_page}) if next_page else ""
    return redirect(f"{resolve_url('sign-in-code')}?{onward}".rstrip("?"))


def half_signed_in(request: HttpRequest) -> User | None:
    """The user whose password was right a moment ago, if neither it nor the second factor has changed since."""
    half = request.session.get(HALF)
    if half is None or half["until"] < time.time():
        return None
    user = Passwords().get_user(half["user"])
    return user if user and constant_time_compare(user.get_session_auth_hash(), half["hash"]) else None


@method_decorator(never_cache, name="dispatch")
class SignInCode(RedirectURLMixin, FormView):  # type: ignore[type-arg]
    template_name = "sign_in_code.html"
    form_class = CodeForm
    next_page = settings.LOGIN_REDIRECT_URL
    user: User

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = half_signed_in(request)
        if user is None and carried(request):  # goes through the sign-in once more
            return redirect_to_login(self.get_redirect_url() or resolve_url(settings.LOGIN_REDIRECT_URL))
        if user is None:
            return redirect("sign-in")
        self.user = user
        return super().dispatch(request, *args, **kwargs)

    def get_form(self, form_class: type[CodeForm] | None = None) -> CodeForm:
        form: CodeForm = super().get_form(form_class)
        form.offer_passkey(self.user)
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, next=self.get_redirect_url(), kept=carried(self.request))

    def form_valid(self, form: CodeForm) -> HttpResponse:
        try:
            count_code(self.request, self.user)
            form.pass_factor(self.request, self.user)
            give_back_code(self.request, self.user)
        except Refused as refused:
            form.refuse(refused)
            return self.form_invalid(form)
        del self.request.session[HALF]
        return sign_in_and_go_on(self.request, self.user, self.get_success_url())


def sign_in_and_go_on(request: HttpRequest, user: User, next_page: str) -> HttpResponse:
    """Sign in who has shown all that is asked of them, and return the answer that leads on to where they were going."""
    login(request, user)
    tell_if_suspended(request, user)
    return remember_browser(request, user, onward(request, redirect(next_page)))


@method_decorator(never_cache, name="dispatch")
class SignUp(RedirectURLMixin, FormView):  # type: ignore[type-arg]
    """A new account, signed in at once, and on to where the person was going."""

    template_name = "sign_up.html"
    form_class = SignUpForm
    next_page = "upload"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return redirect("home")
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, providers=settings.SIGN_ON.values())

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        try:
            welcome = self._welcome()
            if welcome is None:
                count_sign_up(self.request)
            with transaction.atomic():
                save_over_guest(self.request, form.instance)
                user = form.save()
                if welcome:
                    welcome.receive(user)
        except Refused as refused:
            form.add_error(None, sentence(refused))
            return self.form_invalid(form)
        except IntegrityError:  # the name was taken between the check and now
            form.add_error("username", gettext("Somebody has just taken this name. Choose another."))
            return self.form_invalid(form)
        login(self.request, user)
        messages.success(self.request, say("Welcome, %(user)s.", user=user))
        onward = redirect(welcome.path if welcome else self.get_success_url())
        return remember_browser(self.request, user, onward)

    def _welcome(self) -> Welcome | None:
        """Return what a feature does with an account that signs up on the way to its page."""
        path = self.get_redirect_url()
        return next(filter(None, (feature.welcome(self.request, path) for feature in features())), None)
