"""A page for every action. It shows the effect before the action runs."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from tournaments.core.errors import Refused
from tournaments.core.feature import OrganisersAction
from tournaments.ledger.acts.arguments import action_from_arguments, parts
from tournaments.ledger.acts.base import Action, Effect, actions
from tournaments.ledger.acts.ladder_settings import ChangeSettings
from tournaments.models import Act
from tournaments.web.pages.desk.access import organisers_here
from tournaments.web.pages.desk.action_form import ActionForm, form_class
from tournaments.web.pages.desk.way_back import came_from, log_entry_path, page_after_act
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

PAGES = {"create_ladder": "desk-new-ladder", "create_event": "desk-new-event", "edit_event": "desk"}  # of their own


@organisers_here
def act_page(request: HttpRequest, kind: str) -> HttpResponse:
    """An address with all required arguments shows the preview at once."""
    if kind not in actions():
        raise Http404(say("There is no act called “%(kind)s”.", kind=kind))
    if kind in PAGES:
        return redirect(PAGES[kind])
    action, sent = actions()[kind], request.POST if request.method == "POST" else request.GET
    made = form_class(action, sent.dict(), signed_in(request))
    form = made(sent) if _is_complete(action, request, sent) else made(initial=sent.dict())
    effect, done = attempt(request, form) if form.is_valid() else (None, None)
    if done:
        confirm_act(request, done)
        return redirect(page_after_act(request, done))
    context = {
        "title": action.button,
        "about": " ".join(map(gettext, action_sentences(action))),
        "form": form,
        "effect": effect,
        "came_from": came_from(request),
    }
    return render(request, "desk/act.html", {**context, "seen": form.seen() if effect else ""})


def action_sentences(action: type[Action]) -> list[str]:
    """Return what it is for: the first sentence, and then the rest, if there is more."""
    first, _, rest = action.about.replace("`", "").partition(". ")
    return [f"{first.rstrip('.')}.", *([rest] if rest else [])]


def _is_complete(action: type[Action], request: HttpRequest, sent: QueryDict) -> bool:
    if request.method == "POST":
        return True
    return action is not ChangeSettings and all(part.name in sent for part in parts(action) if not part.optional)


def attempt(request: HttpRequest, form: ActionForm) -> tuple[Effect | None, Act | None]:
    """Run an action whose preview was seen; else preview it."""
    try:
        about = action_from_arguments(form.action, form.given(), signed_in(request))
        if "do" in request.POST and request.POST.get("seen") == form.seen():
            return None, about.do(by=signed_in(request), reason=form.cleaned_data.get("reason", ""))
        return about.preview(), None
    except Refused as refused:
        form.blame(refused)
        return None, None


def confirm_act(request: HttpRequest, act: Act) -> None:
    """Say on the next page what was done, with a link to its entry in the log."""
    said = say(
        'Done: %(what)s. It is <a href="%(entry)s">entry %(number)s of the log</a>.',
        what=escape(gettext(actions()[act.kind].button)),
        entry=log_entry_path(act),
        number=act.number,
    )
    messages.success(request, mark_safe(said))  # noqa: S308  what is filled in is escaped


def buttons(actions: Iterable[type[OrganisersAction]]) -> list[tuple[str, str]]:
    """Return the label and kind of each action. (A template would call the class itself.)"""
    return [(gettext(action.button), action.kind) for action in actions]
