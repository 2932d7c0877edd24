"""Finds what an address names, if the viewer may see it; otherwise a 404 with a sentence."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, Q
from django.http import Http404, HttpRequest

from engine.replay import Replay, read_replay
from tournaments.core.accounts.permissions import may_see
from tournaments.core.accounts.spaces import Viewer, open_to, spaces_open_to
from tournaments.core.accounts.visibility import events_seen_by, released_to, seen_by
from tournaments.models import Bot, Event, Ladder, Match, MatchSet, Seat, Space, Team, User, Version
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import say


def ladder_or_404(slug: str, viewer: Viewer) -> Ladder:
    for ladder in Ladder.objects.filter(open_to(viewer), slug=slug):
        return ladder
    raise Http404(say("There is no ladder called “%(slug)s”.", slug=slug))


def space_or_404(slug: str, viewer: User | AnonymousUser) -> Space:
    if space := spaces_open_to(viewer).filter(slug=slug).first():
        return space
    raise Http404(say("There is no space called “%(slug)s”.", slug=slug))


def bot_or_404(number: int, viewer: Viewer) -> Bot:
    for bot in Bot.objects.filter(open_to(viewer), pk=number).select_related("owner", "team"):
        return bot
    raise Http404(say("There is no bot %(number)s.", number=number))


def version_or_404(request: HttpRequest, bot: int) -> Version:
    """Return the version of the bot that the form names."""
    chosen = request.POST.get("version", "")
    rows = Version.objects.select_related("bot__space").filter(open_to(request.user, "bot__space"))
    version = rows.filter(bot=bot, number=whole(chosen) or 0).first()
    if version is None:
        raise Http404(f"Bot {bot} has no version “{chosen:.20}”.")
    return version


def team_or_404(number: int) -> Team:
    try:
        return Team.objects.get(pk=number)
    except Team.DoesNotExist:
        raise Http404(say("There is no team %(number)s.", number=number)) from None


def event_or_404(slug: str, viewer: Viewer) -> Event:
    events = Event.objects.filter(events_seen_by(viewer), slug=slug)
    for event in events.select_related("ladder", "organiser", "previous"):
        return event
    raise Http404(say("There is no event called “%(slug)s”.", slug=slug))


def match_or_404(number: int, viewer: Viewer) -> Match:
    """A match; one of an event only when its round is released."""
    return _match_or_404(seen_by(viewer), number)


def seats_or_404(number: int, viewer: Viewer) -> list[Seat]:
    """Return the seats of a match, if the viewer may see it."""
    rows = Seat.objects.filter(seen_by(viewer, "match__set__"), match=number)
    if seats := list(rows.select_related("version__bot", "match__set")):
        return seats
    raise Http404(say("There is no match %(number)s.", number=number))


def _match_or_404(seen: Q, number: int) -> Match:
    seats = Prefetch("seats", Seat.objects.select_related("version__bot"))
    with_all = Match.objects.select_related(
        "set__ladder",
        "set__event",
        "set__chain",
        "set__trial__candidate__bot",
        "set__trial__champion__bot",
        "set__asked_by",
        "set__checks__bot",
        "result",
    )
    for match in with_all.prefetch_related(seats).filter(seen, pk=number):
        return match
    raise Http404(say("There is no match %(number)s.", number=number))


def replay_or_404(viewer: User | AnonymousUser, number: int) -> tuple[Match, Replay]:
    """The replay of a match whose whole set is over, if the viewer may see it."""
    match = match_or_404(number, viewer)
    mine = not match.set.checks_id or any(may_see(viewer, seat.version.bot) for seat in match.seats.all())
    return _replay_or_404(match, mine=mine)


def public_replay_or_404(viewer: Viewer, number: int) -> tuple[Match, Replay]:
    """Return match and replay, if all who see its space may see them: nothing for owners alone. Raises Http404."""
    match = _match_or_404(released_to(None, "set__") & open_to(viewer, "set__space"), number)
    return _replay_or_404(match, mine=not match.set.checks_id)


def _replay_or_404(match: Match, *, mine: bool) -> tuple[Match, Replay]:
    over = match.set.status != MatchSet.Status.OPEN
    if not (mine and over and hasattr(match, "result") and match.result.replay):
        raise Http404(say("There is no replay of match %(number)s to show.", number=match.pk))
    return match, read_replay(bytes(match.result.replay))
