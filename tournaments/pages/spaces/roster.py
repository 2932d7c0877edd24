"""A roster: uploaded as a file or pasted, previewed line by line, and then applied as shown."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.debug import sensitive_variables

from tournaments.errors import Refused
from tournaments.models import Space
from tournaments.pages.csv_text import csv_file
from tournaments.pages.forms import TextField
from tournaments.pages.run_action import sentence
from tournaments.pages.sentences import say
from tournaments.pages.spaces.lookup import of_organisers
from tournaments.pages.who_asks import signed_in
from tournaments.spaces.invitations import link_for, mail_invitations
from tournaments.spaces.roster import SAYS, Planned, bring_in, plan, uninvited
from tournaments.spaces.roster_text import MOST_BYTES, decoded
from tournaments.spaces.who_is_who import told


class RosterForm(forms.Form):
    file = forms.FileField(
        label="A file",
        required=False,
        allow_empty_file=True,
        max_length=100,
        widget=forms.FileInput({"accept": ".csv,.tsv,.txt,text/csv,text/plain"}),
        help_text="CSV, as spreadsheets and course systems write it.",
    )
    people = TextField(
        label="Or the lines themselves",
        required=False,
        max_length=MOST_BYTES,
        strip=False,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false"}),
        help_text="A line for each person: e-mail address, name, and if you like the account’s name. In the first line "
        "may stand what is what: email, name, username.",
    )

    def clean(self) -> dict[str, Any]:
        """The text, whichever way it came."""
        given = super().clean() or self.cleaned_data
        if file := given.get("file"):
            try:
                given["people"] = decoded(file.read(MOST_BYTES + 1)).replace("\0", "")
            except Refused as why:
                self.add_error("file", forms.ValidationError(sentence(why), why.code))
        return given


@of_organisers
def roster(request: HttpRequest, space: Space) -> HttpResponse:
    form = RosterForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"space": space, "form": form, "mails": settings.CAN_MAIL}
    if request.method != "POST" or not form.is_valid():
        return render(request, "spaces/roster.html", context)
    text, by = form.cleaned_data["people"], signed_in(request)
    try:
        if "do" in request.POST and request.POST.get("seen") == mark_of(text):
            return done(request, space, bring_in(space=space, text=text, by=by))
        planned = told(space, plan(space=space, text=text, by=by))
    except Refused as why:
        form.add_error("people", forms.ValidationError(sentence(why), why.code))
        return render(request, "spaces/roster.html", context)
    filled = RosterForm(initial={"people": text})
    shown = {"form": filled, "planned": planned, "sums": sums(planned), "seen": mark_of(text)}
    return render(request, "spaces/roster.html", {**context, **shown})


def mark_of(text: str) -> str:
    """Of what was shown: other lines are shown before they are done."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()


@sensitive_variables("links")
def done(request: HttpRequest, space: Space, planned: list[Planned]) -> HttpResponse:
    """Who was told by letter; or the links for those who have not come in yet, as a page or a file."""
    mailed = mail_invitations(space, planned)
    as_file = request.POST.get("do") == "file" and not space.blind
    links = links_for(planned) if as_file or not settings.CAN_MAIL else []
    if space.blind:
        planned, mailed, links = told(space, planned), 0, []
    if as_file:
        return csv_file(f"{space.slug}-invitations", ("name", "email", "account", "link"), links)
    context = {"space": space, "planned": planned, "sums": sums(planned), "mailed": mailed, "links": links}
    return render(request, "spaces/roster_done.html", context)


def links_for(planned: Sequence[Planned]) -> list[tuple[str, str, str, str]]:
    waiting = [(each.line, each.user) for each in uninvited(planned) if each.user]
    return [(line.identity, line.address, user.username, link_for(user)) for line, user in waiting]


def sums(planned: Sequence[Planned]) -> list[tuple[str, int]]:
    """How many lines of each kind."""
    found = Counter(each.what for each in planned)
    return [(say(sentence), found[what]) for what, sentence in SAYS.items() if found[what]]
