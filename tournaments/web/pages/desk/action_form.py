"""The form of an action: its arguments and the reason. It carries what the preview showed."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms.models import fields_for_model
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop

from tournaments.audit import loggable_value
from tournaments.core.accounts.spaces import organised_by
from tournaments.core.config.time_zones import read_clock_time, zone_names
from tournaments.core.errors import Refused
from tournaments.ledger.acts.arguments import ActionPart, parts
from tournaments.ledger.acts.base import LONGEST_REASON, MARKDOWN, Action
from tournaments.ledger.acts.ladder_settings import SETTINGS, BadSetting, ChangeSettings
from tournaments.models import Ladder, Space, User, Worker
from tournaments.web.pages.desk.dataclass_form import label_of_setting
from tournaments.web.pages.forms import TextField
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import choices_now, in_page_language, say

WHEN = "%Y-%m-%d %H:%M"
BIGGEST_ID = 2**63 - 1
KEPT = {name.removeprefix("keep_") for name in vars(Space) if name.startswith("keep_")}  # what a space keeps, for days
ZONE = gettext_noop("An IANA name, such as Europe/Berlin.")
DAYS = gettext_noop("Days, 7 to 3650. Empty: as long as the site keeps it.")


class ActionForm(forms.Form):
    action: type[Action]

    def given(self) -> dict[str, Any]:
        """Return the arguments of the action."""
        return {part.name: self.cleaned_data.get(part.name) or None for part in parts(self.action)}

    def seen(self) -> str:
        """Return what a preview showed, as JSON; the form sends it back to confirm."""
        return json.dumps(loggable_value(self.given()), sort_keys=True)

    def blame(self, refused: Refused) -> None:
        """Show the refusal at the field that it is about, if there is one."""
        if isinstance(refused, BadSetting):
            for name, sentences in refused.fields.items():
                for each in sentences:
                    self.add_error(self.field_of(name, each), in_page_language(each))
        else:
            shortened = Refused(refused.code, in_page_language(refused.detail).removeprefix("format."))
            self.add_error(self.field_of(refused.code, refused.detail), sentence(shortened))

    def field_of(self, name: str, _detail: str) -> str | None:
        """Return the field that a setting's name or a refusal's code is about; None where there is none."""
        if name == "no_reason":
            return "reason"
        name = name.removeprefix("bad_")
        return name if name in self.fields else None


class SettingsForm(ActionForm):
    def given(self) -> dict[str, Any]:
        """Return the arguments of the action: of the settings only those that are to change."""
        ladder = Ladder.objects.get(slug=self.cleaned_data["ladder"])
        wanted = {name: self.cleaned_data[name] for name in SETTINGS}
        wanted["table_sizes"] = wanted["table_sizes"] or []
        known = settings_now(ladder)
        changed = {name: wanted[name] for name in SETTINGS if wanted[name] != known[name]}
        return {"ladder": ladder.slug, "settings": changed}


def form_class(action: type[Action], about: Mapping[str, Any], by: User) -> type[ActionForm]:
    fields: dict[str, Any] = {part.name: form_field(part, by) for part in parts(action) if part.kind is not Mapping}
    if action is ChangeSettings:
        fields |= settings_fields(ladders_organised_by(by).filter(slug=about.get("ladder", "")).first())
    base = SettingsForm if action is ChangeSettings else ActionForm
    if action.asks_why:
        fields["reason"] = reason()
    return type("FormOfAction", (base,), {"action": action, **fields})


def ladders_organised_by(person: User) -> QuerySet[Ladder]:
    return Ladder.objects.filter(organised_by(person))


def reason() -> forms.CharField:
    return TextField(
        label="Why",
        widget=forms.Textarea({"rows": 3}),
        max_length=LONGEST_REASON,
        required=False,
        help_text="Plain text, shown with the act, publicly and permanently.",
    )


def settings_now(ladder: Ladder) -> dict[str, Any]:
    return {**{name: getattr(ladder, name) for name in SETTINGS}, "anchor": ladder.anchor_id}


def settings_fields(ladder: Ladder | None) -> dict[str, forms.Field]:
    fields = {name: field for name, field in fields_for_model(Ladder, SETTINGS).items() if field}
    fields["anchor"] = forms.IntegerField(min_value=1, max_value=BIGGEST_ID, help_text="A version's id, held at 1000.")
    now = settings_now(ladder) if ladder else {}
    for name, field in fields.items():
        field.label, field.initial = label_of_setting(name), now.get(name)
        field.required = field.required and name != "anchor"
    fields["description"].widget = forms.Textarea({"rows": 3})
    fields["description"].help_text = MARKDOWN["help"]
    fields["table_sizes"].widget = forms.TextInput()
    return fields


class TimeZoneInput(forms.TextInput):
    """A line in which the browser suggests the names of time zones."""

    template_name = "django/forms/widgets/time_zone.html"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        return super().get_context(name, value, {**(attrs or {}), "list": "time-zones"}) | {"zones": zone_names()}


class NumbersField(forms.CharField):
    """Whole numbers with commas between."""

    def to_python(self, value: Any) -> Any:
        text = str(super().to_python(value))
        words = re.split(r"\s*[,;\s]\s*", text) if text else []
        if odd := [word for word in words if not re.fullmatch(r"-?[0-9]{1,9}", word)]:
            raise forms.ValidationError(
                say("%(odd)s is not a whole number; write for example 3, 10.", odd=f"{odd[0]!r:.24}")
            )
        return [int(word) for word in words]


class ClockTimeField(forms.Field):
    """A time by the clock of the place that the action knows, or with an offset."""

    def __init__(self, **more: Any) -> None:
        such_as = gettext("By the clock of the ladder’s time zone, such as 2026-05-31 14:00.")
        super().__init__(widget=forms.TextInput, help_text=such_as, **more)

    def to_python(self, value: Any) -> datetime | None:
        text = " ".join(str(value or "").split())
        moment = read_clock_time(text)
        if text and moment is None:
            example = "2026-05-31 14:00"
            raise forms.ValidationError(say("Write the date and the time like this: %(example)s", example=example))
        return moment


def moment_field(*, such_as: str, **more: Any) -> forms.DateTimeField:
    """Return a field in UTC; a script takes it in the zone where one is, and says so in the place of the help."""
    about = more.pop("help_text", "")
    told = format_html(gettext("<span data-zone-here>In UTC, such as {}</span>. {}"), such_as, about and gettext(about))
    return forms.DateTimeField(widget=forms.DateTimeInput({"data-utc": True}, WHEN), help_text=told, **more)


def form_field(part: ActionPart, by: User) -> forms.Field:
    required = not part.optional
    if part.kind is list:
        return NumbersField(max_length=5000, required=required, help_text="Whole numbers, such as 3, 10.")
    if part.by_clock:
        return ClockTimeField(required=required)
    if part.kind is datetime:
        return moment_field(required=required, such_as="2026-05-31 14:00")
    if part.kind in (Ladder, Worker):  # there are few
        rows = ladders_organised_by(by) if part.kind is Ladder else Worker.objects.all()
        names = [(name, name) for name in rows.order_by("pk").values_list(part.called_by, flat=True)]
        nothing = ("", gettext("Choose one") if required else gettext("Not specified"))
        return forms.ChoiceField(choices=[nothing, *names], required=required)
    if part.kind is int:
        about = DAYS if part.name in KEPT else ""
        return forms.IntegerField(min_value=part.least, max_value=BIGGEST_ID, required=required, help_text=about)
    if part.called_by in ("id", "number"):
        help_text = gettext_noop("Its number in the log.") if part.called_by == "number" else gettext_noop("Its id.")
        return forms.IntegerField(min_value=1, max_value=BIGGEST_ID, required=required, help_text=help_text)
    if part.name == "time_zone":
        return forms.CharField(max_length=60, required=required, help_text=ZONE, widget=TimeZoneInput)
    if part.choices:
        return forms.ChoiceField(choices=choices_now([("", "Choose one"), *part.choices]), required=required)
    kind = TextField if part.lines and not part.called_by else forms.CharField
    return kind(max_length=2000, required=required, help_text=part.help)
