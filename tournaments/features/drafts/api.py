"""Drafts: bots that are written on the site, checked there in the sandbox, and submitted."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.permissions import run_by
from tournaments.core.errors import Refused
from tournaments.features.drafts.beginnings import begin_from_start, begin_from_version
from tournaments.features.drafts.rules import FILENAME, MOST, NAME, restore_state, save, states_of, submit
from tournaments.features.drafts.sandbox_check import try_out
from tournaments.features.practice.api import practice_created
from tournaments.features.practice.shapes import OnePracticeShape
from tournaments.ledger.competitors.starting_points import starts
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Draft, DraftState, Practice, Version
from tournaments.web.api.account import OwnView
from tournaments.web.api.authentication import SignedInToWrite
from tournaments.web.api.base import View, api_user, find_row, paged, read_form, show
from tournaments.web.api.inputs import BIGGEST_ID, Changes, Form, GameText, Number, PageQuery, SlugText, Text
from tournaments.web.api.named import named_ladder, named_versions
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.bots import VersionShape
from tournaments.web.api.shapes.texts import GameName
from tournaments.web.api.throttles import spend_request
from tournaments.web.server.request_rates import UPLOAD


class StartShape(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="What a new draft says to begin from it.")
    title = serializers.CharField()
    about = serializers.CharField()
    filename = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]


class StartsShape(serializers.Serializer[Any]):
    results = StartShape(many=True)


class DraftShape(serializers.ModelSerializer[Draft]):
    bot = serializers.IntegerField(source="bot_id", allow_null=True, help_text="Whose next version it becomes.")
    tried = serializers.IntegerField(source="tried_id", allow_null=True, help_text="The practice of its last check.")

    class Meta:
        model = Draft
        fields: tuple[str, ...] = ("id", "game", "bot", "name", "filename", "tried", "created_at", "saved_at")


class OneDraftShape(DraftShape):
    class Meta(DraftShape.Meta):
        fields = (*DraftShape.Meta.fields, "source")


class DraftStateShape(serializers.ModelSerializer[DraftState]):
    class Meta:
        model = DraftState
        fields: tuple[str, ...] = ("id", "filename", "size", "saved_at")


class OneDraftStateShape(DraftStateShape):
    class Meta(DraftStateShape.Meta):
        fields = (*DraftStateShape.Meta.fields, "source")


class StartQuery(Form):
    game = GameName()


class NewDraftBody(Form):
    game = GameText(required=False, help_text="With `start`: the game of a new bot.")
    start = Text(required=False, help_text="The key of one of the game's starting points.")
    version = Number(
        required=False, min_value=1, max_value=BIGGEST_ID, help_text="Instead: the id of a version of one of your bots."
    )

    def validate(self, given: dict[str, object]) -> dict[str, object]:
        if sorted(given) not in (["version"], ["game", "start"]):
            raise serializers.ValidationError("Give a game and a start, or a version.")
        return given


class DraftBody(Changes):
    source = Text(  # type: ignore[assignment]
        required=False, allow_blank=True, trim_whitespace=False, max_length=MOST
    )
    filename = Text(required=False, max_length=FILENAME, help_text="Its ending gives the language.")
    name = Text(required=False, allow_blank=True, max_length=NAME, help_text="The name of the bot that it becomes.")
    since = serializers.DateTimeField(
        required=False, help_text="`saved_at`, as you saw it: later changes are not overwritten."
    )


class CheckBody(Form):
    against = Text(default="random", max_length=40, help_text="A sample of the game.")


class SubmitBody(Form):
    note = Text(default="", allow_blank=True, max_length=200)
    ladder = SlugText(required=False, help_text="The slug of a ladder that the bot enters at once.")


def drafts_to_list(request: Request) -> QuerySet[Draft]:
    return Draft.objects.filter(owner=api_user(request)).select_related("bot", "owner", "tried__ladder")


def draft_of(request: Request, draft: int) -> Draft:
    return find_row(drafts_to_list(request), draft, pk=draft)


class Starts(View):
    permission_classes = (SignedInToWrite,)

    @extend_schema(parameters=[StartQuery], responses=StartsShape)
    def get(self, request: Request) -> Response:
        """Starting points for a bot of a game, the easiest first."""
        rows = starts(read_form(StartQuery, request.query_params)["game"])
        return Response(show(StartsShape, {"results": rows}, request))


class Drafts(OwnView):
    @extend_schema(parameters=[PageQuery], responses=list_shape(DraftShape))
    def get(self, request: Request) -> Response:
        """Your drafts, newest first, without their sources."""
        return paged(DraftShape, request, drafts_to_list(request).defer("source"))

    @extend_schema(request=NewDraftBody, responses={201: OneDraftShape})
    def post(self, request: Request) -> Response:
        """Start a draft."""
        given, by = read_form(NewDraftBody, request.data), api_user(request)
        if "version" in given:
            mine = Version.objects.filter(run_by(by, "bot__")).select_related("bot", "bundle")
            made = begin_from_version(owner=by, version=find_row(mine, given["version"], pk=given["version"]))
        else:
            made = begin_from_start(owner=by, **given)
        address = reverse("api:draft", args=[made.pk])
        return Response(show(OneDraftShape, draft_of(request, made.pk), request), 201, headers={"Location": address})


class OneDraft(OwnView):
    @extend_schema(responses=OneDraftShape)
    def get(self, request: Request, draft: int) -> Response:
        """One of your drafts, with its source."""
        return Response(show(OneDraftShape, draft_of(request, draft), request))

    @extend_schema(request=DraftBody, responses=OneDraftShape)
    def patch(self, request: Request, draft: int) -> Response:
        """Save it. The previous state is kept among its states."""
        stored, given = draft_of(request, draft), read_form(DraftBody, request.data)
        fields = {name: given.get(name, getattr(stored, name)) for name in ("source", "filename", "name")}
        save(draft=stored, since=given.get("since"), **fields)
        return Response(show(OneDraftShape, draft_of(request, draft), request))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, draft: int) -> HttpResponse:
        """Delete it, with all its states."""
        draft_of(request, draft).delete()
        return HttpResponse(status=204)


class DraftCheck(OwnView):
    @extend_schema(request=CheckBody, responses={201: OnePracticeShape})
    def post(self, request: Request, draft: int) -> Response:
        """Let it play in the sandbox against a sample. An earlier check that is not over is abandoned."""
        practice: Practice = try_out(draft=draft_of(request, draft), **read_form(CheckBody, request.data))
        return practice_created(request, practice)


class DraftSubmit(OwnView):
    @extend_schema(request=SubmitBody, responses={201: VersionShape})
    def post(self, request: Request, draft: int) -> Response:
        """Make it a version, of a new bot with its name or of the bot that it belongs to. The draft stays."""
        stored, given, by = draft_of(request, draft), read_form(SubmitBody, request.data), api_user(request)
        spend_request(UPLOAD, str(by.pk))
        with transaction.atomic():  # where the ladder refuses the bot, nothing is submitted either
            ladder = named_ladder(by, given["ladder"]) if "ladder" in given else None
            version = submit(draft=stored, note=given["note"], space=ladder.space if ladder else None)
            if ladder:
                enter_in_ladder(ladder=ladder, bot=version.bot, by=by)
        address = reverse("api:version", args=[version.bot_id, version.number])
        row = find_row(named_versions(request.user, version.bot_id), version.number, pk=version.pk)
        return Response(show(VersionShape, row, request), 201, headers={"Location": address})


def requested_state(draft: Draft, number: int) -> DraftState:
    """Return an earlier state of the draft. Raises Refused: unknown_state."""
    state = draft.states.filter(pk=number).select_related("draft__owner").first()
    if state is None:
        raise Refused("unknown_state", "This draft has no such earlier state, or no longer: the oldest are deleted.")
    return state


class DraftStates(OwnView):
    @extend_schema(parameters=[PageQuery], responses=list_shape(DraftStateShape))
    def get(self, request: Request, draft: int) -> Response:
        """Its earlier states, the latest first."""
        return paged(DraftStateShape, request, states_of(draft_of(request, draft)))


class OneDraftState(OwnView):
    @extend_schema(responses=OneDraftStateShape)
    def get(self, request: Request, draft: int, state: int) -> Response:
        """One earlier state, with its source."""
        return Response(show(OneDraftStateShape, requested_state(draft_of(request, draft), state), request))


class DraftStateTake(OwnView):
    @extend_schema(request=None, responses=OneDraftShape)
    def post(self, request: Request, draft: int, state: int) -> Response:
        """Restore it. The current draft becomes the latest of its states."""
        restore_state(requested_state(draft_of(request, draft), state))
        return Response(show(OneDraftShape, draft_of(request, draft), request))
