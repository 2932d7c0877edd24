"""What the API shows. What belongs to a bot's owner is null for everybody else but the organisers."""

from collections.abc import Iterable
from math import isfinite
from typing import Any

from rest_framework import serializers

from engine.seeds import Proof
from tournaments.courses import Line
from tournaments.formats.rules import rules_in_words
from tournaments.models import (
    ApiToken,
    Attempt,
    Bot,
    Entrant,
    Entry,
    Event,
    FaultEvidence,
    Ladder,
    Match,
    MatchSet,
    Seat,
    Trial,
    Version,
)
from tournaments.models.ladders import RANGES


class Problem(serializers.Serializer[Any]):
    """Every refusal."""

    code = serializers.CharField(help_text="Stable, in snake_case; for programs.")
    detail = serializers.CharField(help_text="What was wrong and what would be right; for people.")
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()), required=False, help_text="Sentences by field."
    )


def may_see(viewer: Any, bots: Iterable[Bot]) -> bool:
    """Organisers see what owners see; owners, what is about a bot of theirs."""
    return bool(viewer.is_staff) or any(bot.owner_id == viewer.pk for bot in bots)


class ForOwner(serializers.Serializer[Any]):
    """A shape some of whose fields only the owner of `bots_of` it may see."""

    for_owner: tuple[str, ...] = ()

    def bots_of(self, instance: Any) -> Iterable[Bot]:
        raise NotImplementedError

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if not may_see(self.context["viewer"], self.bots_of(instance)):
            shown.update(dict.fromkeys(self.for_owner))
        return shown


class TokenShape(serializers.ModelSerializer[ApiToken]):
    class Meta:
        model = ApiToken
        fields = ("id", "name", "created_at", "used_at", "expires_at", "reads_only")


class SecretShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    token = serializers.CharField(help_text="Shown this once. Send it as `Authorization: Token brd_...`.")


class BotShape(serializers.ModelSerializer[Bot]):
    owner = serializers.CharField(source="owner.username")
    active_version = serializers.IntegerField(allow_null=True, help_text="The number of the version that plays.")

    class Meta:
        model = Bot
        fields = ("id", "game", "name", "owner", "active_version", "gate", "created_at")


class TrialShape(serializers.ModelSerializer[Trial]):
    ladder = serializers.CharField(source="ladder.slug", help_text="Under whose settings it is played.")
    candidate = serializers.IntegerField(source="candidate.number", help_text="The number of the new version.")
    champion = serializers.IntegerField(source="champion.number")
    played = serializers.IntegerField(help_text="Sets.")
    score = serializers.FloatField(help_text="The candidate's mean share against the champion: 1 ahead, 0.5 level.")
    llr = serializers.FloatField(help_text="Log-likelihood ratio; above 2.94 it is stronger, below -2.94 it is not.")

    class Meta:
        model = Trial
        fields = (
            *("id", "ladder", "candidate", "champion", "status", "played", "score", "llr", "reason"),
            *("created_at", "ended_at"),
        )


class VersionShape(ForOwner, serializers.ModelSerializer[Version]):
    for_owner = ("report", "check_match")

    bundle = serializers.CharField(source="bundle.sha256", help_text="SHA-256 of the upload.")
    size = serializers.IntegerField(source="bundle.size", help_text="Bytes.")
    report = serializers.CharField(allow_null=True, help_text="Of the check; for the owner.")
    check_match = serializers.IntegerField(allow_null=True, help_text="The match of the check; for the owner.")

    class Meta:
        model = Version
        fields = ("id", "bot", "number", "status", "note", "bundle", "size", "created_at", "report", "check_match")

    def bots_of(self, instance: Version) -> Iterable[Bot]:
        return (instance.bot,)


class LadderShape(serializers.ModelSerializer[Ladder]):
    seats = serializers.IntegerField(help_text="How many play in a match.")
    sizes = serializers.ListField(child=serializers.IntegerField(), help_text="Of its tables, where they are mixed.")
    options = serializers.DictField(help_text="Of the game.")

    class Meta:
        model = Ladder
        fields = (
            *("slug", "title", "description", "game", "rules", "options", "seats", "sizes", "status", "margin"),
            *("division", *RANGES, "strikes"),
            *("owners_apart", "created_at"),
        )


class EntryShape(serializers.ModelSerializer[Entry]):
    ladder = serializers.CharField(source="ladder.slug")
    name = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    next_by = serializers.DateTimeField(allow_null=True, help_text="Promised: a rated match of it is over by then.")
    broken = serializers.IntegerField(help_text="Promises of that kind that were not kept.")
    no_promise = serializers.SerializerMethodField()

    class Meta:
        model = Entry
        fields = ("id", "ladder", "bot", "name", "owner", "status", "entered_at", "next_by", "broken", "no_promise")

    def get_no_promise(self, entry: Entry) -> str | None:
        """Why nothing is promised; null where something is, will be in a moment, or the bot does not play."""
        return entry.no_promise or None


