"""Bots and their versions."""

from typing import Any

from django.db import transaction
from django.http import QueryDict
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.names import normalized_name
from tournaments.core.accounts.spaces import listed_for
from tournaments.features.examinations.api import OneVersionShape
from tournaments.features.faces.rules import choose_face
from tournaments.features.teams.rules import give_bot
from tournaments.features.trials.rules import set_gate
from tournaments.ledger.competitors.about_texts import describe_bot
from tournaments.ledger.competitors.uploads import create_bot, upload
from tournaments.ledger.matchmaking.activation import activate
from tournaments.models import Bot, Team, User
from tournaments.web.api.base import View, api_user, find_row, list_page, paged, read_form, show
from tournaments.web.api.inputs import BotBody, BotChangesBody, BotQuery, PageQuery, RawUploadQuery, UploadBody
from tournaments.web.api.named import bots_shown_to, named_bot, named_space, named_versions
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.parsers import Bytes, Form
from tournaments.web.api.shapes.bots import BotShape, VersionShape
from tournaments.web.api.throttles import Everyone, Uploads


class Bots(View):
    @extend_schema(parameters=[BotQuery], responses=list_shape(BotShape))
    def get(self, request: Request) -> Response:
        """Bots, newest first."""
        query = read_form(BotQuery, request.query_params)
        columns = {"owner": "owner__username", "game": "game", "name": "name__iexact"}
        chosen = {column: normalized_name(query[name]) for name, column in columns.items() if name in query}
        chosen |= {"house": ""} if query.get("house") is False else {}
        return list_page(
            BotShape, bots_shown_to(request.user).filter(listed_for(request.user), **chosen), query, request
        )

    @extend_schema(request=BotBody, responses={201: BotShape})
    def post(self, request: Request) -> Response:
        """Create a bot; upload its first version next."""
        body, by = read_form(BotBody, request.data), api_user(request)
        space = named_space(by, body["space"]) if "space" in body else None
        bot = create_bot(owner=by, game=body["game"], name=body["name"], space=space)
        shown = show(BotShape, find_row(bots_shown_to(request.user), bot.pk, pk=bot.pk), request)
        return Response(shown, 201, headers={"Location": reverse("api:bot", args=[bot.pk])})


class OneBot(View):
    @extend_schema(responses=BotShape)
    def get(self, request: Request, bot: int) -> Response:
        """One bot."""
        return Response(show(BotShape, find_row(bots_shown_to(request.user), bot, pk=bot), request))

    @extend_schema(request=BotChangesBody, responses=BotShape)
    def patch(self, request: Request, bot: int) -> Response:
        """Change a bot of yours: what a new version must do before it plays, its description, its face, its team."""
        owned, given = named_bot(request.user, bot), read_form(BotChangesBody, request.data)
        with transaction.atomic():
            change(owned, api_user(request), given)
        return Response(show(BotShape, find_row(bots_shown_to(request.user), bot, pk=bot), request))


def change(bot: Bot, by: User, given: dict[str, Any]) -> None:
    """Make the changes that are given, in the caller's transaction: all of it or nothing."""
    if "team" in given:
        team = given["team"] and find_row(Team.objects.all(), given["team"], pk=given["team"])
        give_bot(bot=bot, team=team, by=by)
    if "about" in given:
        describe_bot(bot=bot, about=given["about"], by=by)
    if given.keys() & {"motto", "colours"}:
        face = {"motto": bot.motto, "colours": bot.colours.split()}
        choose_face(bot=bot, by=by, **{name: given.get(name, now) for name, now in face.items()})
    if given.keys() & {"gate", "gate_test"}:
        set_gate(bot=bot, gate=given.get("gate", bot.gate), gate_test=given.get("gate_test", ""), by=by)


class Versions(View):
    parser_classes = (Form, Bytes)
    throttle_classes = (Everyone, Uploads)

    @extend_schema(parameters=[PageQuery], responses=list_shape(VersionShape))
    def get(self, request: Request, bot: int) -> Response:
        """A bot's versions, newest first."""
        named_bot(request.user, bot)
        return paged(VersionShape, request, named_versions(request.user, bot))

    @extend_schema(
        parameters=[RawUploadQuery],
        request={"multipart/form-data": UploadBody, "application/octet-stream": OpenApiTypes.BINARY},
        responses={201: VersionShape},
    )
    def post(self, request: Request, bot: int) -> Response:
        """Upload a version: as the file `bundle` of a form, or as the body itself with `filename` in the query.

        It is checked in the sandbox next; when it passes, it plays for its bot.
        """
        owned = named_bot(request.user, bot)
        version = upload(bot=owned, by=api_user(request), **uploaded_data(request))
        shown = show(VersionShape, find_row(named_versions(request.user, bot), version.number, pk=version.pk), request)
        return Response(shown, 201, headers={"Location": reverse("api:version", args=[bot, version.number])})


def uploaded_data(request: Request) -> dict[str, Any]:
    """The data, the file name and the note of an upload in either form."""
    if not isinstance(request.data, QueryDict):
        return {"data": request.data or b"", **read_form(RawUploadQuery, request.query_params)}
    form = read_form(UploadBody, request.data)
    return {"data": form["bundle"].read(), "filename": form["bundle"].name, "note": form["note"]}


class OneVersion(View):
    @extend_schema(responses=OneVersionShape)
    def get(self, request: Request, bot: int, number: int) -> Response:
        """One version; its owner sees the report of its check, and what it saw."""
        return Response(
            show(OneVersionShape, find_row(named_versions(request.user, bot), number, number=number), request)
        )


class Activate(View):
    @extend_schema(request=None, responses=VersionShape)
    def post(self, request: Request, bot: int, number: int) -> Response:
        """Let a retired version play again, instead of the active one. One that has played before counts by the sets
        dealt from then on, once there are 15; until then it has the rating of all sets of the bot's versions."""
        activate(version=find_row(named_versions(request.user, bot), number, number=number), by=api_user(request))
        return Response(show(VersionShape, find_row(named_versions(request.user, bot), number, number=number), request))
