"""The user's own account, notices and webhooks."""

from typing import Any

from rest_framework import serializers

from tournaments.core.notices.channels import KINDS
from tournaments.models import Delivery, Membership, Notice, Webhook
from tournaments.web.api.shapes.texts import Slug


class PlaceShape(serializers.Serializer[Any]):
    team = serializers.IntegerField()
    name = serializers.CharField()
    role = serializers.ChoiceField(Membership.Role.choices)


class AccountShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    about = serializers.CharField()
    email = serializers.CharField(help_text="Empty where you gave none.")
    email_confirmed = serializers.BooleanField()
    second_factor = serializers.BooleanField(help_text="Whether signing in takes a code.")
    mailed = serializers.ListField(
        child=serializers.ChoiceField(KINDS), help_text="Kinds of notices that come by e-mail."
    )
    teams = PlaceShape(many=True)
    unread = serializers.IntegerField(help_text="Notices.")


class FeedShape(serializers.Serializer[Any]):
    address = serializers.URLField(help_text="Of an Atom feed. Shown this once.")


class NoticeShape(serializers.ModelSerializer[Notice]):
    detail = serializers.DictField(help_text="The same for programs.")
    path = serializers.CharField(help_text="Of the page that shows more.")

    class Meta:
        model = Notice
        fields = ("id", "kind", "text", "path", "detail", "at", "read_at")


class DeliveryShape(serializers.ModelSerializer[Delivery]):
    kind = serializers.ChoiceField(Notice.Kind.choices, source="notice.kind")
    at = serializers.DateTimeField(source="notice.at")

    class Meta:
        model = Delivery
        fields = ("id", "kind", "at", "status", "attempts", "answer")


class WebhookShape(serializers.ModelSerializer[Webhook]):
    url = serializers.CharField(source="shown_url", help_text="Of a chat only its host and its end.")
    space = Slug(source="space.slug", default=None, allow_null=True, help_text="Whose news is posted there.")
    event = Slug(source="event.slug", default=None, allow_null=True, help_text="Whose news is posted there.")
    kinds = serializers.ListField(child=serializers.ChoiceField(KINDS), help_text="Of notices that are posted there.")
    deliveries = DeliveryShape(many=True, source="latest", help_text="The latest five.")

    class Meta:
        model = Webhook
        fields = ("id", "url", "receiver", "space", "event", "kinds", "stopped", "failures", "created_at", "deliveries")


class NewWebhookShape(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    url = serializers.CharField()
    receiver = serializers.ChoiceField(Webhook.Receiver.choices)
    kinds = serializers.ListField(child=serializers.ChoiceField(KINDS))
    secret = serializers.CharField(help_text="What is posted is signed with it. Shown this once.")
