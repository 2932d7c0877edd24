"""A replay's film: its pieces as data for the viewer."""

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.gzip import gzip_page

from engine.replay import Replay, ReplayError, read
from tournaments.film.reel import piece
from tournaments.models import Match, MatchSet
from tournaments.ownership import may_see
from tournaments.pages.matches import match_or_404
from tournaments.pages.viewer import chosen, eyes_of, moment


@gzip_page
def film(request: HttpRequest, number: int) -> JsonResponse:
    """Frames from the moment `from` on, as the perspective `as` sees them."""
    replay = replay_or_404(request, number)[1]
    eyes = chosen(eyes_of(replay), request.GET.dict())
    try:
        told = piece(replay, eyes.perspective, moment(request.GET.get("from", "")))
    except ReplayError as error:
        return JsonResponse({"code": error.code, "detail": error.detail}, status=409)
    return JsonResponse(told, headers={"Cache-Control": "private, max-age=600"})


def replay_or_404(request: HttpRequest, number: int) -> tuple[Match, Replay]:
    """Of a match whose whole set is over, for whoever may see it."""
    match = match_or_404(number, request.user)
    mine = not match.set.checks_id or any(may_see(request.user, seat.version.bot) for seat in match.seats.all())
    over = match.set.status != MatchSet.Status.OPEN
    if not (mine and over and hasattr(match, "result") and match.result.replay):
        raise Http404(f"There is no replay of match {number} to show.")
    return match, read(bytes(match.result.replay))
