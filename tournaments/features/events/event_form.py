"""The form of an event. Its format is a field for each setting, or JSON for what fields cannot express."""

import json
import re
from typing import Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from bots.formats.settings import Spec
from bots.formats.validation import MOST_ENTRANTS
from engine.sentences import Sentence
from tournaments.core.accounts.spaces import organised_by
from tournaments.features.events.draft_actions import REGISTERING, CreateEvent, Drafting, EditEvent
from tournaments.features.events.presets import help_by_field
from tournaments.models import Event, Ladder, Space, User
from tournaments.models.events import LONGEST_CHECK_IN
from tournaments.web.pages.desk.action_form import moment_field, reason
from tournaments.web.pages.desk.dataclass_form import fields_of, typed_record
from tournaments.web.pages.desk.ladder_form import Addressed, heading
from tournaments.web.pages.forms import TextField
from tournaments.web.pages.sentences import say

CODES = {
    "slug_taken": "slug",
    "past_start": "starts_at",
    "ladder_closed": "ladder",
    "bad_table_size": "seats",
    "bad_check_in": "check_in_minutes",
    "uneven_bracket": "bracket",
    "too_many_rounds": "rounds",
    "unknown_panel": "panel",
}
SUCH = '{"t": "swiss", "rounds": 5}'
OF_THE_FIELD = ("too_few_entrants", "too_many_entrants", "too_many_sets")


