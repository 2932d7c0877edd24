"""Reporting abuse, appealing against an organiser's act, and what waits for organisers, the oldest first."""

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.features.moderation.complaints import LONGEST, appeal, check_concerned, open_to_organiser, report_abuse
from tournaments.features.moderation.subjects import path_of, said_by, subject_kept, subject_named
from tournaments.models import Act, Appeal, Complaint, Space, Suspension, User
from tournaments.web.pages.desk.access import organisers
from tournaments.web.pages.forms import TextField
from tournaments.web.pages.run_action import refused_form_page, sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

ABOUT = Sentence("At most %(most)s characters of plain text. Only organisers read it.", most=LONGEST)


class WordsForm(forms.Form):
    text = TextField(
        max_length=LONGEST,
        label=gettext_lazy("What is wrong"),
        widget=forms.Textarea({"rows": 6, "aria-describedby": "id_text_helptext"}),
        help_text=ABOUT,
    )


@login_required
@never_cache
def write_report(request: HttpRequest) -> HttpResponse:
    """Report something: `?about=bot-7`, `person-NAME`, `team-7`, `note-7` or `announcement-7`."""
    by, about = signed_in(request), request.GET.get("about", "")
    try:
        _, subject = subject_named(about, by)
    except Refused as why:
        raise Http404(sentence(why)) from None
    form = WordsForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and was_sent(form, lambda: report_abuse(by=by, about=about, text=form.cleaned_data["text"])):
        messages.success(request, "Thank you. Organisers will look at it and notify you of the result.")
        return redirect(path_of(subject))
    page = render(request, "moderation/report.html", {"form": form, "subject": subject, "path": path_of(subject)})
    return refused_form_page(page) if form.errors else page


def was_sent(form: forms.Form, verb: Callable[[], object]) -> bool:
    """Whether it was done. A refusal stands at the form."""
    try:
        verb()
    except Refused as why:
        form.add_error(None, forms.ValidationError(sentence(why), why.code))
        return False
    return True


@login_required
@never_cache
def write_appeal(request: HttpRequest, number: int) -> HttpResponse:
    """Show whom the act concerns the form, or what became of the appeal."""
    by, act = signed_in(request), concerned_or_404(signed_in(request), number)
    earlier = Appeal.objects.select_related("answer").filter(act=act).first()
    form = WordsForm(request.POST if request.method == "POST" else None)
    form.fields["text"].label = say("Why it should be looked at again")
    if form.is_valid() and was_sent(form, lambda: appeal(by=by, act=act, text=form.cleaned_data["text"])):
        messages.success(request, "Your appeal is with the organisers; you get a notice of their answer.")
        return redirect("appeal", number)
    page = render(
        request, "moderation/appeal.html", {"form": form, "act": act, "known": earlier, "words": suspension_words(act)}
    )
    return refused_form_page(page) if form.errors else page


def concerned_or_404(by: User, number: int) -> Act:
    act = Act.objects.filter(number=number).first()
    try:
        if act is None:
            raise Refused("not_concerned", "act %(number)s is not about you", number=number)
        check_concerned(by, act)
    except Refused as why:
        raise Http404(sentence(why)) from None
    return act


def suspension_words(act: Act) -> str:
    """Return what whoever is suspended was told."""
    return act.suspension.words if hasattr(act, "suspension") else ""


SHOWN = 200  # of each, at once


@dataclass(frozen=True, slots=True)
class Reported:
    report: Complaint
    name: str
    path: str
    says: str


@organisers
@never_cache
def reports_page(request: HttpRequest) -> HttpResponse:
    """Show all there are, those of spaces too."""
    return render(request, "moderation/desk.html", waiting_for(signed_in(request), None))


def waiting_for(person: User, space: Space | None) -> dict[str, object]:
    """Return what waits on the site, or in one space."""
    appeals = Appeal.objects.filter(Q(act__space=space) if space else Q(), status=Appeal.Status.OPEN)
    suspensions = Suspension.objects.filter(Q(space=space) if space else Q(), over_at=None)
    return {
        "space": space,
        "reports": [reported(complaint) for complaint in open_to_organiser(person, space)],
        "appeals": appeals.select_related("act__space", "by").order_by("pk")[:SHOWN],
        "suspensions": suspensions.select_related("user", "act", "space").order_by("-pk")[:SHOWN],
    }


def reported(report: Complaint) -> Reported:
    subject = subject_kept(report.about)
    if subject is None:
        return Reported(report, report.about, "", "")
    return Reported(report, str(subject), path_of(subject), said_by(subject))
