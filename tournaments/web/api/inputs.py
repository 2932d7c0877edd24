"""What the API takes: bodies and query strings, strictly. Unknown names and wrong types are refused."""

from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.records import show
from tournaments.core.accounts.api_tokens import DAYS, MOST_DAYS
from tournaments.core.config.time_zones import read_clock_time
from tournaments.core.errors import Refused
from tournaments.ledger.competitors.about_texts import LONGEST, LONGEST_MOTTO
from tournaments.models import Bot, Event, Match
from tournaments.web.api.shapes.texts import GAME_NAMES, SLUG, GameName

MOST_A_PAGE = 200
NOTE = "What is new; for those who run the bot, and organisers."
BIGGEST_ID = 2**63 - 1


class Form(serializers.Serializer[Any]):
    def takes(self) -> str:
        """Return which fields it takes, the end of a sentence."""
        return f" with {', '.join(self.fields)}" if self.fields else " without fields"

    def to_internal_value(self, data: Any) -> Any:
        if hasattr(data, "keys") and (unknown := sorted(set(data.keys()) - set(self.fields))):
            taken = ", ".join(self.fields) or "none"
            raise serializers.ValidationError({name: [f"Unknown field; this takes {taken}."] for name in unknown})
        return super().to_internal_value(data)


class Changes(Form):
    """Any of its fields, and at least one."""

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if not given:
            raise serializers.ValidationError(f"Say what to change: {', '.join(self.fields)}.")
        return given


class Text(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError(f"Must be a text, not {show(data)}.")
        return str(super().to_internal_value(data))


@extend_schema_field({"type": "string", "pattern": SLUG})
class SlugText(Text):
    """What has another form names nothing, and is refused as unknown."""


@extend_schema_field({"type": "string", "pattern": f"^({'|'.join(GAME_NAMES)})$"})
class GameText(Text):
    """Likewise."""


class Number(serializers.IntegerField):
    """An id in a JSON body: a number there, not its digits in a text."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            raise serializers.ValidationError(f"Must be a whole number, not {show(data)}.")
        return int(super().to_internal_value(data))


class ClockTime(serializers.DateTimeField):
    """A time as it is given, with an offset or without one."""

    def to_internal_value(self, value: Any) -> datetime:
        moment = read_clock_time(value) if isinstance(value, str) else None
        if moment is None:
            raise serializers.ValidationError(f"Must be a date and a time such as 2026-05-31T14:00, not {show(value)}.")
        return moment


class Choice(serializers.BooleanField):
    """True or false in a JSON body, and no word for them."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            raise serializers.ValidationError(f"Must be true or false, not {show(data)}.")
        return data


class PageSize(serializers.IntegerField):
    def run_validation(self, data: Any = serializers.empty) -> int:
        try:
            return int(super().run_validation(data))
        except serializers.ValidationError:
            detail = f"page_size must be a whole number from 1 to {MOST_A_PAGE}, not {show(data)}."
            raise Refused("bad_page_size", detail) from None


class PageQuery(Form):
    """Lists are newest first. `next` of a page is the address of the one after it."""

    before = serializers.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID, help_text="Only ids below it.")
    page_size = PageSize(default=50, min_value=1, max_value=MOST_A_PAGE)


class BotQuery(PageQuery):
    owner = Text(required=False, help_text="A user name.")
    game = GameName(required=False)
    name = Text(required=False, help_text="The bot's whole name, in any case of letters.")
    house = serializers.BooleanField(required=False, help_text="false: without the house's own bots.")


class MovesQuery(Form):
    bot = serializers.IntegerField(min_value=1, max_value=BIGGEST_ID, help_text="A bot's id.")


