"""The public log of organisers' acts; and those now in force, for the pages they concern."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop

from tournaments.audit import Entry
from tournaments.audit.log import LEFT_OUT, PLATFORM, SOMEWHERE, entry_for, load_details
from tournaments.core.accounts.spaces import spaces_open_to
from tournaments.ledger.acts.base import actions
from tournaments.models import Act
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import in_page_language
from tournaments.web.pages.stored_sentences import found_again

LENGTH = 30
OF_THE_PLATFORM = {
    "account_erased": gettext_noop("Account erased"),
    "open_space": gettext_noop("Space opened"),
    "ratings_mended": gettext_noop("Ratings corrected"),
    "result_contradicted": gettext_noop("Result contradicted"),
    "roster": gettext_noop("Members added"),
    "season": gettext_noop("Season over"),
    "second_factor_removed": gettext_noop("Second factor removed"),
    "seed_chain": gettext_noop("Seed chain begun"),
    "seed_chains_ended": gettext_noop("Seed chains ended"),
    "version_put_aside": gettext_noop("Version put aside"),
    "worker_diverged": gettext_noop("Worker diverged"),
    "worker_timed_out_alone": gettext_noop("Time ran out at one worker alone"),
}
SUBJECTS = (  # what acts are about, as the log has it
    gettext_noop("the platform"),
    gettext_noop("in a space"),
    gettext_noop("the site"),
    gettext_noop("all ladders"),
    gettext_noop("a draft of an event"),
    gettext_noop("account %(name)s"),
    gettext_noop("appeal %(number)s against act %(act)s"),
    gettext_noop("bot %(name)s"),
    gettext_noop("bot %(name)s, all ladders"),
    gettext_noop("bot %(name)s, ladder %(ladder)s"),
    gettext_noop("event %(name)s"),
    gettext_noop("ladder %(name)s"),
    gettext_noop("match %(number)s"),
    gettext_noop("owner %(name)s, all ladders"),
    gettext_noop("owner %(name)s, ladder %(ladder)s"),
    gettext_noop("report %(number)s"),
    gettext_noop("set %(number)s"),
    gettext_noop("set %(number)s of event %(event)s"),
    gettext_noop("set %(number)s of ladder %(ladder)s"),
    gettext_noop("set %(number)s of ladder %(ladder)s, number %(place)s"),
    gettext_noop("space %(name)s"),
    gettext_noop("team %(name)s"),
    gettext_noop("version %(name)s"),
    gettext_noop("version %(rules)s of %(game)s"),
    gettext_noop("version %(name)s, all ladders"),
    gettext_noop("version %(name)s, ladder %(ladder)s"),
    gettext_noop("worker %(name)s"),
)


@dataclass(frozen=True, slots=True)
class Row:
    act: Act
    entry: Entry  # of it, as much as the viewer may see
    what: str

    @property
    def is_platforms(self) -> bool:
        """Return whether the reason is a sentence of ours; that of others is what they typed."""
        return self.entry.by == PLATFORM

    @property
    def by(self) -> str:
        return gettext(self.entry.by) if self.entry.by in (PLATFORM, SOMEWHERE) else self.entry.by

    @property
    def subject(self) -> str:
        found = found_again(self.entry.subject, least=3)
        return in_page_language(found or self.entry.subject)

    @property
    def effect(self) -> dict[str, Any]:
        """Return what changed, where the log says it in the way of organisers' acts; else an empty dict."""
        return self.entry.detail if "says" in self.entry.detail else {}

    @property
    def is_left_out(self) -> bool:
        return self.entry.detail == LEFT_OUT


def audit(request: HttpRequest) -> HttpResponse:
    """The newest first; `?before=NUMBER` goes on below that one."""
    before = whole(request.GET.get("before"))
    acts = Act.objects.defer("detail").order_by("-number")
    found = list((acts.filter(number__lt=before) if before else acts)[: LENGTH + 1])
    load_details(found)
    seen = set(spaces_open_to(request.user).values_list("pk", flat=True))
    context = {
        "rows": [Row(act, entry_for(act, seen), kind_in_words(act.kind)) for act in found[:LENGTH]],
        "older": found[LENGTH - 1].number if len(found) > LENGTH else None,
        "newest": before is None,
        "head": acts.first(),
    }
    return render(request, "audit.html", context)


def kind_in_words(kind: str) -> str:
    action = actions().get(kind)
    return gettext(action.button if action else OF_THE_PLATFORM.get(kind, kind.replace("_", " ").capitalize()))
