"""The owner turns an account made for a space into one for the whole site."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournaments.pages.rate_limits import count_sign_up
from tournaments.pages.run_action import act
from tournaments.pages.sentences import say
from tournaments.pages.who_asks import signed_in
from tournaments.spaces.homes import leave_home


@login_required
def be_seen(request: HttpRequest) -> HttpResponse:
    """Counted as a sign-up, which it is."""

    def leave() -> None:
        count_sign_up(request)
        leave_home(user=signed_in(request))

    act(request, leave, say("You are visible on the whole site now."))
    return redirect("account")
