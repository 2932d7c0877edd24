"""The API tokens of a person."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournaments.core.accounts.api_tokens import make_token, revoke_all, revoke_key
from tournaments.core.errors import Refused
from tournaments.models import ApiToken
from tournaments.web.pages.account_forms import TokenForm
from tournaments.web.pages.lookup import row_or_404
from tournaments.web.pages.run_action import act, sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in


@login_required
@never_cache
def tokens_page(request: HttpRequest) -> HttpResponse:
    """The secret is in the answer to the form that made it, and nowhere else."""
    user, secret = signed_in(request), ""
    form = TokenForm(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            secret = make_token(user=user, **form.wanted())
            form = TokenForm(request, user)
        except Refused as refused:
            form.add_error("name", sentence(refused))
    context = {"form": form, "secret": secret, "tokens": user.tokens.order_by("-pk")}
    return render(request, "tokens.html", context)


@login_required
@require_POST
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    why = say("This token is not yours, or was already revoked.")
    token = row_or_404(ApiToken.objects.filter(pk=number, user=user), why)
    act(
        request,
        lambda: revoke_key(token=token, by=user),
        say("The token “%(name)s” no longer works.", name=token.name),
    )
    return redirect("tokens")


@login_required
@require_POST
def revoke_all_tokens(request: HttpRequest) -> HttpResponse:
    revoke_all(by=signed_in(request))
    messages.success(request, "None of your tokens works any more.")
    return redirect("tokens")
