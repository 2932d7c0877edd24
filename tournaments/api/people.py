"""Public profiles of people and teams."""

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.permissions import MEMBERS
from tournaments.api.base import View, find, paged, show
from tournaments.api.inputs import PageQuery
from tournaments.api.openapi import list_of
from tournaments.api.shapes.people import PersonShape, TeamShape
from tournaments.models import Membership, Team, User


def teams() -> QuerySet[Team]:
    """With their members; invitations are private."""
    inside = Membership.objects.filter(role__in=MEMBERS).select_related("user").order_by("since")
    return Team.objects.prefetch_related(Prefetch("memberships", inside, to_attr="members"), "bots")


class OnePerson(View):
    @extend_schema(responses=PersonShape)
    def get(self, request: Request, name: str) -> Response:
        """A person, their bots and their teams."""
        inside = Membership.objects.filter(role__in=MEMBERS).select_related("team").order_by("team")
        people = User.objects.filter(is_active=True).prefetch_related("bots", Prefetch("memberships", inside, "places"))
        return Response(show(PersonShape, find(people, name, username=name), request))


class Teams(View):
    @extend_schema(parameters=[PageQuery], responses=list_of(TeamShape))
    def get(self, request: Request) -> Response:
        """Teams, newest first."""
        return paged(TeamShape, request, teams())


class OneTeam(View):
    @extend_schema(responses=TeamShape)
    def get(self, request: Request, team: int) -> Response:
        """One team, its members and the bots that they run."""
        return Response(show(TeamShape, find(teams(), team, pk=team), request))
