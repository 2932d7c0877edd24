"""Events, their entrants and plans."""

from math import isfinite
from typing import Any

from rest_framework import serializers

from tournaments.core.accounts.spaces import runs
from tournaments.features.events.event_format import format_of
from tournaments.features.events.progress import StandingsRow
from tournaments.ledger.formats.rules_text import rules_in_words
from tournaments.models import Entrant, Event, MatchSet
from tournaments.web.api.shapes.texts import GameName, Slug


class EventShape(serializers.ModelSerializer[Event]):
    ladder = Slug(source="ladder.slug", help_text="The ladder under whose settings it is played.")
    game = GameName(source="ladder.game")
    spec = serializers.DictField(help_text="The format's settings, complete.")
    format = serializers.SerializerMethodField()
    organiser = serializers.CharField(source="organiser.username", allow_null=True)
    previous = serializers.CharField(source="previous.slug", allow_null=True, help_text="The season before.")
    entrants = serializers.IntegerField(source="entered", help_text="How many have registered.")
    waiting = serializers.IntegerField(source="queued", help_text="How many more wait for a place.")
    released = serializers.IntegerField(
        allow_null=True, help_text="The last round whose results are public; null: all, as they come in."
    )
    lot = serializers.SerializerMethodField()

    class Meta:
        model = Event
        fields = (
            *(
                "id",
                "slug",
                "title",
                "description",
                "ladder",
                "game",
                "spec",
                "format",
                "organiser",
                "previous",
                "status",
            ),
            *("rules", "opens_at", "closes_at", "places", "check_in_minutes", "invited_only"),
            *("reason", "entrants", "waiting", "released", "lot", "starts_at", "created_at", "started_at", "ended_at"),
        )

    def get_format(self, event: Event) -> list[str]:
        """The rules of the format, in sentences."""
        return [*rules_in_words(format_of(event))]

    def get_lot(self, event: Event) -> str | None:
        """The source of all the format's random choices; null until the start."""
        return event.lot if event.started_at else None


class EntrantShape(serializers.ModelSerializer[Entrant]):
    event = Slug(source="event.slug")
    name = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    version = serializers.IntegerField(
        source="version.number", allow_null=True, help_text="That plays; null until the start."
    )
    place = serializers.SerializerMethodField()

    class Meta:
        model = Entrant
        fields = (
            *("id", "event", "bot", "name", "owner", "version", "seed", "sd"),
            *("status", "reason", "left_at", "place", "registered_at", "checked_in_at"),
        )

    def get_place(self, entrant: Entrant) -> int | None:
        """The final place, when all results are public."""
        public = not entrant.event.is_held_back or runs(self.context["viewer"], entrant.event.ladder.space_id)
        return entrant.place if public else None


class LineShape(serializers.Serializer[Any]):
    rank = serializers.IntegerField(
        allow_null=True, help_text="null: disqualified, or nothing that it played counts or is public yet."
    )
    entrant = serializers.IntegerField(source="entrant.pk")
    bot_id = serializers.IntegerField(source="entrant.bot_id")
    bot = serializers.CharField(source="entrant.bot.name")
    owner = serializers.CharField(source="entrant.bot.owner.username")
    version = serializers.IntegerField(source="entrant.version.number")
    points = serializers.FloatField(source="row.points", help_text="Shares of opponents beaten; a set counts one.")
    sets = serializers.IntegerField(source="row.sets")
    spared = serializers.IntegerField(
        source="row.spared",
        help_text="Byes and cancelled sets: each scores the mean of `sets`, half a point where there are none.",
    )
    marks = serializers.SerializerMethodField()
    needs = serializers.CharField(
        source="row.needs", help_text="What it still needs, if all sets to come are played and nobody leaves."
    )

    def get_marks(self, line: StandingsRow) -> dict[str, float | None]:
        """What orders the table, by name; null where there is nothing to compute it from."""
        return {name: mark if isfinite(mark) else None for name, mark in line.row.marks.items()}


class StageShape(serializers.Serializer[Any]):
    stage = serializers.CharField()
    title = serializers.CharField()
    rows = LineShape(source="lines", many=True)


class PairingShape(serializers.Serializer[Any]):
    pairing = serializers.CharField(source="pairing.key", help_text="stage/round/table/repetition")
    stage = serializers.CharField(source="pairing.stage")
    round = serializers.IntegerField(source="pairing.round")
    table = serializers.IntegerField(source="pairing.table")
    bots = serializers.ListField(source="pairing.entrants", child=serializers.IntegerField(), help_text="Their ids.")
    status = serializers.ChoiceField(MatchSet.Status.choices)
    matches = serializers.ListField(child=serializers.IntegerField(), help_text="Their ids, where they are public.")


class ByeShape(serializers.Serializer[Any]):
    stage = serializers.CharField()
    round = serializers.IntegerField()
    bot = serializers.IntegerField(source="entrant", help_text="Its id.")


class BracketSeatShape(serializers.Serializer[Any]):
    bot = serializers.IntegerField(source="entrant", allow_null=True, help_text="Its id; null until it is known.")
    table = serializers.IntegerField(
        help_text="Of the step before, from which it comes; 0: the seeding, or nobody comes."
    )
    place = serializers.IntegerField(help_text="The place there that it takes.")
    left = serializers.BooleanField(help_text="Whether it has left, and does not sit down there.")


class BracketTableShape(serializers.Serializer[Any]):
    step = serializers.IntegerField(help_text="Round of the bracket, from 1.")
    round = serializers.IntegerField(help_text="Round of the event in which it is played; 0: nothing was played in it.")
    table = serializers.IntegerField(source="number")
    kind = serializers.ChoiceField(
        ["match", "bye", "walkover", "empty", "third_place"],
        help_text="walkover: others have left, and who is there goes on; empty: nobody is there.",
    )
    seats = BracketSeatShape(many=True)


class PlanShape(serializers.Serializer[Any]):
    event = Slug(source="event.slug")
    round = serializers.IntegerField(source="plan.round", help_text="The last that was paired.")
    done = serializers.BooleanField(source="plan.done", help_text="Whether everything is played and public.")
    winners = serializers.ListField(
        source="plan.winners", child=serializers.IntegerField(), help_text="Bots, by id; empty until it is done."
    )
    stages = StageShape(source="standings", many=True)
    pairings = PairingShape(source="sets", many=True)
    byes = ByeShape(source="plan.byes", many=True)
    bracket = BracketTableShape(
        source="plan.bracket", many=True, help_text="A fixed bracket, from its first table to the final; else empty."
    )
