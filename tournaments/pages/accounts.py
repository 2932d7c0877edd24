"""Signing up, in and out, and the tokens a person gives to programs."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, RedirectURLMixin
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from django.views.generic import FormView

from tournaments.errors import Refused
from tournaments.models import ApiToken
from tournaments.pages.acting import act, sentence
from tournaments.pages.forms import SignInForm, SignUpForm, TokenForm
from tournaments.pages.limits import count_sign_up
from tournaments.pages.roles import signed_in
from tournaments.tokens import make_token, revoke


class SignIn(LoginView):
    template_name = "sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


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

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        try:
            count_sign_up(self.request)
            with transaction.atomic():
                user = form.save()
        except Refused as refused:
            form.add_error(None, sentence(refused))
            return self.form_invalid(form)
        except IntegrityError:  # the name was taken between the check and now
            form.add_error("username", "Somebody has just taken this name. Choose another.")
            return self.form_invalid(form)
        login(self.request, user)
        messages.success(self.request, f"Welcome, {user}.")
        return redirect(self.get_success_url())


@login_required
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """The secret is in the answer to the form that made it, and nowhere else."""
    user, secret = signed_in(request), ""
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            secret = make_token(user=user, name=form.cleaned_data["name"])
            form = TokenForm()
        except Refused as refused:
            form.add_error("name", sentence(refused))
    context = {"form": form, "secret": secret, "tokens": user.tokens.order_by("-pk")}
    return render(request, "tokens.html", context)


@login_required
@require_POST
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    token = ApiToken.objects.filter(pk=number, user=user).first()
    if token is None:
        raise Http404("This token is not yours, or was revoked before.")
    act(request, lambda: revoke(token=token, by=user), f"The token “{token.name}” opens nothing any more.")
    return redirect("tokens")
