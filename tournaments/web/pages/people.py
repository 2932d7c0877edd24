"""Profiles of people, and the form to edit one's own."""

from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from engine.sentences import Sentence
from tournaments.core.accounts.names import normalized_name
from tournaments.core.accounts.spaces import Viewer, listed_for, people_known_to
from tournaments.core.feature import features
from tournaments.ledger.competitors.about_texts import LONGEST, describe_oneself
from tournaments.ledger.competitors.entry_states import GONE
from tournaments.ledger.ladders.places import Place, places_of
from tournaments.models import Bot, Entrant, Entry, Event, Membership, User, Version
from tournaments.web.pages.forms import TextField
from tournaments.web.pages.lookup import row_or_404
from tournaments.web.pages.match_lists import board_of_owner
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

EVENTS = 10  # the latest

PLAIN_TEXT = Sentence("At most %(most)s characters of plain text. Everybody can read it.", most=LONGEST)


class AboutForm(forms.Form):
    """A public description in plain text."""

    about = TextField(
        required=False,
        max_length=LONGEST,
        label="About",
        widget=forms.Textarea(attrs={"rows": 5, "aria-describedby": "id_about_helptext"}),
        help_text=PLAIN_TEXT,
    )


def person_page(request: HttpRequest, name: str) -> HttpResponse:
    """Bots and their ranks, teams, events. Invitations that wait for an answer are private."""
    rows = User.objects.filter(people_known_to(request.user), username=normalized_name(name))
    who = row_or_404(rows, say("There is nobody called “%(name)s” here.", name=name[:60]))
    context = {
        "who": who,
        "bots": bots_of_person(who, request.user),
        "teams": teams_of_person(who),
        "events": events_of_person(who, request.user),
        "board": board_of_owner(who),
        "themselves": who == request.user,
        "cards": [card for feature in features() if (card := feature.person_card(who, request.user))],
    }
    return render(request, "person.html", context)


@dataclass(frozen=True, slots=True)
class Entered:
    """A bot in a ladder, with its place by the last fit; none before its version was in one."""

    entry: Entry
    place: Place | None

    @property
    def rank(self) -> int | None:
        return self.place and self.place.rank


def bots_of_person(who: User, viewer: Viewer) -> list[tuple[Bot, list[Entered]]]:
    """Five queries, however many there are."""
    return bots_with_places(list(who.bots.filter(listed_for(viewer)).order_by("name")))


def bots_with_places(bots: list[Bot]) -> list[tuple[Bot, list[Entered]]]:
    """Return each bot with its places in the ladders that it plays in."""
    if not bots:
        return []
    entries = Entry.objects.exclude(status__in=GONE).select_related("ladder").order_by("pk")
    active = Version.objects.filter(status=Version.Status.ACTIVE).defer("report", "report_data")
    prefetch_related_objects(bots, Prefetch("entries", entries, "playing"), Prefetch("versions", active, "active"))
    plays = {entry.pk: plays_in(entry, bot) for bot in bots for entry in vars(bot)["playing"]}
    known = places_of({entry.ladder_id for bot in bots for entry in vars(bot)["playing"]}, set(plays.values()))
    return [
        (bot, [Entered(entry, known.get((entry.ladder_id, plays[entry.pk]))) for entry in vars(bot)["playing"]])
        for bot in bots
    ]


def plays_in(entry: Entry, bot: Bot) -> int:
    """The version that plays; 0 for none."""
    active = vars(bot)["active"]
    return entry.pinned_id or (active[0].pk if active else 0)


def teams_of_person(who: User) -> QuerySet[Membership]:
    return who.memberships.filter(role__in=Membership.INSIDE).select_related("team").order_by("team__name")


def events_of_person(who: User, viewer: Viewer) -> QuerySet[Entrant]:
    """The latest; a place shows where all results are public."""
    shown = Entrant.objects.filter(listed_for(viewer, "bot__space"), bot__owner=who).exclude(
        event__status=Event.Status.DRAFT
    )
    return shown.select_related("event", "bot").order_by("-event", "pk")[:EVENTS]


@login_required
def edit_person_about(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    form = AboutForm(request.POST if request.method == "POST" else None, initial={"about": user.about})
    if request.method == "POST" and form.is_valid():
        describe_oneself(user=user, about=form.cleaned_data["about"])
        messages.success(request, "Saved.")
        return redirect("person", user.username)
    return render(request, "about.html", {"form": form, "whom": gettext("yourself")})
