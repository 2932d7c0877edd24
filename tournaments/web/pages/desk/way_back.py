"""Where organisers go once an act is done: back to where they came from."""

from urllib.parse import urlsplit

from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from tournaments.models import Act, Event, Ladder, Space

# The first part of addresses that lead to acts. The form of another act is none, nor is a page of signing in.
LEAD_HERE = {"audit", "bots", "desk", "events", "ladders", "matches", "people", "spaces", "teams"}
GONE = {"close_space": "spaces", "discard_event": "events"}  # the page with it, by kind; the list that it was in
PAGES: dict[str, tuple[type[Model], str]] = {
    "ladder": (Ladder, "desk-ladder"),
    "event": (Event, "desk-event"),
    "space": (Space, "space"),
}


def came_from(request: HttpRequest) -> str:
    """The page of this site that led to the form, as the form says or the browser; empty if none did."""
    wanted = request.POST.get("came_from", "") if request.method == "POST" else request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure()):
        return ""
    _, first, *rest = f"{urlsplit(wanted).path}/".split("/")
    return wanted if first in LEAD_HERE and (first, rest[0]) != ("desk", "acts") else ""


def page_after_act(request: HttpRequest, act: Act) -> str:
    """The address to go on to: where they came from, the page of what it was about, or its entry in the log."""
    if act.kind in GONE:
        return reverse(GONE[act.kind])
    back = came_from(request)
    if act.kind == "rename" and urlsplit(back).path.startswith("/people/"):  # it has another address now
        back = ""
    return back or page_of_subject(act.subject) or log_entry_path(act)


def page_of_subject(subject: str) -> str:
    kind, _, slug = subject.partition(" ")
    model, page = PAGES.get(kind, (None, ""))
    return reverse(page, args=[slug]) if model and model._default_manager.filter(slug=slug).exists() else ""  # noqa: SLF001


def log_entry_path(act: Act) -> str:
    return f"{reverse('audit')}?before={act.number + 1}#act-{act.number}"
