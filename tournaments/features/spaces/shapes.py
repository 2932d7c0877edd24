"""Spaces, who is in them, and how people come in."""

from typing import Any

from django.conf import settings
from django.urls import reverse
from rest_framework import serializers

from tournaments.features.spaces.roster import SAYS, place_as_shown
from tournaments.models import Announcement, JoinCode, Space, SpaceMember, Worker


class SpaceShape(serializers.ModelSerializer[Space]):
    members = serializers.SerializerMethodField()
    role = serializers.SerializerMethodField()
    ladders = serializers.SerializerMethodField()

    class Meta:
        model = Space
        named = ("id", "slug", "title", "about", "access", "pseudonyms", "blind", "opened_at", "closed_at")
        fields = (
            *named,
            *("own_workers_alone", "time_zone", "keep_words", "keep_replays", "keep_sources", "keep_identities"),
            "members",
            "role",
            "ladders",
        )

    def get_members(self, space: Space) -> int:
        """How many."""
        return space.members.count()

    def get_role(self, space: Space) -> str | None:
        """Yours: member or organiser; null if you are not in it."""
        place = space.members.filter(user=self.context["viewer"].pk).first()
        return place.role if place else None

    def get_ladders(self, space: Space) -> list[str]:
        """Their slugs."""
        return list(space.ladders.order_by("slug").values_list("slug", flat=True))


class MemberShape(serializers.ModelSerializer[SpaceMember]):
    name = serializers.CharField(source="user.username")
    identity = serializers.CharField(help_text="The person's name on the roster; empty if names are hidden.")
    address = serializers.CharField(help_text="The person's address on the roster; empty if names are hidden.")
    since = serializers.DateTimeField(allow_null=True, help_text="Null where names are hidden.")
    came_in = serializers.SerializerMethodField()

    class Meta:
        model = SpaceMember
        fields = ("id", "name", "role", "identity", "address", "since", "came_in")

    def to_representation(self, instance: SpaceMember) -> Any:
        return super().to_representation(place_as_shown(instance))

    def get_came_in(self, place: SpaceMember) -> bool:
        """Whether they have ever signed in."""
        return place.user.last_login is not None


class AnnouncementShape(serializers.ModelSerializer[Announcement]):
    ladder = serializers.CharField(
        source="ladder.slug", default=None, allow_null=True, help_text="On whose page it is."
    )
    act = serializers.IntegerField(source="act.number", help_text="That announced it, and is named to change it.")
    at = serializers.DateTimeField(source="act.at")

    class Meta:
        model = Announcement
        fields = ("id", "ladder", "title", "text", "act", "at")


class WorkerShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    status = serializers.ChoiceField(Worker.Status.choices)
    processes = serializers.IntegerField(help_text="How many of it are here.")
    offers = serializers.ListField(child=serializers.CharField(), help_text="Languages and divisions.")
    seen_at = serializers.DateTimeField(allow_null=True, help_text="When its last word came.")


class CodeShape(serializers.ModelSerializer[JoinCode]):
    code = serializers.CharField(source="spelled", help_text="To be typed.")
    link = serializers.SerializerMethodField()

    class Meta:
        model = JoinCode
        fields = ("id", "code", "link", "made_at", "ends_at", "used", "left")

    def get_link(self, code: JoinCode) -> str:
        """To be sent."""
        return f"{settings.SITE_URL}{reverse('join', args=[code.key])}"


class RosterLineShape(serializers.Serializer[Any]):
    line = serializers.IntegerField(help_text="Its number.")
    address = serializers.CharField()
    identity = serializers.CharField()
    what = serializers.ChoiceField(list(SAYS), help_text="What will be done with this line.")
    says = serializers.CharField(help_text="The same as a sentence.")
    account = serializers.CharField(allow_null=True, help_text="The account's name; null where there is none.")
    link = serializers.CharField(
        allow_null=True, help_text="The link with which its owner chooses a password. Show it to nobody else."
    )


class RosterShape(serializers.Serializer[Any]):
    lines = RosterLineShape(many=True)
    mailed = serializers.IntegerField(help_text="Mails being sent.")
    read = serializers.ListField(
        child=serializers.CharField(), help_text="Columns that people are read from, where the roster has headings."
    )
    not_read = serializers.ListField(
        child=serializers.CharField(), help_text="Others with anything in them: first those with addresses, at most 10."
    )
