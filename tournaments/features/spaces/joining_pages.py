"""Joining with a code. Wrong short codes are counted, by person, or by address of somebody unknown: nobody finds one
by trying, and a class behind one address that types right ones is never in the way of itself.
"""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from tournaments.accounts.admission import check_drawn
from tournaments.errors import Refused
from tournaments.features.spaces.join_codes import find_code, is_short, join_by
from tournaments.features.spaces.members import check_accounts, leave_home
from tournaments.models import JoinCode, User
from tournaments.pages.rate_limits import count_sign_up
from tournaments.pages.run_action import act
from tournaments.pages.sentences import say
from tournaments.pages.who_asks import signed_in
from tournaments.server.request_rates import JOIN_CODES, TooOften, address_of, look, spend

LONGEST = 64


def counted_code(request: HttpRequest, text: str) -> JoinCode | None:
    """The one that opens a space. Raises TooOften, also for a right one, once too many were wrong."""
    who = f"user {request.user.pk}" if request.user.is_authenticated else address_of(request)
    if not is_short(text):
        return find_code(text[:LONGEST])
    look(JOIN_CODES, who)
    found = find_code(text)
    if found is None:
        spend(JOIN_CODES, who)
    return found


@never_cache
def type_code(request: HttpRequest) -> HttpResponse:
    """Somebody reads a code from a board."""
    typed = request.GET.get("code", "").strip()[:LONGEST].replace("/", "")
    if typed:
        return redirect("join", typed)
    return render(request, "spaces/type_code.html")


@never_cache
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Everybody who has it sees which space it is; whoever is signed in joins."""
    try:
        found = counted_code(request, code)
    except TooOften as empty:
        return too_many_wrong(request, empty)
    if found is None:
        raise Http404(say("This code does not work: it is mistyped, has ended, or is used up. Ask for another one."))
    path = reverse("space", args=[found.space.slug])
    if request.user.is_authenticated and found.space.members.filter(user=request.user.pk).exists():
        return redirect(path)
    if request.method != "POST":
        onward = urlencode({"next": request.path})
        return render(request, "spaces/join.html", {"code": found, "space": found.space, "onward": onward})
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    by = signed_in(request)
    done = say("You are in %(space)s now.", space=found.space)
    return redirect(path if act(request, lambda: join_by(code=found, user=by), done) else request.path)


def too_many_wrong(request: HttpRequest, empty: TooOften) -> HttpResponse:
    context = {"most": JOIN_CODES.times, "minutes": int(empty.wait) // 60 + 1}
    response = render(request, "spaces/too_many_codes.html", context, status=429)
    response["Retry-After"] = str(int(empty.wait) + 1)
    return response


def code_on_the_way(request: HttpRequest, onward: str) -> JoinCode | None:
    """The code of the page to which somebody goes who signs up. Raises Refused: too_often."""
    try:
        found = resolve(onward)
    except Resolver404:
        return None
    if found.url_name != "join":
        return None
    try:
        return counted_code(request, found.kwargs["code"])
    except TooOften:
        raise Refused("too_often", "too many wrong codes came from here; wait half an hour, or use the link") from None


def account_by(code: JoinCode, user: User) -> None:
    """A new account that came by a code is the space's own. Raises Refused as `join_by`, and too_many_accounts."""
    check_drawn(code.space, user)  # before it has a home there: its name was typed
    check_accounts(code.space, 1)
    User.objects.filter(pk=user.pk).update(home=code.space)
    join_by(code=code, user=user)


@login_required
def be_seen(request: HttpRequest) -> HttpResponse:
    """Counted as a sign-up, which it is."""

    def leave() -> None:
        count_sign_up(request)
        leave_home(user=signed_in(request))

    act(request, leave, say("You are visible on the whole site now."))
    return redirect("account")
