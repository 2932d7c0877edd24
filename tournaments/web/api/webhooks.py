"""The user's webhooks, and those of spaces and events that they run: addresses that notices are posted to."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.visibility import events_seen_by
from tournaments.core.notices.channels import POSTED, post_a_test
from tournaments.core.notices.webhooks import Of, add_webhook, webhooks_run_by
from tournaments.models import Delivery, Event, User, Webhook
from tournaments.web.api.account import OwnView
from tournaments.web.api.base import api_user, find_row, paged, read_form, show
from tournaments.web.api.inputs import Form, PageQuery, SlugText, Text
from tournaments.web.api.named import named_space
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.account import NewWebhookShape, WebhookShape
from tournaments.web.api.throttles import spend_request
from tournaments.web.server.request_rates import LETTERS

LATEST = 5  # deliveries shown of each


class WebhookBody(Form):
    url = Text(max_length=300, help_text="Notices are posted there.")
    receiver = serializers.ChoiceField(
        Webhook.Receiver.choices, default=Webhook.Receiver.PROGRAM.value, help_text="As who reads them wants them."
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField(POSTED), min_length=1, required=False, help_text="Of your own notices."
    )
    space = SlugText(required=False, help_text="In the place of `kinds`: all news of a space that you run.")
    event = SlugText(required=False, help_text="In the place of `kinds`: all news of an event that you run.")

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if len(given.keys() & {"kinds", "space", "event"}) != 1:
            raise serializers.ValidationError("Say what is posted by one of kinds, space and event.")
        return given


def webhooks_of(user: User) -> QuerySet[Webhook]:
    latest = Delivery.objects.select_related("notice").order_by("-pk")[:LATEST]
    rows = webhooks_run_by(user).select_related("space", "event")
    return rows.prefetch_related(Prefetch("deliveries", latest, "latest"))


def named_owner(user: User, space: str = "", event: str = "") -> Of:
    """Return the space or the event that is named. Raises Refused: unknown_space, unknown_event."""
    if event:
        return find_row(Event.objects.filter(events_seen_by(user)).select_related("ladder"), event, slug=event)
    return named_space(user, space) if space else None


class Webhooks(OwnView):
    @extend_schema(parameters=[PageQuery], responses=list_shape(WebhookShape))
    def get(self, request: Request) -> Response:
        """Webhooks of yours, and of spaces and events that you run, with their latest deliveries, newest first."""
        return paged(WebhookShape, request, webhooks_of(api_user(request)))

    @extend_schema(request=WebhookBody, responses={201: NewWebhookShape})
    def post(self, request: Request) -> Response:
        """Have notices posted to an address. The secret that signs them is only in this answer; chats ask for none."""
        user, given = api_user(request), read_form(WebhookBody, request.data)
        of = named_owner(user, given.pop("space", ""), given.pop("event", ""))
        made = add_webhook(user=user, of=of, **given)
        return Response(show(NewWebhookShape, made, request), 201)


class OneWebhook(OwnView):
    while_suspended = True

    @extend_schema(responses={204: None})
    def delete(self, request: Request, webhook: int) -> HttpResponse:
        """Remove a webhook."""
        find_row(webhooks_of(api_user(request)), webhook, pk=webhook).delete()
        return HttpResponse(status=204)


class WebhookTest(OwnView):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, webhook: int) -> HttpResponse:
        """Post a test; a stopped webhook starts again. The answer is among its deliveries."""
        user = api_user(request)
        tried = find_row(webhooks_of(user), webhook, pk=webhook)
        spend_request(LETTERS, str(user.pk))
        post_a_test(tried)
        return HttpResponse(status=204)
