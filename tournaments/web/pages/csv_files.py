"""The tables of pages as CSV files, with the same rules for who may see what."""

import json

from django.http import HttpRequest, HttpResponse

from tournaments.core.csv_text import Row
from tournaments.ledger.statistics.match_pages import Place, ids_of_bot
from tournaments.models import MatchSet, Seat
from tournaments.web.api.shapes.ladders import StandingShape
from tournaments.web.api.standings_text import cached_standings_lines
from tournaments.web.pages import match_lists
from tournaments.web.pages.csv_text import csv_file
from tournaments.web.pages.lookup import bot_or_404, ladder_or_404

LATEST = 1000  # matches of a bot
SEATS = ("match", "played_at", "turn", "seat", "bot_id", "bot", "owner", "version", "place", "score", "forfeited")
SEATED = (
    Seat.objects.select_related("match__set__ladder", "match__set__event", "match__result", "version__bot__owner")
    .defer("match__result__replay", "match__set__seed", "stderr")
    .order_by("match", "number")
)


def standings_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole table, with the fields of the API."""
    columns = list(StandingShape().fields)
    lines = json.loads(cached_standings_lines(ladder_or_404(slug, request.user)))
    return csv_file(f"{slug}-standings", columns, ([line[name] for name in columns] for line in lines))


def bot_matches(request: HttpRequest, number: int) -> HttpResponse:
    """One row a seat of each of its latest matches, as far as they are public."""
    bot = bot_or_404(number, request.user)
    latest = ids_of_bot(match_lists.recorded_matches(request.user), bot, Place(None, LATEST))
    seats = SEATED.filter(match__in=latest).order_by("-match", "number")
    rows = ((*ladder_and_event(seat.match.set), *seat_row(seat), seat.match.set.kind.value) for seat in seats)
    return csv_file(f"bot-{number}-matches", ("ladder", "event", *SEATS, "kind"), rows)


def ladder_and_event(played: MatchSet) -> Row:
    return (played.ladder.slug if played.ladder else None), (played.event.slug if played.event else None)


def seat_row(seat: Seat) -> Row:
    match, version = seat.match, seat.version
    who = (seat.number, version.bot_id, version.bot.name, version.bot.owner.username, version.number)
    when = (match.pk, match.result.recorded_at.isoformat(), match.turn)
    return *when, *who, seat.place, seat.score, seat.forfeited
