"""A person for whom an account was made chooses its password, and is signed in."""

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from engine.sentences import Sentence
from tournaments.accounts.invitations import invited
from tournaments.models import User
from tournaments.pages.account_forms import PASSWORD_RULES


class FirstPassword(SetPasswordForm):  # type: ignore[type-arg]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].label = "Password"
        self.fields["new_password1"].help_text = PASSWORD_RULES
        self.fields["new_password2"].label = Sentence("Password, once more")
        self.fields["new_password2"].help_text = ""


@never_cache
@sensitive_post_parameters()
def choose_password(request: HttpRequest, token: str) -> HttpResponse:
    """A link that came to the account's address confirms it."""
    invitation = invited(token)
    if invitation is None:
        return render(request, "spaces/invited.html", {"user_invited": None}, status=404)
    user, mailed = invitation
    form = FirstPassword(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        User.objects.filter(pk=user.pk).update(confirmed_email=user.email if mailed else "")
        login(request, user)
        return redirect("space", user.home.slug) if user.home else redirect("home")
    return render(request, "spaces/invited.html", {"form": form, "user_invited": user})
