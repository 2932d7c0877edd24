"""Single sign-on: to a provider and back, and choosing a name for a new account."""

from importlib import import_module
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from tournaments.core.accounts.names import LONGEST_PERSON, normalized_name
from tournaments.core.accounts.organisers import has_factor
from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused
from tournaments.features.sign_on import identities
from tournaments.features.sign_on.claimed_identity import Known
from tournaments.features.sign_on.identities import owner_of, sign_up
from tournaments.features.sign_on.purposes import LINK, NEW, keep_newcomer, kept_newcomer, purpose_of
from tournaments.models import User
from tournaments.web.pages.accounts import begin_half, to_code
from tournaments.web.pages.forms import NameField
from tournaments.web.pages.known_browsers import remember_browser
from tournaments.web.pages.rate_limits import count_sign_on, count_sign_up
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.suspended import tell_if_suspended
from tournaments.web.pages.who_asks import note_sign_on

OUR_TROUBLE = ("provider_late", "provider_failed", "try_later")


@never_cache
def begin_sign_on(request: HttpRequest, key: str) -> HttpResponse:
    provider, onward = provider_of(key), inner(request, request.GET.get("next", ""))
    purpose = "in" if provider.kind == "lti" else purpose_of(request, key)
    if purpose is None:
        return redirect(onward or settings.LOGIN_REDIRECT_URL)
    try:
        count_sign_on(request)
        state = {"purpose": purpose, "next": onward, "user": request.user.pk}
        to: HttpResponse = protocol_of(provider).begin(request, provider, state)
    except Refused as refused:
        return refusal_page(request, provider, refused, onward)
    return to


@never_cache
def answer_of_provider(request: HttpRequest, key: str) -> HttpResponse:
    provider, onward = provider_of(key), ""
    try:
        count_sign_on(request)
        known, state = protocol_of(provider).answered(request, provider)
        onward = inner(request, state["next"])
        return FOR[state["purpose"]](request, provider, known, {**state, "next": onward})
    except Refused as refused:
        return refusal_page(request, provider, refused, onward)


def provider_of(key: str) -> Provider:
    provider: Provider | None = settings.SIGN_ON.get(key)
    if provider is None:
        raise Http404("There is no such provider.")
    return provider


def protocol_of(provider: Provider) -> Any:
    """Return the module of its protocol, loaded where it is used, for allauth is no small thing."""
    return import_module(f"tournaments.features.sign_on.{provider.kind}")


def protocol_services() -> Any:
    return import_module("tournaments.features.sign_on.course_services")


def inner(request: HttpRequest, address: str) -> str:
    """Return an address of this site, or none."""
    ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if ours else ""


def refusal_page(request: HttpRequest, provider: Provider, refused: Refused, onward: str) -> HttpResponse:
    """Show why not, with the code, and the way to try again."""
    context = {"sentence": sentence(refused), "code": refused.code, "title": provider.title, "next": onward}
    status = 503 if refused.code in OUR_TROUBLE else 429 if refused.code == "too_often" else 403
    return render(request, "sign_on/refused.html", context, status=status)


# --- what it was for -------------------------------------------------------------------------------------------------


def come_in(request: HttpRequest, _provider: Provider, known: Known, state: dict[str, Any]) -> HttpResponse:
    user = owner_of(known)
    if user is None:
        keep_newcomer(request, known, state)
        return redirect("sign-on-name")
    return enter_account(request, user, state["next"])


def enter_account(request: HttpRequest, user: User, onward: str) -> HttpResponse:
    """Sign in, as after a right password."""
    if has_factor(user):
        begin_half(request, user)
        note_sign_on(request)
        return to_code(onward)
    login(request, user)
    tell_if_suspended(request, user)
    note_sign_on(request)
    return remember_browser(request, user, redirect(onward or settings.LOGIN_REDIRECT_URL))


def link_known_identity(request: HttpRequest, provider: Provider, known: Known, state: dict[str, Any]) -> HttpResponse:
    user = still_there(request, state)
    request.session.pop(LINK, None)
    identities.add_identity(user=user, known=known)
    messages.success(request, say("You can now sign in with %(title)s.", title=provider.title))
    return redirect(f"{reverse('account')}#ways")


def show_again(request: HttpRequest, provider: Provider, known: Known, state: dict[str, Any]) -> HttpResponse:
    if owner_of(known) != still_there(request, state):
        raise Refused(
            "other_account", "this identity of %(title)s does not belong to your account", title=provider.title
        )
    note_sign_on(request)
    return redirect(state["next"] or "account")


def still_there(request: HttpRequest, state: dict[str, Any]) -> User:
    """Return who began it. Raises Refused: sign_on_expired."""
    if not isinstance(request.user, User) or request.user.pk != state["user"]:
        raise Refused("sign_on_expired", "you were signed out, or somebody else has signed in; begin again")
    return request.user


FOR = {"in": come_in, "link": link_known_identity, "again": show_again}


# --- somebody new ----------------------------------------------------------------------------------------------------


class NameForm(forms.Form):
    username = NameField(
        label="Name",
        max_length=LONGEST_PERSON,
        help_text="Letters, digits and _ . - only, at most 30. Everyone sees it beside your bots.",
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )


@method_decorator(never_cache, name="dispatch")
class ChooseName(FormView):  # type: ignore[type-arg]
    template_name = "sign_on/name.html"
    form_class = NameForm
    known: Known
    onward: str

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        newcomer = kept_newcomer(request)
        if request.user.is_authenticated or newcomer is None:
            return redirect(
                "identity-link-kept" if newcomer else "home" if request.user.is_authenticated else "sign-in"
            )
        self.known, self.onward = newcomer
        return super().dispatch(request, *args, **kwargs)

    def get_initial(self) -> dict[str, Any]:
        """Propose a name: at providers it is often an address, of which the part before the @ is the name."""
        return {"username": normalized_name(self.known.name).partition("@")[0][:LONGEST_PERSON]}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        title = provider_of(self.known.provider).title
        return super().get_context_data(**kwargs, title=title, email=self.known.email)

    def form_valid(self, form: NameForm) -> HttpResponse:
        try:
            count_sign_up(self.request)
            user = sign_up(known=self.known, name=form.cleaned_data["username"])
        except Refused as refused:
            form.add_error("username", sentence(refused))
            return self.form_invalid(form)
        del self.request.session[NEW]
        messages.success(self.request, say("Welcome, %(user)s.", user=user))
        return enter_account(self.request, user, self.onward or resolve_url("upload"))
