"""Ladders, who plays there, and the standings."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import Entry, FinalRun, Ladder, MatchSet
from tournaments.models.ladders import RANGES
from tournaments.web.api.shapes.texts import Digest, Slug


class BorderShape(serializers.Serializer[Any]):
    after = serializers.IntegerField(help_text="The border is after this place.")
    decided = serializers.BooleanField(help_text="Whether the order of all pairs across it is known with 95 %.")
    above = serializers.IntegerField(allow_null=True, help_text="The least certain of its pairs, by their places: this")
    below = serializers.IntegerField(allow_null=True, help_text="and this; null if nobody is below.")
    likely = serializers.FloatField(
        allow_null=True, help_text="The probability that the upper one is better; null: not connected."
    )
    pairs = serializers.IntegerField(help_text="Pairs that are undecided.")
    first = serializers.IntegerField(allow_null=True, help_text="The bots concerned have places from here")
    last = serializers.IntegerField(allow_null=True, help_text="to here.")


class FinalRunShape(serializers.ModelSerializer[FinalRun]):
    borders = serializers.ListField(child=serializers.IntegerField(), help_text="Places, with a border after each.")
    sets = serializers.IntegerField(help_text="Dealt so far.")
    judged = BorderShape(many=True, help_text="The borders, as last checked.")
    waits = serializers.CharField(help_text="Why nothing is dealt now, if something will be.")
    act = serializers.IntegerField(source="act.number", help_text="The number of the act in the log that began it.")

    class Meta:
        model = FinalRun
        fields = ("state", "borders", "sets_at_most", "sets", "judged", "waits", "act", "started_at", "ended_at")


class LadderShape(serializers.ModelSerializer[Ladder]):
    seats = serializers.IntegerField(help_text="How many play in a match.")
    sizes = serializers.ListField(
        child=serializers.IntegerField(), help_text="The sizes of its tables, if they are mixed."
    )
    options = serializers.DictField(help_text="Of the game.")
    final_after = serializers.IntegerField(
        allow_null=True, help_text="Sets with higher numbers make the final table; null: it was not frozen."
    )
    final_run = serializers.SerializerMethodField()

    class Meta:
        model = Ladder
        fields = (
            *("slug", "title", "description", "game", "rules", "options", "seats", "sizes", "status", "margin"),
            *("division", *RANGES, "strikes", "upload_mb"),
            *(
                "owners_apart",
                "few_owners",
                "version_pause",
                "by_lot",
                "prior_sd",
                "fit_prior",
                "scale",
                "fitted_after",
                "final_after",
                "created_at",
            ),
            *("data_licence", "final_run"),
        )

    @extend_schema_field(FinalRunShape(allow_null=True))
    def get_final_run(self, ladder: Ladder) -> Any:
        """The latest; null if there was none."""
        latest = max(ladder.final_runs.all(), key=lambda run: run.pk, default=None)
        return latest and FinalRunShape(latest, context=self.context).data


class EntryShape(serializers.ModelSerializer[Entry]):
    ladder = Slug(source="ladder.slug")
    name = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    next_by = serializers.DateTimeField(allow_null=True, help_text="Promised: a rated match of it is over by then.")
    broken = serializers.IntegerField(help_text="Such promises that were not kept.")
    no_promise = serializers.SerializerMethodField()

    class Meta:
        model = Entry
        fields = ("id", "ladder", "bot", "name", "owner", "status", "entered_at", "next_by", "broken", "no_promise")

    def get_no_promise(self, entry: Entry) -> str | None:
        """Why nothing is promised; null if there is a promise, will be in a moment, or the bot does not play."""
        return entry.no_promise or None


class RequestShape(serializers.ModelSerializer[MatchSet]):
    ladder = Slug(source="ladder.slug", help_text="Under whose settings it is played.")
    bots = serializers.SerializerMethodField()
    matches = serializers.SerializerMethodField()

    class Meta:
        model = MatchSet
        fields = ("id", "ladder", "status", "reason", "bots", "matches", "created_at", "ended_at")

    def get_bots(self, friendly: MatchSet) -> list[int]:
        """Their ids."""
        first = next(iter(friendly.matches.all()))
        return sorted(seat.version.bot_id for seat in first.seats.all())

    def get_matches(self, friendly: MatchSet) -> list[int]:
        """Their ids: GET /api/v1/matches/ID has the result of each."""
        return sorted(match.pk for match in friendly.matches.all())


class StandingShape(serializers.Serializer[Any]):
    rank = serializers.IntegerField(
        allow_null=True, help_text="By Elo; null while it is provisional, owes sets or is a double."
    )
    rank_lo = serializers.IntegerField(help_text="Its rank, or its place while it has no rank, lies from here")
    rank_hi = serializers.IntegerField(help_text="to here with 95 %.")
    all_lo = serializers.IntegerField(help_text="The ranks of all in the table lie from here")
    all_hi = serializers.IntegerField(help_text="to here, every one of them, with 95 %.")
    bot_id = serializers.IntegerField()
    bot = serializers.CharField()
    house = serializers.CharField(help_text="The character or sample that it is, of the house's own bots; else empty.")
    league = serializers.CharField(help_text="By the characters that it beats with confidence; empty without one.")
    owner = serializers.CharField()
    version_id = serializers.IntegerField()
    version = serializers.IntegerField(help_text="The version's number.")
    elo = serializers.FloatField(help_text="The rating from all sets so far.")
    ci95 = serializers.FloatField(help_text="elo - ci95 to elo + ci95 holds it with 95 %, relative to the mean.")
    anchor = serializers.BooleanField(
        help_text="elo is held at 1000; its ci95 is the error of its distance to the rest."
    )
    fitted = serializers.FloatField(allow_null=True, help_text="The rating from the last exact fit.")
    elo_classic = serializers.FloatField(help_text="By Elo's update after every set, in their order.")
    delta = serializers.FloatField(help_text="Of elo_classic, by the last set; not of elo.")
    los_next = serializers.FloatField(
        allow_null=True, help_text="The probability that it is better than the next line."
    )
    provisional = serializers.BooleanField(help_text="ci95 is more than 100, without the pull of the prior.")
    comparable = serializers.BooleanField(help_text="Games connect it with the others.")
    matches_to_decide = serializers.IntegerField(
        allow_null=True, help_text="How many more matches until its rank is 95 % sure."
    )
    sets = serializers.IntegerField()
    games = serializers.IntegerField()
    win_pct = serializers.FloatField(help_text="Shared wins count as their share.")
    place_mean = serializers.FloatField()
    crash_pct = serializers.FloatField(help_text="Matches that it forfeited.")
    status = serializers.ChoiceField(Entry.Status.choices)
    to_rank = serializers.IntegerField(help_text="Sets that it owes until it has a rank, because it was away.")
    plays_as = serializers.CharField(help_text="The bot of the same side of which it is a double, without a rank.")


class ShadowLineShape(serializers.Serializer[Any]):
    version_id = serializers.IntegerField()
    elo = serializers.FloatField()
    ci95 = serializers.FloatField()


class ShadowShape(serializers.Serializer[Any]):
    value = serializers.CharField(help_text="The value by which luck is measured")
    hash = Digest(help_text="and its hash.")
    sets = serializers.IntegerField(help_text="Sets used.")
    phi = serializers.FloatField(help_text="The luck that is left in a set.")
    lines = ShadowLineShape(many=True, help_text="By version, also those that play no more.")


class LeftShape(serializers.Serializer[Any]):
    bot_id = serializers.IntegerField()
    bot = serializers.CharField()
    owner = serializers.CharField()
    version_id = serializers.IntegerField()
    version = serializers.IntegerField(help_text="The version's number.")
    elo = serializers.FloatField(help_text="The rating with which it would continue.")
    ci95 = serializers.FloatField()
    sets = serializers.IntegerField()
    games = serializers.IntegerField()


class StandingsShape(serializers.Serializer[Any]):
    ladder = Slug()
    standings = StandingShape(many=True)
    left = LeftShape(many=True, help_text="Bots that have left, without a rank.")
    shadow = ShadowShape(allow_null=True, help_text="Ratings without the luck of the dice; only for display.")


class MoveShape(serializers.Serializer[Any]):
    """`before` and all parts are `after`, to the tenth."""

    began_at = serializers.DateTimeField(help_text="The beginning of the day, in UTC.")
    made_at = serializers.DateTimeField(help_text="The rating at that time.")
    version = serializers.IntegerField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    own = serializers.FloatField(help_text="By its own sets, opponents as they stood.")
    prior = serializers.FloatField(help_text="Taken back of that by the pull to the mean, or to its other versions.")
    opponents = serializers.FloatField(help_text="Because opponents are rated again.")
    versions = serializers.FloatField(help_text="Because its other versions are rated again.")
    scale = serializers.FloatField(help_text="Because the anchors shifted the mean.")
    floor = serializers.FloatField(help_text="Because it is shown at no less than before a set that it won.")
    sets = serializers.IntegerField(help_text="The number of its own new sets; negative if sets were voided.")


class MovesShape(serializers.Serializer[Any]):
    ladder = Slug()
    bot = serializers.IntegerField()
    moves = MoveShape(many=True, help_text="The latest day first.")
