"""The organisers' desk: one page of the admin for every act. It shows what the act would change before it does it."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.forms.models import fields_for_model
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from tournaments.acts import DEEDS, ChangeSettings, Deed, Effect
from tournaments.acts.deeds import LONGEST_REASON
from tournaments.acts.parts import Part, described, parts
from tournaments.acts.terms import SETTINGS
from tournaments.audit import plain
from tournaments.errors import Refused
from tournaments.models import Act, Ladder, Worker
from tournaments.pages.acting import sentence
from tournaments.pages.roles import signed_in

BIGGEST_ID = 2**63 - 1


class Paper(forms.Form):
    """The form of an act: what it is about, and why."""

    deed: type[Deed]

    def given(self) -> dict[str, Any]:
        return {part.name: self.cleaned_data.get(part.name) or None for part in parts(self.deed)}

    def seen(self) -> str:
        """What a preview was of: comes back with the order to do it."""
        return json.dumps(plain(self.given()), sort_keys=True)


class SettingsPaper(Paper):
    def given(self) -> dict[str, Any]:
        """Only the settings that are to change."""
        ladder = Ladder.objects.get(slug=self.cleaned_data["ladder"])
        wanted = {name: self.cleaned_data[name] for name in SETTINGS}
        wanted["table_sizes"] = wanted["table_sizes"] or []
        known = settings_now(ladder)
        changed = {name: wanted[name] for name in SETTINGS if wanted[name] != known[name]}
        return {"ladder": ladder.slug, "settings": changed}


def paper_of(deed: type[Deed], about: Mapping[str, Any]) -> type[Paper]:
    fields: dict[str, Any] = {part.name: field_of(part) for part in parts(deed) if part.kind is not Mapping}
    if deed is ChangeSettings:
        fields |= settings_fields(Ladder.objects.filter(slug=about.get("ladder", "")).first())
    fields["reason"] = forms.CharField(
        label="Why",
        widget=forms.Textarea,
        max_length=LONGEST_REASON,
        required=False,
        help_text="Shown with the act, to everybody and for good.",
    )
    base = SettingsPaper if deed is ChangeSettings else Paper
    return type("PaperOfAct", (base,), {"deed": deed, **fields})


def settings_now(ladder: Ladder) -> dict[str, Any]:
    return {**{name: getattr(ladder, name) for name in SETTINGS}, "anchor": ladder.anchor_id}


def settings_fields(ladder: Ladder | None) -> dict[str, forms.Field]:
    fields = {name: field for name, field in fields_for_model(Ladder, SETTINGS).items() if field}
    fields["anchor"] = forms.IntegerField(min_value=1, max_value=BIGGEST_ID, help_text="A version's id, held at 1000.")
    now = settings_now(ladder) if ladder else {}
    for name, field in fields.items():
        field.required, field.initial = field.required and name != "anchor", now.get(name)
    return fields


def field_of(part: Part) -> forms.Field:
    required = not part.optional
    if part.kind is datetime:
        return forms.DateTimeField(required=required, help_text="In UTC, such as 2026-05-31 14:00.")
    if part.kind in (Ladder, Worker):  # there are few
        rows: QuerySet[Any] = QuerySet(part.kind).order_by("pk")
        names = [(name, name) for name in rows.values_list(part.called_by, flat=True)]
        nothing = ("", "Choose one" if required else "None in particular")
        return forms.ChoiceField(choices=[nothing, *names], required=required)
    if part.called_by in ("id", "number"):
        help_text = "Its number in the log." if part.called_by == "number" else "Its id."
        return forms.IntegerField(min_value=1, max_value=BIGGEST_ID, required=required, help_text=help_text)
    return forms.CharField(max_length=2000, required=required, widget=None if part.called_by else forms.Textarea)


def act_page(request: HttpRequest, kind: str) -> HttpResponse:
    """Of one act. An address that names all that it is about shows the preview at once."""
    if kind not in DEEDS:
        raise Http404(f"There is no act called “{kind}”.")
    deed, sent = DEEDS[kind], request.POST if request.method == "POST" else request.GET
    kind_of_paper = paper_of(deed, sent.dict())
    paper = kind_of_paper(sent) if _is_complete(deed, request, sent) else kind_of_paper(initial=sent.dict())
    effect, act = _attempt(request, deed, paper) if paper.is_valid() else (None, None)
    if act:
        messages.success(request, f"Done: it is entry {act.number} of the log.")
        return redirect("admin:tournaments_act_change", act.pk)
    about = (deed.__doc__ or "").replace("`", "")
    context = {"title": deed.title, "about": about, "paper": paper, "effect": effect}
    seen = paper.seen() if effect else ""
    return render(request, "admin/act.html", {**admin.site.each_context(request), **context, "seen": seen})


def _is_complete(deed: type[Deed], request: HttpRequest, sent: QueryDict) -> bool:
    if request.method == "POST":
        return True
    return deed is not ChangeSettings and all(part.name in sent for part in parts(deed) if not part.optional)


def _attempt(request: HttpRequest, deed: type[Deed], paper: Paper) -> tuple[Effect | None, Act | None]:
    """Do what was seen before; show what was not."""
    try:
        about = described(deed, paper.given())
        if "do" in request.POST and request.POST.get("seen") == paper.seen():
            return None, about.do(by=signed_in(request), reason=paper.cleaned_data["reason"])
        return about.preview(), None
    except Refused as refused:
        paper.add_error("reason" if refused.code == "no_reason" else None, sentence(refused))
        return None, None
