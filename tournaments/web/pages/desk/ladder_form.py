"""The form of a new ladder: a field for each option of the game and each setting."""

import re
from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.forms.models import fields_for_model
from django.utils.text import slugify

from bots.rated_options import rated_margin, rated_options
from engine.game import AnyGame
from engine.games import GAMES
from engine.sentences import Sentence
from tournaments.ledger.acts.ladder_creation import FIRST, CreateLadder
from tournaments.models import Ladder, Space
from tournaments.models.ladders import RANGES
from tournaments.web.pages.desk import option_help
from tournaments.web.pages.desk.action_form import ActionForm, reason
from tournaments.web.pages.desk.dataclass_form import fields_of, label_of_setting, typed_record
from tournaments.web.pages.sentences import choices_now, say

CLOCK = ("division", "answer_ms", "bank_ms", "increment_ms", "start_ms")
LIMITS = tuple(name for name in RANGES if name not in CLOCK)
PAIRING = ("table_sizes", "owners_apart", "few_owners", "version_pause", "sets_wanted", "pace_seconds", "by_lot")
REST = ("strikes", "upload_mb", "margin", "prior_sd", "fit_prior", "live_delay", "data_licence")
HELP = {
    "owners_apart": Sentence("Bots of one owner, or of people of one team, never sit at one table."),
    "sets_wanted": Sentence("For each version at full speed; after that the pace below."),
    "pace_seconds": Sentence("One set every this many seconds, once all have played enough."),
    "strikes": Sentence("Faults in a match that forfeit it."),
    "table_sizes": Sentence("Numbers of players to mix, with commas between; empty: as the options say."),
    "division": Sentence("Fuel is exact and the same everywhere, but slower; only for bots in Python."),
}
SUGGESTED = 90  # more addresses than this are not tried


class Sizes(forms.CharField):
    """Whole numbers with commas between."""

    def to_python(self, value: Any) -> Any:
        words = [word for word in re.split(r"[\s,;]+", value or "") if word]
        if odd := [word for word in words if not word.isdecimal() or len(word) > 3]:
            raise forms.ValidationError(
                say("%(odd)s is not a number of players; write for example 3, 4.", odd=f"{odd[0]:.20}")
            )
        return [int(word) for word in words]


class Addressed(ActionForm):
    """A form with an address, which is made of the title if none is typed."""

    taken: ClassVar[QuerySet[Any]]

    def within(self) -> Space | None:
        """The space in which it is made."""
        return None

    def clean_slug(self) -> str:
        typed, title, space = str(self.cleaned_data["slug"]), str(self.cleaned_data.get("title", "")), self.within()
        named = f"{space.slug} {title}" if space else title
        return typed or suggested(named, lambda slug: self.taken.filter(slug=slug).exists())


class LadderForm(Addressed):
    action = CreateLadder
    game: ClassVar[AnyGame]
    taken = QuerySet(Ladder)
    space: ClassVar[Space | None]

    def within(self) -> Space | None:
        return self.space

    def given(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        named = {name: cleaned[name] for name in ("slug", "title")}
        chosen = typed_record(self.game.read_options({}), "options", cleaned)
        settings = {name: cleaned[name] for name in FIRST if name in self.fields}
        within = {"space": self.space.slug} if self.space else {}
        return {**named, "game": self.game.name, "options": chosen, "settings": settings, **within}

    def field_of(self, name: str, detail: str) -> str | None:
        if name == "slug_taken":
            return "slug"
        option = re.match(r"options\.([\w.]+)", detail)
        return super().field_of(f"options.{option[1]}" if option and name == "options" else name, detail)

    @property
    def groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Title, folded or not, fields: as the page shows them."""
        chosen = [name for name in self.fields if name.startswith("options.")]
        parts = (
            (Sentence("What it is"), "", ("title", "slug", "description")),
            (Sentence("The options of %(game)s", game=self.game.title), "", chosen),
            (Sentence("Time"), "", CLOCK),
            (Sentence("Pairing and results"), "folded", (*PAIRING, *REST)),
            (Sentence("Limits of each bot"), "folded", LIMITS),
            (Sentence("In the log"), "", ("reason",)),
        )
        return [(title, self._folded(fold, names), [self[name] for name in names]) for title, fold, names in parts]

    def _folded(self, fold: str, names: Any) -> str:
        return "open" if fold and any(self.errors.get(name) for name in names) else fold


def ladder_form_class(game: AnyGame, space: Space | None = None) -> type[LadderForm]:
    settings = {name: field for name, field in fields_for_model(Ladder, FIRST).items() if field and name != "anchor"}
    usual = Ladder(margin=rated_margin(game.name))
    for name, field in settings.items():
        field.label, field.initial = label_of_setting(name), getattr(usual, name)
        field.help_text = HELP.get(name, field.help_text)
        if isinstance(field, forms.ChoiceField):
            field.choices = choices_now(list(field.choices))  # type: ignore[arg-type]
    settings["table_sizes"] = Sizes(label="Table sizes", required=False, max_length=100, help_text=HELP["table_sizes"])
    settings["description"].widget = forms.Textarea({"rows": 3})
    settings["description"].help_text = Sentence("Markdown, without pictures.")
    options = fields_of(game.read_options(rated_options(game.name)), "options", option_help.about(game))
    fields = {**heading("ladders"), **options, **settings}
    return type("FormOfLadder", (LadderForm,), {"game": game, "space": space, **fields, "reason": reason()})


def heading(where: str) -> dict[str, forms.Field]:
    """Title and address, which is made of the title if none is typed."""
    about = Sentence(
        "In the address: /%(where)s/…/. Small letters, digits and hyphens; left empty, it is made of the title.",
        where=where,
    )
    return {
        "title": forms.CharField(max_length=80),
        "slug": forms.SlugField(label="Address", max_length=40, required=False, help_text=about),
    }


def suggested(title: str, is_taken: Callable[[str], bool]) -> str:
    """An address that is free."""
    base = slugify(title)[:36] or "untitled"
    names = (base, *(f"{base}-{number}" for number in range(2, SUGGESTED)))
    return next((name for name in names if not is_taken(name)), base)


def games_to_choose() -> list[AnyGame]:
    return list(GAMES.values())
