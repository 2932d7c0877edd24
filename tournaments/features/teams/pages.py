"""Teams: the user's own, and the page of each with the members' and the captain's buttons."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from tournaments.core.accounts.spaces import listed_for
from tournaments.core.errors import Refused
from tournaments.features.teams import rules as verbs
from tournaments.features.teams.rules import TEAM_ACTIONS
from tournaments.ledger.competitors.about_texts import check_describes, describe_team
from tournaments.models import Membership, Team, User
from tournaments.web.pages.forms import NameField
from tournaments.web.pages.lookup import team_or_404
from tournaments.web.pages.people import AboutForm
from tournaments.web.pages.run_action import act, refused_form_page, sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

Role = Membership.Role


class TeamForm(forms.Form):
    name = NameField(
        max_length=40, help_text="3 to 40 letters, digits, and single - _ . or spaces between them. Public."
    )


@login_required
def own_teams(request: HttpRequest) -> HttpResponse:
    """One's memberships and invitations, and a form for a new team."""
    user, form = signed_in(request), TeamForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("team", verbs.create_team(name=form.cleaned_data["name"], by=user).pk)
        except Refused as why:
            form.add_error("name", forms.ValidationError(sentence(why), why.code))
    return render(request, "teams/teams.html", {"form": form, "places": verbs.teams_with(user)})


def team(request: HttpRequest, number: int) -> HttpResponse:
    """Invitations are shown to members and to the person invited."""
    at = team_or_404(number)
    places = list(at.memberships.select_related("user").order_by("since"))
    mine = next((place for place in places if place.user_id == request.user.pk), None)
    inside = mine is not None and mine.role != Role.INVITED
    context = {
        "team": at,
        "members": [place for place in places if place.role != Role.INVITED],
        "invited": [place for place in places if place.role == Role.INVITED] if inside else [],
        "mine": mine,
        "leads": mine is not None and mine.role == Role.CAPTAIN,
        "bots": at.bots.filter(listed_for(request.user)).select_related("owner").order_by("name"),
    }
    return render(request, "teams/team.html", context)


@login_required
def edit_team(request: HttpRequest, number: int) -> HttpResponse:
    """The captain edits the description."""
    at, user = team_or_404(number), signed_in(request)
    try:
        check_describes(at, user)
    except Refused as why:
        raise PermissionDenied(sentence(why)) from None
    form = AboutForm(request.POST if request.method == "POST" else None, initial={"about": at.about})
    if request.method == "POST" and form.is_valid():
        describe_team(team=at, about=form.cleaned_data["about"], by=user)
        return redirect("team", at.pk)
    return render(request, "about.html", {"form": form, "whom": at})


@login_required
@require_POST
def do_in_team(request: HttpRequest, number: int, action: str) -> HttpResponse:
    """One of TEAM_ACTIONS."""
    at, by = team_or_404(number), signed_in(request)
    if action not in TEAM_ACTIONS:
        raise Http404(say("There is no action “%(action)s” for a team.", action=action[:30]))
    verb = TEAM_ACTIONS[action]
    name = request.POST.get("user", "").strip()[:150]
    is_done = act(request, lambda: verb(at, name, by), say(DONE[action], name=name, team=at))
    if not is_done and action == "invite":
        return refused_form_page(team(request, number))
    return redirect("team", at.pk) if Team.objects.filter(pk=at.pk).exists() else redirect("teams")


DONE = {
    "invite": gettext_noop("%(name)s is invited."),
    "join": gettext_noop("You are in %(team)s now."),
    "refuse": gettext_noop("You have declined the invitation to %(team)s."),
    "leave": gettext_noop("You have left %(team)s, and your bots with you."),
    "remove": gettext_noop("%(name)s is no longer in %(team)s."),
    "captain": gettext_noop("%(name)s is the captain now."),
}


def teams_to_give_to(user: User | AnonymousUser) -> QuerySet[Membership]:
    """The teams that somebody could give a bot to."""
    return (
        Membership.objects.filter(user=user.pk).exclude(role=Role.INVITED).select_related("team").order_by("team__name")
    )
