"""The user's notices, and how they are delivered: e-mail and feed."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from tournaments.core.errors import Refused
from tournaments.core.notices.channels import (
    KINDS,
    check_has_address,
    choose_mailed,
    mark_all_read,
    new_feed_key,
    send_confirmation,
)
from tournaments.core.notices.create import may_be_mailed
from tournaments.core.notices.email import confirmed, unsubscribing
from tournaments.core.notices.headlines import headline_of
from tournaments.models import Match, Notice, User
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.rate_limits import count_letter
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import choices_now, say
from tournaments.web.pages.who_asks import signed_in

LENGTH = 30


class KindsForm(forms.Form):
    kinds = forms.MultipleChoiceField(
        required=False, choices=choices_now(KINDS), widget=forms.CheckboxSelectMultiple, label="Send me an e-mail when"
    )


@login_required
@never_cache
def notices(request: HttpRequest) -> HttpResponse:
    """The newest first; a post stores which kinds come by e-mail."""
    user = signed_in(request)
    posted = request.POST if request.method == "POST" else None  # none of them is a choice, too
    form = KindsForm(posted, initial={"kinds": user.mailed})
    if form.is_valid():
        choose_mailed(user=user, kinds=form.cleaned_data["kinds"])
        messages.success(request, "Saved.")
        return redirect("notices")
    return render(request, "notices.html", {"form": form, **_shown(request, user)})


def _shown(request: HttpRequest, user: User) -> dict[str, Any]:
    before, mine = whole(request.GET.get("before")), user.notices.order_by("-pk")
    found = list((mine.filter(pk__lt=before) if before else mine)[: LENGTH + 1])
    retell(found)
    return {
        "notices": found[:LENGTH],
        "older": found[LENGTH - 1].pk if len(found) > LENGTH else None,
        "newest": before is None,
        "unread": user.notices.filter(read_at=None).exists(),
        "can_mail": settings.CAN_MAIL,
        "confirmed": may_be_mailed(user),
        "site": settings.SITE_URL,
    }


def retell(notices: Iterable[Notice]) -> None:
    """Have notices that tell a match's story tell it in the reader's language."""
    telling = {notice.detail["match"]: notice for notice in notices if notice.detail.get("story")}
    matches = Match.objects.select_related("result").defer("result__replay").prefetch_related("seats__version__bot")
    for number, match in matches.in_bulk(telling).items():
        notice, headline = telling[number], headline_of(match)
        if headline:
            notice.text = notice.text.replace(notice.detail["story"].removesuffix("."), headline.removesuffix("."))


@login_required
def mark_read(request: HttpRequest) -> HttpResponse:
    mark_all_read(signed_in(request))
    return redirect("notices")


@login_required
def make_feed(request: HttpRequest) -> HttpResponse:
    """A new key for one's own feed: the former address no longer works."""
    new_feed_key(signed_in(request))
    messages.success(request, "Your feed has a new address. Anyone who knows it can read your notices.")
    return redirect("notices")


@login_required
def send_letter(request: HttpRequest) -> HttpResponse:
    """Send a letter to the account's address, to confirm it."""
    user = signed_in(request)
    try:
        check_has_address(user)
        count_letter(user)
        outcome = send_confirmation(user)
    except Refused as refused:
        messages.error(request, sentence(refused))
        return redirect("notices")
    if outcome.arrived:
        messages.success(
            request,
            say("An e-mail is on its way to %(email)s. Its link works for three days.", email=user.email),
        )
    else:
        messages.error(request, say("The e-mail could not be sent: %(says)s. Try again later.", says=outcome.says))
    return redirect("notices")


@never_cache
def confirm_email(request: HttpRequest, token: str) -> HttpResponse:
    """Confirms by a button, since mail programs open every link by themselves."""
    user = confirmed(token)
    if user is None:
        raise Http404("This link is too old, or the address has changed since. Ask for a new e-mail.")
    if request.method == "POST":
        user.confirmed_email = user.email
        user.save(update_fields=["confirmed_email"])
        messages.success(request, say("%(email)s is confirmed.", email=user.email))
        return redirect("home")
    return render(request, "confirm_email.html", {"email": user.email})


@csrf_exempt  # a mail program presses the button for its reader (RFC 8058); the signature says whose it is
@never_cache
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    whose = unsubscribing(token)
    if whose is None:
        raise Http404("This link is not from this site, or is incomplete.")
    user, kind = whose
    if request.method == "POST":
        choose_mailed(user=user, kinds=[other for other in user.mailed if other != kind])
    context = {"kind": dict(choices_now(KINDS)()).get(kind, kind), "stopped": kind not in user.mailed}
    return render(request, "unsubscribe.html", context)
