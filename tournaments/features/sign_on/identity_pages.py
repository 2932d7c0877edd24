"""Other ways to sign in besides the password: linked and unlinked after the user has proved their identity again."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused
from tournaments.features.sign_on.identities import add_identity, unlink
from tournaments.features.sign_on.purposes import NEW, kept_newcomer, may_link
from tournaments.models import Identity, User
from tournaments.web.pages.account_forms import Proven
from tournaments.web.pages.lookup import row_or_404
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in


@dataclass(frozen=True, slots=True)
class Way:
    """`identity`: None of a provider that is not linked; `title` is the provider's."""

    title: str
    key: str
    identity: Identity | None


def ways_to_sign_in(user: User) -> list[Way]:
    """Return their identities, and the providers that could be another."""
    rows = list(user.identities.order_by("linked_at")) if settings.SIGN_ON or user.identities.exists() else []
    linked = {identity.provider for identity in rows}
    return [
        *(Way(title_of(identity.provider), identity.provider, identity) for identity in rows),
        *(
            Way(provider.title, provider.key, None)
            for provider in settings.SIGN_ON.values()
            if provider.key not in linked
        ),
    ]


def title_of(key: str) -> str:
    provider: Provider | None = settings.SIGN_ON.get(key)
    return provider.title if provider else key


@login_required
@never_cache
def link_identity(request: HttpRequest, key: str) -> HttpResponse:
    """Answer with a link to the provider: a form of ours leads to no other site (Content-Security-Policy)."""
    provider, user = settings.SIGN_ON.get(key), signed_in(request)
    if provider is None:
        raise Http404("There is no such provider.")
    form = Proven(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        may_link(request, user, key)
        return render(request, "sign_on/identity_go.html", {"title": provider.title, "key": key})
    return render(request, "sign_on/identity_link.html", {"form": form, "title": provider.title})


@login_required
@never_cache
def link_kept(request: HttpRequest) -> HttpResponse:
    """Link the identity that a provider has just named to the account that they had before."""
    user, newcomer = signed_in(request), kept_newcomer(request)
    if newcomer is None:
        return redirect("account")
    known, onward = newcomer
    form = Proven(request, user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            add_identity(user=user, known=known)
        except Refused as refused:
            form.add_error(None, sentence(refused))
        else:
            del request.session[NEW]
            messages.success(request, say("You can now sign in with %(title)s.", title=title_of(known.provider)))
            return redirect(onward or f"{reverse('account')}#ways")
    return render(request, "sign_on/identity_link.html", {"form": form, "title": title_of(known.provider)})


@login_required
@never_cache
def unlink_identity(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    found = row_or_404(user.identities.filter(pk=number), say("This account has no such identity."))
    form = Proven(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            unlink(user=user, number=number)
        except Refused as refused:
            form.add_error(None, sentence(refused))
        else:
            messages.success(request, say("You can no longer sign in with %(title)s.", title=title_of(found.provider)))
            return redirect(f"{reverse('account')}#ways")
    return render(request, "sign_on/identity_unlink.html", {"form": form, "title": title_of(found.provider)})
