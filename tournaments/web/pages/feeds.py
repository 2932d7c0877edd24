"""Atom feeds. A personal feed is opened by the key in its address, because feed readers do not sign in."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from tournaments.core.accounts.names import normalized_name
from tournaments.core.notices import atom
from tournaments.ledger.statistics.match_pages import Place, ids_in_ladder
from tournaments.models import Match, Seat, User
from tournaments.web.pages import match_lists
from tournaments.web.pages.lookup import bot_or_404, event_or_404, ladder_or_404

STRANGER = AnonymousUser()  # feed readers do not sign in
ATOM = "application/atom+xml; charset=utf-8"


def feed_response(feed: str, caching: str = "no-cache") -> HttpResponse:
    return HttpResponse(feed, content_type=ATOM, headers={"Cache-Control": caching})


def latest_matches(**which: object) -> QuerySet[Match]:
    played = match_lists.recorded_matches(STRANGER).filter(**which).select_related("set", "result")
    return played.defer("result__replay").prefetch_related("seats__version__bot").order_by("-pk")[: atom.LENGTH]


def ladder_feed(request: HttpRequest, slug: str) -> HttpResponse:  # noqa: ARG001
    ladder = ladder_or_404(slug, STRANGER)
    newest = ids_in_ladder(
        match_lists.recorded_matches(STRANGER).filter(match_lists.NO_TRIALS), ladder, Place(None, atom.LENGTH)
    )
    return feed_response(atom.ladder_feed_text(ladder, latest_matches(pk__in=newest)))


def bot_feed(request: HttpRequest, number: int) -> HttpResponse:  # noqa: ARG001
    bot = bot_or_404(number, STRANGER)
    mine = Seat.objects.filter(version__bot=bot).order_by("-match").values_list("match", flat=True)
    matches = latest_matches(pk__in=list(mine[: atom.LENGTH]))
    return feed_response(atom.bot_feed_text(bot, matches))


def event_feed(request: HttpRequest, slug: str) -> HttpResponse:  # noqa: ARG001
    event = event_or_404(slug, STRANGER)
    matches = latest_matches(set__event=event)
    return feed_response(atom.event_feed_text(event, matches))


def person_feed(request: HttpRequest, name: str, key: str) -> HttpResponse:  # noqa: ARG001
    return feed_response(atom.person_feed_text(feed_owner_or_404(name, key)), "private, no-cache")


def feed_owner_or_404(name: str, key: str) -> User:
    """Return whose personal feeds have this key in their addresses."""
    user = User.objects.filter(username=normalized_name(name), is_active=True).exclude(feed_key="").first()
    if user is None or not constant_time_compare(user.feed_key, key):
        raise Http404("There is no such feed.")
    return user
