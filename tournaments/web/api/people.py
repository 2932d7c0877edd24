"""Public profiles of people."""

from django.db.models import Prefetch
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.names import normalized_name
from tournaments.core.accounts.spaces import listed_for, people_known_to
from tournaments.models import Bot, Membership, User
from tournaments.web.api.base import View, find_row, show
from tournaments.web.api.shapes.people import PersonShape


class OnePerson(View):
    @extend_schema(responses=PersonShape)
    def get(self, request: Request, name: str) -> Response:
        """A person, their bots and their teams."""
        inside = Membership.objects.filter(role__in=Membership.INSIDE).select_related("team").order_by("team")
        bots = Prefetch("bots", Bot.objects.filter(listed_for(request.user)))
        known = User.objects.filter(people_known_to(request.user))
        people = known.prefetch_related(bots, Prefetch("memberships", inside, "places"))
        return Response(show(PersonShape, find_row(people, name, username=normalized_name(name)), request))
