"""Coming in: by a code, or by the link of an account that a roster made; and being seen on the whole site."""

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from engine.sentences import Sentence
from tournaments.core.accounts.invitations import user_of_invitation
from tournaments.features.spaces.join_codes import join_by
from tournaments.features.spaces.members import leave_home
from tournaments.features.spaces.sign_up import LONGEST, counted_code
from tournaments.models import User
from tournaments.web.pages.account_forms import PASSWORD_RULES
from tournaments.web.pages.rate_limits import count_sign_up
from tournaments.web.pages.run_action import act
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in
from tournaments.web.server.request_rates import JOIN_CODES, TooOften


@never_cache
def type_code(request: HttpRequest) -> HttpResponse:
    """Ask for a code that somebody reads from a board."""
    typed = request.GET.get("code", "").strip()[:LONGEST].replace("/", "")
    if typed:
        return redirect("join", typed)
    return render(request, "spaces/type_code.html")


@never_cache
def join_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show everybody who has the code which space it is; whoever is signed in joins."""
    try:
        join_code = counted_code(request, code)
    except TooOften as empty:
        return too_many_wrong(request, empty)
    if join_code is None:
        raise Http404(say("This code does not work: it is mistyped, has expired, or is used up. Ask for another one."))
    path = reverse("space", args=[join_code.space.slug])
    if request.user.is_authenticated and join_code.space.members.filter(user=request.user.pk).exists():
        return redirect(path)
    if request.method != "POST":
        onward = urlencode({"next": request.path})
        return render(request, "spaces/join.html", {"space": join_code.space, "onward": onward})
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    by = signed_in(request)
    done = say("You are in %(space)s now.", space=join_code.space)
    return redirect(path if act(request, lambda: join_by(code=join_code, user=by), done) else request.path)


def too_many_wrong(request: HttpRequest, empty: TooOften) -> HttpResponse:
    context = {"most": JOIN_CODES.times, "minutes": int(empty.wait) // 60 + 1}
    response = render(request, "spaces/too_many_codes.html", context, status=429)
    response["Retry-After"] = str(int(empty.wait) + 1)
    return response


@login_required
def be_seen(request: HttpRequest) -> HttpResponse:
    """Be visible on the whole site. It is counted as a sign-up, which it is."""

    def leave() -> None:
        count_sign_up(request)
        leave_home(user=signed_in(request))

    act(request, leave, say("You are visible on the whole site now."))
    return redirect("account")


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
    invitation = user_of_invitation(token)
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
