"""Practice games: who sits where, what one is asked, how it ended."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.replay import read
from tournaments.api.shapes.texts import VERDICTS, GameName, Slug
from tournaments.models import Practice
from tournaments.practice.asked import Asked, asked_in
from tournaments.practice.seats import people, players


class PracticeSeatShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    kind = serializers.ChoiceField(["person", "version", "draft", "sample"])
    version = serializers.IntegerField(allow_null=True, help_text="Its id.")


class AskedShape(serializers.Serializer[Asked]):
    """As a bot at that seat would be asked (docs/protocol.md)."""

    seat = serializers.IntegerField()
    question = serializers.DictField()
    view = serializers.DictField()
    events = serializers.ListField(child=serializers.DictField(), help_text="Heard of since your last answer.")


class OutcomeShape(serializers.Serializer[Any]):
    places = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())
    verdicts = serializers.ListField(child=serializers.ChoiceField(VERDICTS))


class PracticeShape(serializers.ModelSerializer[Practice]):
    ladder = Slug(source="ladder.slug", help_text="Under whose clock and limits it is played.")
    game = GameName(source="ladder.game")
    options = serializers.DictField(help_text="Of the game.")
    answers = serializers.SerializerMethodField()
    match = serializers.IntegerField(source="match_id", allow_null=True, help_text="That it goes on from.")

    class Meta:
        model = Practice
        fields: tuple[str, ...] = (
            *("id", "ladder", "game", "rules", "options", "match", "moment", "status", "reason", "answers"),
            *("created_at", "moved_at"),
        )

    def get_answers(self, practice: Practice) -> int:
        """How many were given; one's own answer says how many one has seen."""
        return len(practice.script)


class OnePracticeShape(PracticeShape):
    seats = serializers.SerializerMethodField()
    asked = serializers.SerializerMethodField()
    outcome = serializers.SerializerMethodField()
    stderr = serializers.SerializerMethodField()
    faults = serializers.SerializerMethodField()
    shared = serializers.SerializerMethodField(help_text="Where whoever has this link sees the game; null: nowhere.")

    class Meta(PracticeShape.Meta):
        fields = (*PracticeShape.Meta.fields, "seats", "asked", "outcome", "stderr", "faults", "shared")

    @extend_schema_field(PracticeSeatShape(many=True))
    def get_seats(self, practice: Practice) -> Any:
        named = zip(practice.seats, players(practice), strict=True)
        kinds = ("person", "version", "draft", "sample")
        return [
            {
                "name": player.name,
                "kind": next(kind for kind in kinds if kind in seat),
                "version": seat.get("version"),
            }
            for seat, player in named
        ]

    @extend_schema_field(AskedShape(allow_null=True))
    def get_asked(self, practice: Practice) -> Any:
        asked = asked_in(practice) if people(practice) else None
        return asked and AskedShape(asked).data

    @extend_schema_field(OutcomeShape(allow_null=True))
    def get_outcome(self, practice: Practice) -> Any:
        """Once it is over."""
        return OutcomeShape(read(bytes(practice.replay)).result).data if practice.replay else None

    def get_shared(self, practice: Practice) -> str | None:
        return reverse("shared-game", args=[practice.share_key]) if practice.share_key else None

    def get_stderr(self, practice: Practice) -> dict[str, str]:
        """The last lines of bots and drafts of yours, by seat."""
        return {seat: str(text) for seat, text in practice.report.get("stderr", {}).items()}

    def get_faults(self, practice: Practice) -> list[dict[str, Any]]:
        """Evidence of faults of bots and drafts of yours."""
        return list(practice.report.get("faults", []))
