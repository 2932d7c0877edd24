"""Change a password, and reset a lost one."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from tournaments.core.errors import Refused
from tournaments.core.notices.letters import FOR_LOST_PASSWORDS
from tournaments.web.pages.account_forms import FirstPassword, LostPassword, NewPassword, OtherPassword
from tournaments.web.pages.rate_limits import count_lost_password
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

SENT = (
    "If an account has this address, an e-mail with a link is on its way, unless %(most)s went there today already. "
    "The link works for an hour."
)
CHANGED = "The password is changed, and you are signed out everywhere else."
TOKENS = {False: "Your tokens still work.", True: "Your tokens are revoked."}


@login_required
@never_cache
def change_password(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    form_class = OtherPassword if user.has_usable_password() else FirstPassword
    form = form_class(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(request, f"{CHANGED} {TOKENS[form.cleaned_data['end_tokens']]}")
        return redirect("account")
    return render(request, "password.html", {"form": form})


@never_cache
def lost_password(request: HttpRequest) -> HttpResponse:
    form = LostPassword(request.POST or None)
    if request.method == "POST" and settings.CAN_MAIL and form.is_valid():
        try:
            count_lost_password(request)
        except Refused as refused:
            form.add_error(None, sentence(refused))
        else:
            form.send()
            messages.success(request, say(SENT, most=FOR_LOST_PASSWORDS.most))
            return redirect("sign-in")
    return render(request, "lost_password.html", {"form": form if settings.CAN_MAIL else None})


@method_decorator(never_cache, name="dispatch")
class ResetPassword(PasswordResetConfirmView):
    """The page behind the link of the letter. It does not sign in: that still takes the second factor."""

    template_name = "reset_password.html"
    form_class = NewPassword
    success_url = reverse_lazy("sign-in")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "The password is changed. Sign in with it.")
        return super().form_valid(form)
