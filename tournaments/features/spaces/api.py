"""Spaces, their organisers and members. Joining is in `space_doors`, actions with a reason are in `acts`."""

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.spaces import check_runs, listed_for, spaces_open_to
from tournaments.api.base import View, find, paged, read, show, signed_in
from tournaments.api.inputs import Changes, Choice, EmptyBody, Form, PageQuery, SomebodyBody, Text
from tournaments.api.openapi import list_of
from tournaments.api.throttles import spend
from tournaments.errors import Refused
from tournaments.features.spaces import opening
from tournaments.features.spaces.admission import spaces_admitting
from tournaments.features.spaces.own_workers import workers_of
from tournaments.features.spaces.shapes import AnnouncementShape, MemberShape, SpaceShape, WorkerShape
from tournaments.features.spaces.verbs import NAME_SOMEBODY, SPACE_ACTIONS
from tournaments.models import Announcement, Space, User
from tournaments.server.request_rates import OPENING


class SpaceBody(Form):
    slug = Text(max_length=30, help_text="3 to 30 small letters and digits, beginning with a letter.")
    title = Text(max_length=80)
    about = Text(default="", allow_blank=True, max_length=opening.LONGEST_ABOUT, help_text="Markdown.")
    access = serializers.ChoiceField(Space.Access.choices, default=Space.Access.PRIVATE)
    pseudonyms = Choice(default=False, help_text="Members have only drawn names; this cannot be changed.")
    blind = Choice(default=False, help_text="With pseudonyms: organisers do not see who is who either, until lifted.")


class SpaceChangesBody(Changes):
    title = Text(required=False, max_length=80)
    about = Text(required=False, allow_blank=True, max_length=opening.LONGEST_ABOUT, help_text="Markdown.")


def space_of(request: Request, slug: str) -> Space:
    """Return the space. Raises Refused: unknown_space."""
    return find(spaces_open_to(request.user), slug, slug=slug)


def run_by(request: Request, slug: str) -> Space:
    """Return the space, for its organisers. Raises Refused: unknown_space, not_organiser, not_signed_in."""
    space = space_of(request, slug)
    if not isinstance(request.user, User):
        raise Refused("not_signed_in", "Sign in: this is for the space's organisers.")
    check_runs(request.user, space.pk)
    return space


class Spaces(View):
    @extend_schema(parameters=[PageQuery], responses=list_of(SpaceShape))
    def get(self, request: Request) -> Response:
        """Public spaces and yours, newest first."""
        rows: QuerySet[Space] = Space.objects.filter(listed_for(request.user, "pk"))
        return paged(SpaceShape, request, rows)

    @extend_schema(request=SpaceBody, responses={201: SpaceShape})
    def post(self, request: Request) -> Response:
        """Open a space, with you as its organiser."""
        by, given = signed_in(request), read(SpaceBody, request.data)
        spend(OPENING, str(by.pk))
        made = opening.open_space(by=by, **given)
        shown = show(SpaceShape, made, request)
        return Response(shown, 201, headers={"Location": reverse("api:space", args=[made.slug])})


class OneSpace(View):
    @extend_schema(responses=SpaceShape)
    def get(self, request: Request, slug: str) -> Response:
        """One space."""
        return Response(show(SpaceShape, space_of(request, slug), request))

    @extend_schema(request=SpaceChangesBody, responses=SpaceShape)
    def patch(self, request: Request, slug: str) -> Response:
        """Change the title and description of a space that you organise."""
        space, given = run_by(request, slug), read(SpaceChangesBody, request.data)
        described: dict[str, Any] = {"title": space.title, "about": space.about, **given}
        opening.describe(space=space, by=signed_in(request), **described)
        return Response(show(SpaceShape, space_of(request, slug), request))


class Members(View):
    @extend_schema(parameters=[PageQuery], responses=list_of(MemberShape))
    def get(self, request: Request, slug: str) -> Response:
        """The members of a space that you organise, the newest first."""
        return paged(MemberShape, request, run_by(request, slug).members.select_related("user", "space"))


class Announcements(View):
    @extend_schema(parameters=[PageQuery], responses=list_of(AnnouncementShape))
    def get(self, request: Request, slug: str) -> Response:
        """What its organisers announce in a space and on its ladders, the newest first."""
        space = space_of(request, slug)
        rows = Announcement.objects.filter(Q(space=space) | Q(ladder__space=space), withdrawn=None)
        return paged(AnnouncementShape, request, rows.select_related("act", "ladder"))


class OwnWorkers(View):
    @extend_schema(responses=WorkerShape(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The workers of a space of which you are an organiser, bound to it by the site's operator."""
        return Response(WorkerShape(workers_of(run_by(request, slug)), many=True).data)


class SpaceActing(View):
    """The address of one action."""

    does: str
    body: type[Form]

    def do(self, request: Request, slug: str) -> HttpResponse:
        by, somebody = signed_in(request), read(self.body, request.data)
        admitting = spaces_admitting(by).filter(slug=slug).first() if self.does == "join" else None
        space = admitting or space_of(request, slug)
        with transaction.atomic():
            SPACE_ACTIONS[self.does](space, somebody.get("user", ""), by)
        return HttpResponse(status=204)


SAYS = {
    "join": "Join a space that admits your confirmed address.",
    "ask": "Ask to join a space.",
    "take-back": "Ask no more.",
    "approve": "Let somebody in who asks to join a space of which you are an organiser.",
    "refuse": "Or do not.",
    "leave": "Leave a space; your bots leave its ladders and events.",
    "organiser": "Make a member an organiser.",
    "step-down": "Be a member, and no organiser any more.",
}


def view_of(does: str) -> type[SpaceActing]:
    body = SomebodyBody if does in NAME_SOMEBODY else EmptyBody

    def post(self: SpaceActing, request: Request, slug: str) -> HttpResponse:
        return self.do(request, slug)

    post.__doc__ = SAYS[does]
    documented = extend_schema(request=body if body is SomebodyBody else None, responses={204: None})
    name = f"Space{does.title().replace('-', '')}"
    return type(name, (SpaceActing,), {"does": does, "body": body, "post": documented(post)})


SpaceJoin, SpaceAsk, SpaceTakeBack = view_of("join"), view_of("ask"), view_of("take-back")
SpaceApprove, SpaceRefuse, SpaceLeave = view_of("approve"), view_of("refuse"), view_of("leave")
SpaceOrganiser, SpaceStepDown = view_of("organiser"), view_of("step-down")
