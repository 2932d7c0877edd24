"""Atom feeds. A personal feed is opened by the key in its address, because feed readers do not sign in."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from tournaments.core.accounts.names import plain
from tournaments.core.accounts.spaces import Viewer
from tournaments.core.notices import atom
from tournaments.ledger.statistics.match_pages import Place, ids_in_ladder
from tournaments.models import Match, Seat, User
from tournaments.web.pages import match_lists
from tournaments.web.pages.lookup import bot_or_404, event_or_404, ladder_or_404

STRANGER = AnonymousUser()  # feed readers do not sign in
ATOM = "application/atom+xml; charset=utf-8"


def answer(feed: str, caching: str = "no-cache") -> HttpResponse:
    return HttpResponse(feed, content_type=ATOM, headers={"Cache-Control": caching})


def latest(viewer: Viewer, **which: object) -> QuerySet[Match]:
    played = match_lists.recorded(viewer).filter(**which).select_related("set", "result").defer("result__replay")
    return played.prefetch_related("seats__version__bot").order_by("-pk")[: atom.LENGTH]


def of_ladder(request: HttpRequest, slug: str) -> HttpResponse:  # noqa: ARG001
    ladder = ladder_or_404(slug, STRANGER)
    newest = ids_in_ladder(
        match_lists.recorded(STRANGER).filter(match_lists.NO_TRIALS), ladder, Place(None, atom.LENGTH)
    )
    return answer(atom.of_ladder(ladder, latest(STRANGER, pk__in=newest)))


def of_bot(request: HttpRequest, number: int) -> HttpResponse:  # noqa: ARG001
    bot = bot_or_404(number, STRANGER)
    mine = Seat.objects.filter(version__bot=bot).order_by("-match").values_list("match", flat=True)
    matches = latest(STRANGER, pk__in=list(mine[: atom.LENGTH]))
    return answer(atom.of_bot(bot, matches))


def of_event(request: HttpRequest, slug: str) -> HttpResponse:  # noqa: ARG001
    event = event_or_404(slug, STRANGER)
    matches = latest(STRANGER, set__event=event)
    return answer(atom.of_event(event, matches))


def of_person(request: HttpRequest, name: str, key: str) -> HttpResponse:  # noqa: ARG001
    user = User.objects.filter(username=plain(name), is_active=True).exclude(feed_key="").first()
    if user is None or not constant_time_compare(user.feed_key, key):
        raise Http404("There is no such feed.")
    return answer(atom.of_person(user), "private, no-cache")
