"""The user's webhooks: addresses that notices are posted to."""

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.notices.channels import KINDS, post_a_test
from tournaments.core.notices.webhooks import add_webhook
from tournaments.models import Delivery, User, Webhook
from tournaments.web.api.account import OwnView
from tournaments.web.api.base import api_user, find_row, paged, read_form, show
from tournaments.web.api.inputs import Form, PageQuery, Text
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.account import NewWebhookShape, WebhookShape
from tournaments.web.api.throttles import spend_request
from tournaments.web.server.request_rates import LETTERS

LATEST = 5  # deliveries shown of each


class WebhookBody(Form):
    url = Text(max_length=300, help_text="Notices are posted there as JSON.")
    kinds = serializers.ListField(child=serializers.ChoiceField(KINDS), min_length=1)


def webhooks_of(user: User) -> QuerySet[Webhook]:
    latest = Delivery.objects.select_related("notice").order_by("-pk")[:LATEST]
    return user.webhooks.prefetch_related(Prefetch("deliveries", latest, "latest"))


class Webhooks(OwnView):
    @extend_schema(parameters=[PageQuery], responses=list_shape(WebhookShape))
    def get(self, request: Request) -> Response:
        """Your webhooks with their latest deliveries, newest first."""
        return paged(WebhookShape, request, webhooks_of(api_user(request)))

    @extend_schema(request=WebhookBody, responses={201: NewWebhookShape})
    def post(self, request: Request) -> Response:
        """Have notices posted to an address of yours. Its secret is only in this answer."""
        made = add_webhook(user=api_user(request), **read_form(WebhookBody, request.data))
        return Response(show(NewWebhookShape, made, request), 201)


class OneWebhook(OwnView):
    while_suspended = True

    @extend_schema(responses={204: None})
    def delete(self, request: Request, webhook: int) -> HttpResponse:
        """Remove a webhook."""
        find_row(api_user(request).webhooks.all(), webhook, pk=webhook).delete()
        return HttpResponse(status=204)


class WebhookTest(OwnView):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, webhook: int) -> HttpResponse:
        """Post a test; a stopped webhook starts again. The answer is among its deliveries."""
        found = find_row(api_user(request).webhooks.all(), webhook, pk=webhook)
        spend_request(LETTERS, str(found.user_id))
        post_a_test(found)
        return HttpResponse(status=204)
