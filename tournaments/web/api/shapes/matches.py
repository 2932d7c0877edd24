"""Matches, seat by seat, and the proofs of their deals."""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.seeds import Proof
from tournaments.core.notices.headlines import headline_of
from tournaments.ledger.dispatch.open_sets import UNDER_WAY
from tournaments.models import Attempt, Bot, FaultEvidence, Match, MatchSet, Seat
from tournaments.web.api.shapes.shape import ForOwner
from tournaments.web.api.shapes.texts import VERDICTS, Digest, GameName, Slug

STORY = "Its headline, in the language of `Accept-Language`; null until there is one."


class SeatShape(serializers.ModelSerializer[Seat]):
    seat = serializers.IntegerField(source="number")
    bot_id = serializers.IntegerField(source="version.bot_id")
    bot = serializers.CharField(source="version.bot.name")
    owner = serializers.CharField(source="version.bot.owner.username")
    version_id = serializers.IntegerField()
    version = serializers.IntegerField(source="version.number")
    verdict = serializers.ChoiceField(VERDICTS, allow_blank=True, help_text="Empty until it is over.")

    class Meta:
        model = Seat
        fields: tuple[str, ...] = (
            *("seat", "bot_id", "bot", "owner", "version_id", "version"),
            *("score", "place", "verdict", "forfeited", "cpu_ms", "memory_mb"),
        )


class FaultShape(serializers.ModelSerializer[FaultEvidence]):
    verdict = serializers.ChoiceField(VERDICTS)

    class Meta:
        model = FaultEvidence
        fields = ("answer", "verdict", "detail", "asked", "given")


class SeatDetailShape(ForOwner, SeatShape):
    for_owner = ("faults", "stderr")

    faults = FaultShape(many=True, allow_null=True, help_text="Evidence; for the bot's owner, when the set is over.")
    stderr = serializers.CharField(allow_null=True, help_text="For the bot's owner, when the set is over.")

    class Meta(SeatShape.Meta):
        fields = (*SeatShape.Meta.fields, "faults", "stderr")

    def bots_of(self, instance: Seat) -> Iterable[Bot]:
        return (instance.version.bot,)

    def to_representation(self, instance: Seat) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if instance.match.set.status == MatchSet.Status.OPEN:  # a question may tell of a deal still played
            shown.update(dict.fromkeys(self.for_owner))
        return shown


class AttemptShape(ForOwner, serializers.ModelSerializer[Attempt]):
    for_owner = ("worker", "reason")

    worker = serializers.CharField(allow_null=True, help_text="For owners of bots in the match.")
    reason = serializers.CharField(allow_null=True, help_text="For owners of bots in the match.")
    lease = serializers.IntegerField(allow_null=True, help_text="Null while a worker may still report under it.")

    class Meta:
        model = Attempt
        fields = ("lease", "outcome", "sent_at", "ended_at", "worker", "reason")

    def to_representation(self, instance: Attempt) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if instance.outcome in UNDER_WAY:
            shown["lease"] = None
        return shown

    def bots_of(self, instance: Attempt) -> Iterable[Bot]:
        return (seat.version.bot for seat in instance.match.seats.all())


class MatchShape(serializers.ModelSerializer[Match]):
    ladder = Slug(source="set.ladder.slug", allow_null=True, help_text="Null for a version's check.")
    set = serializers.IntegerField(
        source="set.number", allow_null=True, help_text="The set's number in its ladder; null if it is unrated."
    )
    event = Slug(source="set.event.slug", allow_null=True, help_text="The event it belongs to.")
    pairing = serializers.CharField(source="set.pairing", help_text="In its event: stage/round/table/repetition.")
    kind = serializers.ChoiceField(
        MatchSet.Kind.choices, source="set.kind", help_text="What it was dealt for; only those of ladders are rated."
    )
    recorded_at = serializers.DateTimeField(source="result.recorded_at", allow_null=True)
    story = serializers.SerializerMethodField()
    seats = SeatShape(many=True)

    class Meta:
        model = Match
        fields: tuple[str, ...] = (
            *("id", "ladder", "set", "event", "pairing", "kind"),
            *("turn", "status", "created_at", "recorded_at", "story", "seats"),
        )

    @extend_schema_field(serializers.CharField(allow_null=True, help_text=STORY))
    def get_story(self, match: Match) -> str | None:
        return headline_of(match) or None if hasattr(match, "result") else None


class MatchDetailShape(MatchShape):
    game = GameName(source="set.game")
    rules = serializers.IntegerField(source="set.rules")
    options = serializers.DictField(source="set.options")
    set_status = serializers.ChoiceField(MatchSet.Status.choices, source="set.status")
    commitment = Digest(source="set.commitment", help_text="SHA-256 of the seed, public from the start.")
    seed = serializers.SerializerMethodField()
    anchor = Digest(
        source="set.chain.anchor", allow_null=True, help_text="The anchor of the chain that its deal is made from."
    )
    link = serializers.IntegerField(source="set.link", allow_null=True, help_text="The link's number in the chain.")
    beacon = serializers.CharField(source="set.beacon", help_text="What else the deal is made from.")
    digest = Digest(source="result.digest", allow_null=True, help_text="The digest of the replay as recorded.")
    rewritten = Digest(
        source="result.rewritten",
        allow_null=True,
        allow_blank=True,
        help_text="The file's own digest, if erased names were removed from it.",
    )
    seats = SeatDetailShape(many=True)
    attempts = AttemptShape(many=True)

    class Meta(MatchShape.Meta):
        fields = (
            *(
                "id",
                "ladder",
                "set",
                "event",
                "pairing",
                "kind",
                "turn",
                "status",
                "created_at",
                "recorded_at",
                "story",
            ),
            *("game", "rules", "options", "set_status", "commitment", "seed"),
            *("anchor", "link", "beacon", "digest", "rewritten", "seats", "attempts"),
        )

    def get_seed(self, match: Match) -> str | None:
        """Null until every match of the set is over."""
        return None if match.set.status == MatchSet.Status.OPEN else match.set.seed


class ProofShape(serializers.Serializer[Proof]):
    """The file for `python3 -m engine.verify`."""

    boardroom_proof = serializers.IntegerField()
    anchor = Digest(help_text="Of the chain, as the audit log announced it.")
    length = serializers.IntegerField(help_text="Of the chain.")
    number = serializers.IntegerField(help_text="Of the link; hashed so many times it is the anchor.")
    link = Digest()
    beacon = serializers.CharField(help_text="The digest of the replay that was recorded last when the set was dealt.")
