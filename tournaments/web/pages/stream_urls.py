"""Where streams begin: Django checks the user and the request, and the server takes over (`server.event_streams`).

Served by WSGI alone there are no streams. A browser takes 204 for the end of one, and the pages look again by
themselves.
"""

from django.http import Http404, HttpRequest, HttpResponse

from bots.viewer.language import ENGLISH
from engine.games import GAMES
from tournaments.core.accounts.spaces import open_to
from tournaments.models import Event, Match, Result
from tournaments.web.live.replay_so_far import match_to_watch
from tournaments.web.pages.languages import language_asked
from tournaments.web.pages.lookup import event_or_404, ladder_or_404
from tournaments.web.pages.sentences import say
from tournaments.web.server.request_rates import asker_address
from tournaments.web.server.stream_handshake import handing_over

UNDER_WAY = (Match.Status.WAITING, Match.Status.LEASED)
NEWEST = 10  # matches of a ladder that can still be watched when they are over


def hand_over_stream(request: HttpRequest, topic: str) -> HttpResponse:
    headers = {**handing_over(topic, asker_address(request)), "Cache-Control": "no-store"}
    return HttpResponse(status=204, headers=headers)


def match_stream(request: HttpRequest, number: int) -> HttpResponse:
    """Frames of a match that is played now, or was a moment ago. What is over longer is a film on its page."""
    match = match_to_watch(number, open_to(request.user, "set__space"))
    if match is None or match.set.game not in GAMES:
        raise Http404(say("Match %(number)s cannot be watched.", number=number))
    if match.status not in UNDER_WAY and not is_new(match):
        return HttpResponse(status=204)
    language = language_asked(request)
    return hand_over_stream(request, f"match {number}" if language == ENGLISH.name else f"match {number} {language}")


def is_new(match: Match) -> bool:
    if not hasattr(match, "result"):
        return False
    later = Result.objects.filter(recorded_at__gt=match.result.recorded_at, match__set__ladder=match.set.ladder)
    return later.order_by()[:NEWEST].count() < NEWEST


def ladder_stream(request: HttpRequest, slug: str) -> HttpResponse:
    return hand_over_stream(request, f"ladder {ladder_or_404(slug, request.user).slug}")


def event_stream(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(slug, request.user)
    if event.status == Event.Status.DRAFT:  # nothing happens in it
        raise Http404(say("There is no event called “%(slug)s”.", slug=slug))
    return hand_over_stream(request, f"event {slug}")


def site_stream(request: HttpRequest) -> HttpResponse:
    return hand_over_stream(request, "site")