class MatchQuery(PageQuery):
    ladder = SlugText(required=False, help_text="A ladder's slug.")
    event = SlugText(required=False, help_text="An event's slug.")
    bot = serializers.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID, help_text="A bot's id.")
    version = serializers.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID, help_text="A version's id.")
    status = serializers.ChoiceField(Match.Status.choices, required=False)
    since = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=BIGGEST_ID,
        help_text="Only ids above it, the lowest first; a match appears there a minute after it was dealt.",
    )
    created_after = serializers.DateTimeField(required=False, help_text="Dealt at this time or later.")
    created_before = serializers.DateTimeField(required=False, help_text="Dealt before it.")
    recorded_after = serializers.DateTimeField(required=False, help_text="Its result came at this time or later.")
    recorded_before = serializers.DateTimeField(required=False, help_text="Its result came before it.")

    def validate(self, query: dict[str, Any]) -> dict[str, Any]:
        if "since" in query and "before" in query:
            raise serializers.ValidationError("Give since or before, not both.")
        return query


class EventQuery(PageQuery):
    status = serializers.ChoiceField(Event.Status.choices, required=False)


class ArchiveQuery(PageQuery):
    space = Text(required=False, help_text="The slug of a space: only what is in it.")


class SeasonQuery(Form):
    replays = serializers.BooleanField(required=False, default=False, help_text="With every match, answer by answer.")


class BotBody(Form):
    game = GameText()
    name = Text(help_text="3 to 40 letters, digits, and single - _ . or spaces between them.")
    space = SlugText(required=False, help_text="The slug of the bot's space; by default the site.")


class AboutBody(Form):
    about = Text(allow_blank=True, max_length=LONGEST, help_text="Plain text; everybody can read it.")


class BotChangesBody(Changes):
    gate = serializers.ChoiceField(
        Bot.Gate.choices, required=False, help_text="What a new version must do before it plays."
    )
    gate_test = serializers.ChoiceField(
        Bot.GateTest.choices, required=False, help_text="The test it must pass; by default unchanged."
    )
    about = Text(required=False, allow_blank=True, max_length=LONGEST, help_text="Plain text; everybody can read it.")
    motto = Text(required=False, allow_blank=True, max_length=LONGEST_MOTTO, help_text="A line that everybody reads.")
    colours = serializers.ListField(
        child=Text(), required=False, max_length=2, help_text="Of its emblem: two such as #17324d, or none of its own."
    )
    team = Number(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=BIGGEST_ID,
        help_text="The id of a team of yours that runs it with you; null: only you. For its owner.",
    )


class UploadBody(Form):
    bundle = serializers.FileField(allow_empty_file=True, max_length=100, help_text="One .py file, or a zip.")
    note = Text(default="", allow_blank=True, max_length=200, help_text=NOTE)


class RawUploadQuery(Form):
    """For a body that is the file itself."""

    filename = Text(default="", max_length=100, help_text="If given, its ending must fit: .py or .zip.")
    note = Text(default="", allow_blank=True, max_length=200, help_text=NOTE)


class EntryBody(Form):
    bot = Number(min_value=1, max_value=BIGGEST_ID, help_text="The id of one of your bots.")


class RequestBody(Form):
    bot = Number(min_value=1, max_value=BIGGEST_ID, help_text="The id of one of your bots.")
    against = serializers.ListField(
        child=Number(min_value=1, max_value=BIGGEST_ID),
        min_length=1,
        max_length=7,
        help_text="Ids of bots that play in the ladder, one for each other seat of a table.",
    )


class SeriesBody(RequestBody):
    sets = Number(default=1, min_value=1, max_value=BIGGEST_ID, help_text="How many sets, at the same table.")


class TokenBody(Form):
    username = Text(max_length=150)
    password = Text(max_length=1024, trim_whitespace=False)
    code = Text(
        default="", max_length=40, help_text="If you have a second factor: the authenticator's, or a recovery code."
    )
    name = Text(max_length=60, help_text="A name by which you recognise the token.")
    days = Number(default=DAYS, min_value=1, max_value=MOST_DAYS, help_text="How long it is valid.")
    reads_only = Choice(default=False, help_text="Whether it may only read.")


class SomebodyBody(Form):
    user = Text(max_length=150, help_text="Somebody's name.")


class EmptyBody(Form):
    """Nothing is said."""
