"""Tokens, and who asks."""

from typing import Any

from rest_framework import serializers

from tournaments.models import ApiToken, Membership, Team, User


class TokenShape(serializers.ModelSerializer[ApiToken]):
    class Meta:
        model = ApiToken
        fields = ("id", "name", "created_at", "used_at", "expires_at", "reads_only")


class SecretShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    token = serializers.CharField(help_text="Shown only once. Send it as `Authorization: Bearer brd_...`.")


class PersonShape(serializers.ModelSerializer[User]):
    name = serializers.CharField(source="username")
    since = serializers.DateTimeField(source="date_joined")
    bots = serializers.SerializerMethodField()
    teams = serializers.SerializerMethodField()

    class Meta:
        model = User
        fields = ("name", "about", "since", "bots", "teams")

    def get_bots(self, person: User) -> list[int]:
        """Their ids."""
        return sorted(bot.pk for bot in person.bots.all())

    def get_teams(self, person: User) -> list[int]:
        """The ids of those they are in."""
        return sorted(place.team_id for place in vars(person)["places"])


class TeamShape(serializers.ModelSerializer[Team]):
    members = serializers.SerializerMethodField()
    captain = serializers.SerializerMethodField()
    bots = serializers.SerializerMethodField()

    class Meta:
        model = Team
        fields = ("id", "name", "about", "created_at", "captain", "members", "bots")

    def get_members(self, team: Team) -> list[str]:
        """Their names, the captain's among them."""
        return [place.user.username for place in vars(team)["members"]]

    def get_captain(self, team: Team) -> str | None:
        """The captain's name."""
        captains = (place.user.username for place in vars(team)["members"] if place.role == Membership.Role.CAPTAIN)
        return next(captains, None)

    def get_bots(self, team: Team) -> list[int]:
        """The ids of those that its members run together."""
        return sorted(bot.pk for bot in team.bots.all())


class IndexShape(serializers.Serializer[Any]):
    user = serializers.CharField(allow_null=True, help_text="Your user name; null if you are not signed in.")
    audit = serializers.URLField()
    bots = serializers.URLField()
    events = serializers.URLField()
    ladders = serializers.URLField()
    matches = serializers.URLField()
    tokens = serializers.URLField()
    schema = serializers.URLField()
    docs = serializers.URLField()
