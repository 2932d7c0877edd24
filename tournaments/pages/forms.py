"""What people type, and how we say what would be right."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, UserCreationForm
from django.db.models import QuerySet

from engine.games import GAMES
from tournaments.errors import Refused
from tournaments.models import Ladder, User
from tournaments.pages.acting import sentence
from tournaments.pages.limits import count_sign_in


def bundle() -> forms.FileField:
    megabytes = settings.UPLOAD_BYTES >> 20
    return forms.FileField(
        label="File",
        max_length=100,
        help_text=f"One source file, a static executable or a .zip, at most {megabytes} MB. Drop it here or choose it.",
        error_messages={
            "required": "Choose a file: one source file such as bot.py, or a .zip.",
            "empty": "This file is empty. Choose the file or .zip that holds your bot.",
            "max_length": "The file's name is too long: at most 100 characters.",
        },
        widget=forms.FileInput(attrs={"accept": ".py,.zip", "data-bytes": settings.UPLOAD_BYTES}),
    )


def note() -> forms.CharField:
    return forms.CharField(
        required=False, max_length=200, help_text="What is new in this version. Everybody can read it."
    )


class VersionForm(forms.Form):
    """Another version of a bot that exists."""

    file = bundle()
    note = note()


class LadderField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Ladder) -> str:
        """With the game, where the title does not say it: a bot plays one game only."""
        return obj.title if obj.title == obj.game_title else f"{obj.title} ({obj.game_title})"


class BotForm(forms.Form):
    """A new bot, its first version, and the ladder to enter."""

    game = forms.ChoiceField(choices=[(game.name, game.title) for game in GAMES.values()])
    name = forms.CharField(
        max_length=40,
        help_text="What the standings will call it: 3 to 40 letters, digits, and single - _ . or spaces between them.",
    )
    file = bundle()
    note = note()
    ladder = LadderField(
        Ladder.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label="None yet",
        help_text="It is paired as soon as it has passed its check.",
        error_messages={"invalid_choice": "This ladder takes no entries. Choose one of the list."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ladder = self.fields["ladder"]
        assert isinstance(ladder, forms.ModelChoiceField)
        ladder.queryset = self.ladders()

    @staticmethod
    def ladders() -> QuerySet[Ladder]:
        return Ladder.objects.exclude(status=Ladder.Status.CLOSED).order_by("title")


class TokenForm(forms.Form):
    name = forms.CharField(max_length=60, help_text="Where you will use it, such as “laptop”.")


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": "No account has this name and password. Both are case-sensitive.",
        "inactive": "This account is closed.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"

    def clean(self) -> dict[str, Any]:
        """Count the try before the password is looked at."""
        assert self.request is not None
        try:
            count_sign_in(self.request, self.cleaned_data.get("username", ""))
        except Refused as refused:
            raise forms.ValidationError(sentence(refused), refused.code) from None
        return super().clean()


class SignUpForm(UserCreationForm):  # type: ignore[type-arg]
    username = forms.RegexField(
        r"\A[A-Za-z0-9][A-Za-z0-9_.-]*\Z",
        label="Name",
        max_length=30,
        help_text="Letters, digits, and _ . - ; at most 30. Everybody sees it beside your bots.",
        error_messages={"invalid": "Use letters, digits, and _ . - only, beginning with a letter or a digit."},
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    class Meta:
        model = User
        fields = ("username",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = "At least 8 characters, not a common word, not like your name."
        self.fields["password2"].label = "Password, once more"
        self.fields["password2"].help_text = ""

    def clean_username(self) -> str:
        """Names that differ in case only would pass for each other."""
        name = str(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError("Somebody has this name. Choose another.", "taken")
        return name