class RequestShape(serializers.ModelSerializer[MatchSet]):
    ladder = serializers.CharField(source="ladder.slug", help_text="Under whose settings it is played.")
    bots = serializers.SerializerMethodField()
    matches = serializers.SerializerMethodField()

    class Meta:
        model = MatchSet
        fields = ("id", "ladder", "status", "reason", "bots", "matches", "created_at", "ended_at")

    def get_bots(self, asked: MatchSet) -> list[int]:
        """Their ids."""
        first = next(iter(asked.matches.all()))
        return sorted(seat.version.bot_id for seat in first.seats.all())

    def get_matches(self, asked: MatchSet) -> list[int]:
        """Their ids: GET /api/v1/matches/ID tells how each went."""
        return sorted(match.pk for match in asked.matches.all())


class StandingShape(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    rank_lo = serializers.IntegerField(help_text="The rank lies from here")
    rank_hi = serializers.IntegerField(help_text="to here with 95 %.")
    bot_id = serializers.IntegerField()
    bot = serializers.CharField()
    owner = serializers.CharField()
    version_id = serializers.IntegerField()
    version = serializers.IntegerField(help_text="The version's number.")
    elo = serializers.FloatField(help_text="The rating by all sets so far.")
    ci95 = serializers.FloatField(help_text="It lies from elo - ci95 to elo + ci95 with 95 %.")
    fitted = serializers.FloatField(allow_null=True, help_text="The rating by the last exact fit.")
    elo_classic = serializers.FloatField(help_text="By Elo's update after every set, in their order.")
    delta = serializers.FloatField(help_text="Classic Elo won or lost by the last set.")
    los_next = serializers.FloatField(allow_null=True, help_text="How likely it is better than the next line.")
    provisional = serializers.BooleanField(help_text="ci95 is more than 100.")
    comparable = serializers.BooleanField(help_text="Games connect it with the others.")
    matches_to_decide = serializers.IntegerField(allow_null=True, help_text="More, until its rank is 95 % sure.")
    sets = serializers.IntegerField()
    games = serializers.IntegerField()
    win_pct = serializers.FloatField(help_text="Shared wins count as their share.")
    place_mean = serializers.FloatField()
    crash_pct = serializers.FloatField(help_text="Matches that it forfeited.")
    status = serializers.ChoiceField(Entry.Status.choices)


class StandingsShape(serializers.Serializer[Any]):
    ladder = serializers.CharField()
    standings = StandingShape(many=True)


class OwnerShape(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    owner = serializers.CharField(source="name")
    elo = serializers.FloatField()
    ci95 = serializers.FloatField()
    games = serializers.DictField(child=serializers.FloatField(), help_text="The rating in each game it plays.")


class OverallShape(serializers.Serializer[Any]):
    ladders = serializers.ListField(child=serializers.CharField(), help_text="That count, one of each game.")
    standings = OwnerShape(many=True)


class SeatShape(serializers.ModelSerializer[Seat]):
    seat = serializers.IntegerField(source="number")
    bot_id = serializers.IntegerField(source="version.bot_id")
    bot = serializers.CharField(source="version.bot.name")
    owner = serializers.CharField(source="version.bot.owner.username")
    version_id = serializers.IntegerField()
    version = serializers.IntegerField(source="version.number")

    class Meta:
        model = Seat
        fields: tuple[str, ...] = (
            *("seat", "bot_id", "bot", "owner", "version_id", "version"),
            *("score", "place", "verdict", "forfeited", "cpu_ms", "memory_mb"),
        )


class FaultShape(serializers.ModelSerializer[FaultEvidence]):
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

    class Meta:
        model = Attempt
        fields = ("lease", "outcome", "sent_at", "ended_at", "worker", "reason")

    def bots_of(self, instance: Attempt) -> Iterable[Bot]:
        return (seat.version.bot for seat in instance.match.seats.all())


class MatchShape(serializers.ModelSerializer[Match]):
    ladder = serializers.CharField(source="set.ladder.slug", allow_null=True, help_text="Null for a version's check.")
    set = serializers.IntegerField(
        source="set.number", allow_null=True, help_text="The set's number in its ladder; null for one that is unrated."
    )
    event = serializers.CharField(source="set.event.slug", allow_null=True, help_text="The event it belongs to.")
    pairing = serializers.CharField(source="set.pairing", help_text="In its event: stage/round/table/repetition.")
    recorded_at = serializers.DateTimeField(source="result.recorded_at", allow_null=True)
    seats = SeatShape(many=True)

    class Meta:
        model = Match
        fields: tuple[str, ...] = (
            *("id", "ladder", "set", "event", "pairing"),
            *("turn", "status", "created_at", "recorded_at", "seats"),
        )


class MatchDetailShape(MatchShape):
    game = serializers.CharField(source="set.game")
    rules = serializers.IntegerField(source="set.rules")
    options = serializers.DictField(source="set.options")
    set_status = serializers.ChoiceField(MatchSet.Status.choices, source="set.status")
    commitment = serializers.CharField(source="set.commitment", help_text="SHA-256 of the seed, public from the start.")
    seed = serializers.SerializerMethodField()
    anchor = serializers.CharField(
        source="set.chain.anchor", allow_null=True, help_text="Of the chain that its deal is made from."
    )
    link = serializers.IntegerField(source="set.link", allow_null=True, help_text="The link's number in the chain.")
    beacon = serializers.CharField(source="set.beacon", help_text="What else the deal is made from.")
    digest = serializers.CharField(source="result.digest", allow_null=True, help_text="Of the replay.")
    seats = SeatDetailShape(many=True)
    attempts = AttemptShape(many=True)

    class Meta(MatchShape.Meta):
        fields = (
            *("id", "ladder", "set", "event", "pairing", "turn", "status", "created_at", "recorded_at"),
            *("game", "rules", "options", "set_status", "commitment", "seed"),
            *("anchor", "link", "beacon", "digest", "seats", "attempts"),
        )

    def get_seed(self, match: Match) -> str | None:
        """Null until every match of the set is over."""
        return None if match.set.status == MatchSet.Status.OPEN else match.set.seed


class ProofShape(serializers.Serializer[Proof]):
    """The file for `python -m engine.verify`."""

    boardroom_proof = serializers.IntegerField()
    anchor = serializers.CharField(help_text="Of the chain, as the audit log announced it.")
    length = serializers.IntegerField(help_text="Of the chain.")
    number = serializers.IntegerField(help_text="Of the link; hashed so many times it is the anchor.")
    link = serializers.CharField()
    beacon = serializers.CharField(help_text="The digest of the replay that was recorded last when the set was dealt.")


class EventShape(serializers.ModelSerializer[Event]):
    ladder = serializers.CharField(source="ladder.slug", help_text="Under whose settings it is played.")
    game = serializers.CharField(source="ladder.game")
    spec = serializers.DictField(help_text="Of the format, complete.")
    format = serializers.SerializerMethodField()
    organiser = serializers.CharField(source="organiser.username", allow_null=True)
    previous = serializers.CharField(source="previous.slug", allow_null=True, help_text="The season before.")
    entrants = serializers.IntegerField(source="entered", help_text="How many have registered.")
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
            *("reason", "entrants", "released", "lot", "starts_at", "created_at", "started_at", "ended_at"),
        )

    def get_format(self, event: Event) -> list[str]:
        """The rules of the format, in sentences."""
        return rules_in_words(event.format)

    def get_lot(self, event: Event) -> str | None:
        """All that the format draws, it draws from this; null until the start."""
        return event.lot if event.started_at else None


class EntrantShape(serializers.ModelSerializer[Entrant]):
    event = serializers.CharField(source="event.slug")
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
            *("status", "reason", "left_at", "place", "registered_at"),
        )

    def get_place(self, entrant: Entrant) -> int | None:
        """In the end, when all results are public."""
        public = entrant.event.released is None or self.context["viewer"].is_staff
        return entrant.place if public else None


