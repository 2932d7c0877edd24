"""Finds what an address names, if the viewer may see it; otherwise a 404 with a sentence."""

from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, Prefetch, Q, QuerySet
from django.http import Http404, HttpRequest

from engine.replay import Replay, read_replay
from tournaments.core.accounts.permissions import may_see
from tournaments.core.accounts.spaces import Viewer, open_to, spaces_open_to
from tournaments.core.accounts.visibility import events_seen_by, released_to, seen_by
from tournaments.models import Bot, Event, Ladder, Match, MatchSet, Seat, Space, Team, User, Version
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import say

M = TypeVar("M", bound=Model)


def row_or_404(rows: QuerySet[M], why: str) -> M:
    """Return the first of the rows. Raises Http404 where there is none; the page says `why`."""
    if (row := rows.first()) is None:
        raise Http404(why)
    return row


def ladder_or_404(slug: str, viewer: Viewer) -> Ladder:
    rows = Ladder.objects.filter(open_to(viewer), slug=slug)
    return row_or_404(rows, say("There is no ladder called “%(slug)s”.", slug=slug))


def space_or_404(slug: str, viewer: User | AnonymousUser) -> Space:
    rows = spaces_open_to(viewer).filter(slug=slug)
    return row_or_404(rows, say("There is no space called “%(slug)s”.", slug=slug))


def bot_or_404(number: int, viewer: Viewer) -> Bot:
    rows = Bot.objects.filter(open_to(viewer), pk=number).select_related("owner", "team")
    return row_or_404(rows, say("There is no bot %(number)s.", number=number))


def version_or_404(request: HttpRequest, bot: int) -> Version:
    """Return the version of the bot that the form names."""
    chosen = request.POST.get("version", "")
    rows = Version.objects.select_related("bot__space").filter(open_to(request.user, "bot__space"))
    return row_or_404(rows.filter(bot=bot, number=whole(chosen) or 0), f"Bot {bot} has no version “{chosen:.20}”.")


def team_or_404(number: int) -> Team:
    return row_or_404(Team.objects.filter(pk=number), say("There is no team %(number)s.", number=number))


def event_or_404(slug: str, viewer: Viewer) -> Event:
    rows = Event.objects.filter(events_seen_by(viewer), slug=slug).select_related("ladder", "organiser", "previous")
    return row_or_404(rows, say("There is no event called “%(slug)s”.", slug=slug))


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
    rows = with_all.prefetch_related(seats).filter(seen, pk=number)
    return row_or_404(rows, say("There is no match %(number)s.", number=number))


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
