"""Teams: who is in them, and what members, captains and invited people do."""

from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.spaces import Viewer, listed_for
from tournaments.features.teams.rules import NAME_SOMEBODY, TEAM_ACTIONS, create_team
from tournaments.ledger.competitors.about_texts import describe_team
from tournaments.models import Bot, Membership, Team
from tournaments.web.api.base import View, api_user, find_row, paged, read_form, show, verb_view
from tournaments.web.api.inputs import AboutBody, EmptyBody, Form, PageQuery, SomebodyBody, Text
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.people import TeamShape


class TeamBody(Form):
    name = Text(max_length=40, help_text="3 to 40 letters, digits, and single - _ . or spaces between them.")


def teams_with_members(viewer: Viewer) -> QuerySet[Team]:
    """Return all teams, with their members and with the bots that the viewer has in lists; invitations are private."""
    inside = Membership.objects.filter(role__in=Membership.INSIDE).select_related("user").order_by("since")
    bots = Prefetch("bots", Bot.objects.filter(listed_for(viewer)))
    return Team.objects.prefetch_related(Prefetch("memberships", inside, to_attr="members"), bots)


class Teams(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(TeamShape))
    def get(self, request: Request) -> Response:
        """Teams, newest first."""
        return paged(TeamShape, request, teams_with_members(request.user))

    @extend_schema(request=TeamBody, responses={201: TeamShape})
    def post(self, request: Request) -> Response:
        """Found a team, with you as its captain."""
        made = create_team(by=api_user(request), **read_form(TeamBody, request.data))
        shown = show(TeamShape, find_row(teams_with_members(request.user), made.pk, pk=made.pk), request)
        return Response(shown, 201, headers={"Location": reverse("api:team", args=[made.pk])})


class OneTeam(View):
    @extend_schema(responses=TeamShape)
    def get(self, request: Request, team: int) -> Response:
        """One team, its members and the bots that they run."""
        return Response(show(TeamShape, find_row(teams_with_members(request.user), team, pk=team), request))

    @extend_schema(request=AboutBody, responses=TeamShape)
    def patch(self, request: Request, team: int) -> Response:
        """Describe a team of which you are the captain."""
        found = find_row(Team.objects.all(), team, pk=team)
        describe_team(team=found, by=api_user(request), **read_form(AboutBody, request.data))
        return Response(show(TeamShape, find_row(teams_with_members(request.user), team, pk=team), request))


class TeamActing(View):
    """The address of one action."""

    does: str
    body: type[Form]

    def do(self, request: Request, team: int) -> HttpResponse:
        found, somebody = find_row(Team.objects.all(), team, pk=team), read_form(self.body, request.data)
        with transaction.atomic():
            TEAM_ACTIONS[self.does](found, somebody.get("user", ""), api_user(request))
        return HttpResponse(status=204)


SAYS = {
    "invite": "Ask somebody to join a team of which you are the captain.",
    "join": "Accept an invitation.",
    "refuse": "Decline an invitation.",
    "leave": "Leave a team; your bots come with you. The last to leave closes it.",
    "remove": "Take somebody out of a team of which you are the captain, or an invitation back.",
    "captain": "Make another member the captain in your place.",
}


def team_view(does: str) -> type[TeamActing]:
    body = SomebodyBody if does in NAME_SOMEBODY else EmptyBody
    return verb_view(TeamActing, f"Team{does.title()}", SAYS[does], body, {204: None}, does=does)


TeamInvite, TeamJoin, TeamRefuse = team_view("invite"), team_view("join"), team_view("refuse")
TeamLeave, TeamRemove, TeamCaptain = team_view("leave"), team_view("remove"), team_view("captain")