class EventForm(Addressed):
    taken = QuerySet(Event)
    shape: ClassVar[Spec]  # the format whose settings are fields
    event: ClassVar[Event | None] = None  # that is edited

    def within(self) -> Space | None:
        chosen = self.data.get("ladder", "")
        return Space.objects.filter(ladders__slug=chosen).first()

    def clean_spec(self) -> dict[str, Any] | None:
        typed = self.cleaned_data["spec"].strip()
        try:
            spec = json.loads(typed) if typed else None
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(
                say("This is not JSON: %(error)s. An example: %(such)s.", error=error, such=SUCH)
            ) from None
        if spec is not None and not isinstance(spec, dict):
            raise forms.ValidationError(say("A format is an object, such as %(such)s.", such=SUCH))
        return spec

    def given(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        names = ("slug", "title", "ladder", "description", "starts_at", "staged", *REGISTERING)
        plain = {name: cleaned[name] for name in names}
        spec = cleaned["spec"] or typed_record(self.shape, "format", cleaned)
        values = {**plain, "format": spec, "previous": int(cleaned["previous"]) if cleaned["previous"] else None}
        return {**values, "event": self.event.pk} if self.event else values

    def field_of(self, name: str, detail: str) -> str | None:
        setting = re.match(r"format\.([\w.]+)", detail)
        if self.cleaned_data.get("spec") and (setting or name.startswith(("bad_", "too_many_rounds", "unknown_panel"))):
            return "spec"
        if setting and f"format.{setting[1]}" in self.fields:
            return f"format.{setting[1]}"
        if name in OF_THE_FIELD:
            return "expected"
        ending = CODES.get(name, name.removeprefix("bad_"))
        ends = [path for path in self.fields if path == ending or path.endswith(f".{ending}")]
        return ends[0] if ends else super().field_of(name, detail)

    @property
    def groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Title, folded or not, fields: as the page shows them."""
        chosen = [name for name in self.fields if name.startswith("format.")]
        parts = (
            (Sentence("What it is"), "", ["title", "slug", "ladder", "description"]),
            (Sentence("The format"), "", chosen),
            (Sentence("When, and what is shown"), "", ["starts_at", "staged", "previous", "expected"]),
            (Sentence("Who takes part"), "", [*REGISTERING]),
            (
                Sentence("The format as JSON"),
                "open" if self["spec"].value() or self.errors.get("spec") else "folded",
                ["spec"],
            ),
            *([(Sentence("In the log"), "", ["reason"])] if "reason" in self.fields else []),
        )
        return [(title, fold, [self[name] for name in names]) for title, fold, names in parts]


def event_form_class(spec: Spec, event: Event | None = None, *, by: User) -> type[EventForm]:
    """The form for a new draft, or for an event that is edited, with what that person organises."""
    chosen = fields_of(spec, "format", {})
    chosen = fields_of(spec, "format", help_by_field(chosen, spec))
    fields: dict[str, Any] = {**heading("events"), **_besides(by), **chosen, "spec": _raw()}
    if event:
        _fill(fields, event)
    if event and event.status != Event.Status.DRAFT:
        fields["reason"] = reason()
    action: type[Drafting] = EditEvent if event else CreateEvent
    others: QuerySet[Event] = QuerySet(Event).exclude(pk=event and event.pk)
    attributes = {"action": action, "shape": spec, "event": event, "taken": others}
    return type("FormOfEvent", (EventForm,), {**attributes, **fields})


def _besides(by: User) -> dict[str, forms.Field]:
    run = Ladder.objects.filter(organised_by(by))
    ladders = run.exclude(status=Ladder.Status.CLOSED).order_by("title").values_list("slug", "title")
    over = (
        Event.objects.filter(organised_by(by, "ladder__space"))
        .exclude(status=Event.Status.DRAFT)
        .order_by("-pk")
        .values_list("pk", "title")[:100]
    )
    soon = timezone.now().strftime("%Y-%m-%d")
    return {
        **_registering(soon),
        "ladder": forms.ChoiceField(
            choices=list(ladders),
            help_text="Its game, clock, limits and options apply. Its ratings give the seeding and do not change.",
        ),
        "description": TextField(
            required=False, max_length=5000, widget=forms.Textarea({"rows": 3}), help_text="Markdown, without pictures."
        ),
        "starts_at": moment_field(
            label="Starts at",
            required=False,
            such_as=f"{soon} 18:00",
            help_text="It starts automatically then. Empty: when you start it.",
        ),
        "staged": forms.BooleanField(
            label="Release results round by round",
            required=False,
            help_text="Until you release a round, only organisers see its results.",
        ),
        "previous": forms.ChoiceField(
            label="The season before",
            choices=[("", say("None, it is the first")), *over],
            required=False,
            help_text="Its page links to it.",
        ),
        "expected": forms.IntegerField(
            label="Entrants expected",
            initial=8,
            min_value=2,
            max_value=MOST_ENTRANTS,
            help_text="Only for the preview.",
        ),
    }


def _registering(day: str) -> dict[str, forms.Field]:
    return {
        "rules": TextField(
            label="Rules in addition to the format",
            required=False,
            max_length=5000,
            widget=forms.Textarea({"rows": 3}),
            help_text="Markdown, without pictures. They are shown on its page and where bots are registered.",
        ),
        "opens_at": moment_field(
            label="Registration opens at",
            required=False,
            such_as=f"{day} 08:00",
            help_text="Empty: when it is announced.",
        ),
        "closes_at": moment_field(
            label="Registration closes at", required=False, such_as=f"{day} 17:00", help_text="Empty: when it starts."
        ),
        "places": forms.IntegerField(
            required=False,
            min_value=2,
            max_value=MOST_ENTRANTS,
            help_text="Bots that can play. Later ones wait for a place. Empty: no limit.",
        ),
        "check_in_minutes": forms.IntegerField(
            label="Check-in, in minutes before the start",
            required=False,
            min_value=0,
            max_value=LONGEST_CHECK_IN,
            help_text="A bot that is not checked in is out, and the next on the waiting list plays. 0 or empty: none.",
        ),
        "invited_only": forms.BooleanField(
            label="For invited people only", required=False, help_text="You invite them by name, once it is announced."
        ),
    }


def _raw() -> forms.Field:
    about = Sentence("If you type a format here, it replaces the fields above.")
    return forms.CharField(
        label="Format", required=False, max_length=5000, help_text=about, widget=forms.Textarea({"rows": 3})
    )


def _fill(fields: dict[str, forms.Field], event: Event) -> None:
    for name in ("title", "slug", "description", "starts_at", "previous", *REGISTERING):
        fields[name].initial = getattr(event, f"{name}_id" if name == "previous" else name)
    if not any(event.ladder.slug == slug for slug, _ in fields["ladder"].choices):  # type: ignore[attr-defined]
        fields["ladder"].choices.append((event.ladder.slug, event.ladder.title))  # type: ignore[attr-defined]
    fields["ladder"].initial, fields["staged"].initial = event.ladder.slug, event.is_held_back
