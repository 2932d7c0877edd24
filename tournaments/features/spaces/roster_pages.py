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

from tournaments.core.errors import Refused
from tournaments.features.spaces.members_pages import of_organisers
from tournaments.features.spaces.roster import Planned, bring_in_and_mail, lines_as_shown, link_for, plan, uninvited
from tournaments.features.spaces.roster_files import decoded_roster, is_guessed
from tournaments.features.spaces.roster_text import MOST_BYTES, columns_read
from tournaments.models import Space
from tournaments.web.pages.csv_text import csv_file
from tournaments.web.pages.forms import TextField
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.who_asks import signed_in


class RosterForm(forms.Form):
    file = forms.FileField(
        label="A file",
        required=False,
        allow_empty_file=True,
        max_length=100,
        widget=forms.FileInput({"accept": ".csv,.tsv,.txt,text/csv,text/plain"}),
        help_text="CSV or text, as spreadsheets and course systems write it; in UTF-8, UTF-16, UTF-32 or the Western "
        "European letters of Windows or an old Mac.",
    )
    people = TextField(
        label="Or the lines themselves",
        required=False,
        max_length=MOST_BYTES,
        strip=False,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false"}),
        help_text="One line for each person: e-mail address, name and, if you like, the account’s name; or a table "
        "with headings such as email, name, username; or addresses copied from an e-mail.",
    )

    def clean(self) -> dict[str, Any]:
        """Return the text, whichever way it came. That of a file is shown too, to be mended."""
        given = super().clean() or self.cleaned_data
        if file := given.get("file"):
            try:
                given["people"] = decoded_roster(data := file.read(MOST_BYTES + 1))
                given["is_guessed"] = is_guessed(data)
            except Refused as why:
                self.add_error("file", forms.ValidationError(sentence(why), why.code))
            else:
                self.data = {**dict(self.data.items()), "people": given["people"]}
        return given


@of_organisers
def roster_page(request: HttpRequest, space: Space) -> HttpResponse:
    form = RosterForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"space": space, "form": form, "mails": settings.CAN_MAIL}
    if request.method != "POST" or not form.is_valid():
        return render(request, "spaces/roster.html", context)
    text, by = form.cleaned_data["people"], signed_in(request)
    try:
        planned = plan(space=space, text=text, by=by)
        seen = hash_of_people(planned)
        if "do" in request.POST and request.POST.get("seen") == seen:
            return roster_added_page(request, space, *bring_in_and_mail(space=space, text=text, by=by))
        planned = wrong_first(lines_as_shown(space, planned))
    except Refused as why:
        form.add_error("people" if text.strip() else "file", forms.ValidationError(sentence(why), why.code))
        return render(request, "spaces/roster.html", context)
    filled = RosterForm(initial={"people": text})
    shown = {"form": filled, "planned": planned, "sums": sums(planned), "seen": seen}
    shown["is_guessed"] = form.cleaned_data.get("is_guessed")
    shown["read"], shown["not_read"] = columns_read(text)
    return render(request, "spaces/roster.html", {**context, **shown})


def hash_of_people(planned: Sequence[Planned]) -> str:
    """Return a hash of the people that were shown: others are shown before they are added. Of the people and not of the
    text, whose line ends and odd signs do not come back from a browser as they went."""
    shown = [(row.line.address, row.line.identity, row.line.username) for row in planned]
    return sha256(repr(shown).encode("utf-8", "replace")).hexdigest()


def wrong_first(planned: Sequence[Planned]) -> list[Planned]:
    return sorted(planned, key=lambda row: not row.is_wrong)


@sensitive_variables("links")
def roster_added_page(request: HttpRequest, space: Space, planned: list[Planned], mailed: int) -> HttpResponse:
    """Show who was told by letter; or the links for those who have not come in yet, as a page or a file."""
    as_file = request.POST.get("do") == "file" and not space.blind
    links = links_for(planned) if as_file or not settings.CAN_MAIL else []
    if space.blind:
        planned, mailed, links = lines_as_shown(space, planned), 0, []
    planned = wrong_first(planned)
    if as_file:
        return csv_file(f"{space.slug}-invitations", ("name", "email", "account", "link"), links)
    context = {"space": space, "planned": planned, "sums": sums(planned), "mailed": mailed, "links": links}
    context["wrong"] = [row for row in planned if row.is_wrong]
    return render(request, "spaces/roster_done.html", context)


def links_for(planned: Sequence[Planned]) -> list[tuple[str, str, str, str]]:
    waiting = [(row.line, row.user) for row in uninvited(planned) if row.user]
    return [(line.identity, line.address, user.username, link_for(user)) for line, user in waiting]


def sums(planned: Sequence[Planned]) -> list[tuple[str, int]]:
    """Return how many lines there are of each kind, the wrong ones first."""
    counts = Counter((row.is_wrong, row.says) for row in planned)
    return [(sentence, number) for (_, sentence), number in sorted(counts.items(), reverse=True)]
