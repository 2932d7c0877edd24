"""The editor's form."""

from datetime import UTC, datetime

from django import forms
from django.http import QueryDict
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy

from tournaments.core.errors import Refused
from tournaments.features.drafts.rules import FILENAME, MOST, NAME
from tournaments.features.practice.seats import python_samples
from tournaments.models import Draft, Ladder
from tournaments.web.pages.forms import BotForm, LadderField, TextField, note_field
from tournaments.web.pages.run_action import sentence

NEVER = datetime.min.replace(tzinfo=UTC)


class DraftForm(forms.Form):
    """All that is typed into the editor; what matters only when it is submitted need not be right before."""

    source = TextField(
        strip=False,
        required=False,
        max_length=MOST,
        label="Source",
        widget=forms.Textarea(
            attrs={"rows": 24, "spellcheck": "false", "autocapitalize": "none", "autocomplete": "off", "wrap": "off"}
        ),
        help_text="Tab indents. To leave the field by keyboard press Escape, then Tab.",
    )
    filename = forms.CharField(
        max_length=FILENAME,
        label="File name",
        help_text="Its ending says the language: bot.py, bot.js, bot.c and so on.",
        error_messages={"required": "Give the file a name, such as bot.py: its ending says the language."},
    )
    name = forms.CharField(
        max_length=NAME,
        required=False,
        label="Name of the bot",
        help_text="What the standings will call it: 3 to 40 letters, digits, and single - _ . or spaces between them.",
    )
    note = note_field()
    ladder = LadderField(
        Ladder.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=gettext_lazy("None yet"),
        help_text="It is paired as soon as it has passed its check.",
        error_messages={"invalid_choice": "This ladder takes no entries. Choose one from the list."},
    )
    against = forms.ChoiceField(required=False, label="Against")
    since = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def __init__(self, draft: Draft, data: QueryDict | None = None) -> None:
        first = {"source": draft.source, "filename": draft.filename, "name": draft.name}
        super().__init__(data, initial={**first, "since": draft.saved_at.isoformat()})
        against, ladder = self.fields["against"], self.fields["ladder"]
        assert isinstance(against, forms.ChoiceField)
        samples = python_samples(draft.game)
        against.choices = [(name, name) for name in sorted(samples, key=lambda name: (name != "random", name))]
        assert isinstance(ladder, forms.ModelChoiceField)
        ladder.queryset = BotForm.ladders(draft.owner).filter(game=draft.game)
        if draft.bot:
            self.fields["name"].disabled, self.fields["name"].help_text = True, "It becomes the next version of this."
            ladder.queryset = ladder.queryset.exclude(entries__bot=draft.bot)

    def clean_since(self) -> datetime | None:
        """Return when the page was loaded; NEVER for a text that is no time."""
        try:
            return parse_datetime(self.cleaned_data["since"])
        except ValueError:
            return NEVER

    def saved(self, draft: Draft) -> None:
        """Remember this as the last save."""
        self._counts_since(draft.saved_at.isoformat())

    def refuse(self, field: str, refused: Refused) -> None:
        """Show a refusal. What is typed stays; sent once more, it overwrites what somebody else saved meanwhile."""
        if refused.code == "changed_elsewhere":
            self._counts_since("")
        self.add_error(field, forms.ValidationError(sentence(refused), refused.code))

    def _counts_since(self, since: str) -> None:
        """Set it in a copy of the data, of the same kind: unpacked into a dict, each field would be a list."""
        typed = self.data.copy()  # type: ignore[attr-defined]
        typed["since"] = since
        self.data = typed

    def first_error(self) -> str:
        return next((str(error) for errors in self.errors.values() for error in errors), "")