class LineShape(serializers.Serializer[Any]):
    rank = serializers.IntegerField(source="row.rank")
    entrant = serializers.IntegerField(source="entrant.pk")
    bot_id = serializers.IntegerField(source="entrant.bot_id")
    bot = serializers.CharField(source="entrant.bot.name")
    owner = serializers.CharField(source="entrant.bot.owner.username")
    version = serializers.IntegerField(source="entrant.version.number")
    points = serializers.FloatField(source="row.points", help_text="Shares of opponents beaten, a set counts one.")
    sets = serializers.IntegerField(source="row.sets")
    marks = serializers.SerializerMethodField()
    needs = serializers.CharField(source="row.needs", help_text="What it still needs.")

    def get_marks(self, line: Line) -> dict[str, float | None]:
        """What orders the table, by name; null where there is nothing to reckon it from."""
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


class PlanShape(serializers.Serializer[Any]):
    event = serializers.CharField(source="event.slug")
    round = serializers.IntegerField(source="plan.round", help_text="The last that was paired.")
    done = serializers.BooleanField(source="plan.done", help_text="Whether all of it is played and public.")
    winners = serializers.ListField(
        source="plan.winners", child=serializers.IntegerField(), help_text="Bots, by id; empty until it is done."
    )
    stages = StageShape(source="standings", many=True)
    pairings = PairingShape(source="sets", many=True)
    byes = ByeShape(source="plan.byes", many=True)


class IndexShape(serializers.Serializer[Any]):
    user = serializers.CharField(allow_null=True, help_text="Who you are here; null for nobody in particular.")
    audit = serializers.URLField()
    bots = serializers.URLField()
    events = serializers.URLField()
    ladders = serializers.URLField()
    matches = serializers.URLField()
    tokens = serializers.URLField()
    schema = serializers.URLField()
    docs = serializers.URLField()
