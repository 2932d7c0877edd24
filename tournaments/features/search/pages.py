"""The search page: matches, bots, people, teams, ladders, events and the docs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop

from tournaments.features.search.docs import search_docs
from tournaments.features.search.hits import MOST, search
from tournaments.ledger.search.words import LONGEST, words_of

TITLES = {
    "match": gettext_noop("Matches"),
    "bot": gettext_noop("Bots"),
    "person": gettext_noop("People"),
    "team": gettext_noop("Teams"),
    "ladder": gettext_noop("Ladders"),
    "event": gettext_noop("Events"),
}
ALL = {"bot": "bots", "person": "people"}  # those kinds whose whole list can be asked for, and its route


def search_page(request: HttpRequest) -> HttpResponse:
    typed = request.GET.get("q", "")
    words = words_of(typed)
    results = search(request.user, words)
    groups = [
        (gettext(TITLES[kind]), hits, ALL.get(kind, "") if len(hits) == MOST else "") for kind, hits in results.items()
    ]
    docs = search_docs(words)
    by_name = any(hit.title.lower().startswith(words.text.lower()) for hits in results.values() for hit in hits)
    context = {"typed": typed, "words": words, "groups": groups, "longest": LONGEST}
    context |= {"docs": docs, "docs_first": docs and not by_name}
    return render(request, "search/search.html", context)
