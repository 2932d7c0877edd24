"""Organisers' actions: an address for each, with a dry run, and every one in the log."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.urls import URLPattern, path
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.audit import loggable_value
from tournaments.ledger.acts.arguments import ActionPart, action_from_arguments, parts
from tournaments.ledger.acts.base import LONGEST_REASON, Action, actions
from tournaments.web.api.audit import ActShape
from tournaments.web.api.authentication import Organiser, SignedInToWrite
from tournaments.web.api.base import View, api_user, read_form, show, verb_view
from tournaments.web.api.inputs import BIGGEST_ID, ClockTime, Form, Number, Text


class EffectShape(serializers.Serializer[Any]):
    subject = serializers.CharField()
    effect = serializers.DictField(help_text="What changes (says, changes, tables), as written in the log.")
    act = ActShape(allow_null=True, help_text="The entry in the log; null for a preview.")


class Doing(View):
    """The address of one action. (REST framework has a use of its own for a view's attribute `action`.)"""

    permission_classes = (SignedInToWrite, Organiser)
    action_type: type[Action]
    body: type[Form]

    def do(self, request: Request) -> Response:
        given = read_form(self.body, request.data)
        action = action_from_arguments(self.action_type, given, api_user(request))
        if given["preview"]:
            effect = action.preview()
            preview = {"subject": effect.subject, "effect": loggable_value(effect.as_detail()), "act": None}
            return Response(show(EffectShape, preview, request))
        act = action.do(by=api_user(request), reason=given["reason"])
        return Response(show(EffectShape, {"subject": act.subject, "effect": act.detail, "act": act}, request), 201)


def act_view(action: type[Action]) -> type[Doing]:
    camel = "".join(word.title() for word in action.kind.split("_"))
    body = type(
        f"{camel}Body", (Form,), {**{part.name: argument_field(part) for part in parts(action)}, **_of_every_act()}
    )
    answers = {200: EffectShape, 201: EffectShape}
    return verb_view(Doing, camel, action.about, body, answers, action_type=action)


def _of_every_act() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    why = "Shown with the act, to everybody and for good."
    return {
        "reason": Text(default="", allow_blank=True, max_length=LONGEST_REASON, help_text=why),
        "preview": serializers.BooleanField(default=False, help_text="True: only show what would change."),
    }


def argument_field(part: ActionPart) -> serializers.Field[Any, Any, Any, Any]:
    given: dict[str, Any] = {"required": not part.optional}
    if part.kind is Mapping:
        return serializers.DictField(help_text="Values by name.", **given)
    if part.kind is list:
        return serializers.ListField(child=Number(max_value=BIGGEST_ID), help_text="Whole numbers.", **given)
    if part.kind is bool:
        return serializers.BooleanField(**given)
    if part.by_clock:
        about = "A whole minute. Without an offset: by the clock of the ladder's time zone."
        return ClockTime(help_text=about, **given)
    if part.kind is datetime:
        return serializers.DateTimeField(help_text=part.help, **given)
    if part.kind is int:
        return Number(min_value=part.least, max_value=BIGGEST_ID, **given)
    if part.called_by in ("id", "number"):
        return Number(min_value=1, max_value=BIGGEST_ID, help_text=f"Its {part.called_by}.", **given)
    return Text(max_length=2000, help_text=f"Its {part.called_by}." if part.called_by else part.help, **given)


addresses: list[URLPattern] = [
    path(f"acts/{kind}", act_view(action).as_view(), name=kind) for kind, action in actions().items()
]
