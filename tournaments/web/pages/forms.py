"""Forms for bots and versions, and fields that other forms share."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from engine.games import GAMES
from tournaments.core.accounts.names import normalized_name
from tournaments.core.accounts.spaces import joined_by
from tournaments.ledger.competitors.upload_sizes import largest_upload
from tournaments.ledger.ladders.fielded import FIXED
from tournaments.models import Ladder, User
from tournaments.web.pages.sentences import say

FILE = gettext_noop("One source file, a static executable or a .zip.")


class TextField(forms.CharField):
    """Text of several lines. A line end counts as one character, where browsers send two."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n").replace("\r", "\n")


class NameField(forms.CharField):
    """A name in any script, in one spelling of what looks the same."""

    def to_python(self, value: Any) -> str:
        return normalized_name(str(super().to_python(value)))


def bundle_field() -> forms.FileField:
    """Return the field for the file of a bot; `say_most` tells what it may have at most."""
    return forms.FileField(
        label="File",
        max_length=100,
        help_text=FILE,
        error_messages={
            "required": "Choose a file: one source file such as bot.py, or a .zip.",
            "empty": "This file is empty. Choose the file or .zip that holds your bot.",
            "max_length": "The file's name is too long: at most 100 characters.",
        },
        widget=forms.FileInput,  # of any ending: programs have none
    )


def say_most(field: forms.Field, megabytes: int) -> None:
    field.help_text = say(
        "%(file)s, at most %(megabytes)s MB. Drop it here or choose it.",
        file=gettext(FILE)[:-1],
        megabytes=megabytes,
    )
    field.widget.attrs["data-bytes"] = megabytes << 20


def note_field() -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=200,
        help_text="What is new in this version. Only those who run the bot and organisers can read it.",
    )


class VersionForm(forms.Form):
    """Another version of a bot that exists."""

    file = bundle_field()
    note = note_field()

    def __init__(self, *args: Any, megabytes: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_most(self.fields["file"], megabytes)


class LadderChoice(forms.Select):
    """Each says its game, by which the page chooses."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        if ladder := getattr(value, "instance", None):
            option["attrs"]["data-game"] = ladder.game
        return option


class LadderField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Ladder) -> str:
        """Return the title, with the game where the title does not say it: a bot plays one game only."""
        return obj.title if obj.title == obj.game_title else f"{obj.title} ({obj.game_title})"


class BotForm(forms.Form):
    """A new bot, its first version, and the ladder to enter."""

    game = forms.ChoiceField(choices=[(game.name, game.title) for game in GAMES.values()])
    name = NameField(
        max_length=40,
        help_text="What the standings will call it: 3 to 40 letters, digits, and single - _ . or spaces between them.",
    )
    file = bundle_field()
    note = note_field()
    ladder = LadderField(
        Ladder.objects.none(),
        to_field_name="slug",
        required=False,
        widget=LadderChoice,
        empty_label=gettext_lazy("None yet"),
        help_text="It is paired as soon as it has passed its check.",
        error_messages={"invalid_choice": "This ladder takes no entries. Choose one from the list."},
    )

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ladder = self.fields["ladder"]
        assert isinstance(ladder, forms.ModelChoiceField)
        ladder.queryset = self.ladders(by)
        say_most(self.fields["file"], largest_upload())

    @staticmethod
    def ladders(by: User) -> QuerySet[Ladder]:
        """That take entries of theirs."""
        return Ladder.objects.filter(joined_by(by)).exclude(status__in=FIXED).order_by("title")
