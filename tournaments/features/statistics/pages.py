"""Pages of statistics: bots of a ladder side by side, a bot's record, and whether a line is enough.

Where bots are side by side, `?show=ID&show=ID` says which; without it, the best of the ladder. `?add=NAME` adds one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from tournaments.features.statistics.bot_record import MATCHES, record_of
from tournaments.features.statistics.deal_luck import luck_of_deals
from tournaments.features.statistics.head_to_head import SETS, Meeting, meetings
from tournaments.features.statistics.history_chart import draw_histories
from tournaments.features.statistics.rating_history import histories
from tournaments.features.statistics.transitivity import transitivity_line
from tournaments.ledger.ladders.standings import StandingsTable
from tournaments.ledger.ladders.standings_lines import StandingsLine
from tournaments.models import Bot, Ladder
from tournaments.web.pages.bot_rows import rated_entries
from tournaments.web.pages.lookup import bot_or_404, ladder_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import say

MOST_LINES, LINES = 6, 4  # that a chart holds; that it begins with
MOST_ROWS, ROWS = 16, 10  # of a matrix
OFFERED = 24  # the best, that can be ticked
OPPONENTS = 20  # the most often met


@dataclass(frozen=True, slots=True)
class Choice:
    """Which bots are shown, which others are offered, and what could not be."""

    shown: list[StandingsLine]
    offered: list[StandingsLine]
    most: int
    trouble: str


def chosen_histories(ladder: Ladder, query: QueryDict, few: int, most: int) -> Choice:
    lines = StandingsTable(ladder).lines
    asked = {number for text in query.getlist("show") if (number := whole(text)) is not None}
    shown, trouble = [line for line in lines if line.bot_id in asked], ""
    name = query.get("add", "").strip()[:80]
    if name:
        added = [line for line in lines if line.bot.lower() == name.lower()]
        shown += [line for line in added if line.bot_id not in asked]
        trouble = "" if added else say("No bot called “%(name)s” stands in this ladder.", name=name)
    if len(shown) > most:
        trouble = say("At most %(most)s bots fit; the first %(most)s of yours are shown.", most=most)
    shown = (shown or lines[:few])[:most]
    chosen = {line.bot_id for line in shown}
    offered = [line for line in lines[:OFFERED] if line.bot_id not in chosen]
    return Choice(shown, offered, most, trouble)


def history_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the classic Elo of some bots, set by set, in one chart."""
    ladder = ladder_or_404(slug, request.user)
    chosen = chosen_histories(ladder, request.GET, LINES, MOST_LINES)
    points = histories(ladder, [line.bot_id for line in chosen.shown])
    chart = draw_histories({line.bot: points[line.bot_id] for line in chosen.shown})
    return render(request, "statistics/history.html", {"ladder": ladder, "choice": chosen, "chart": chart})


@dataclass(frozen=True, slots=True)
class Row:
    line: StandingsLine
    cells: list[Meeting | None]  # in the order of the rows; None beside itself, or where they have not met


def head_to_head(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a matrix of shares, with their intervals and how many games each is made of."""
    ladder = ladder_or_404(slug, request.user)
    chosen = chosen_histories(ladder, request.GET, ROWS, MOST_ROWS)
    context = {"ladder": ladder, "choice": chosen, "rows": matrix(ladder, chosen.shown), "sets": SETS}
    return render(request, "statistics/head_to_head.html", context)


def matrix(ladder: Ladder, shown: Sequence[StandingsLine]) -> list[Row]:
    bots = [line.bot_id for line in shown]
    met = meetings(ladder, bots)
    return [Row(line, [met.get((line.bot_id, other)) for other in bots]) for line in shown]


@dataclass(frozen=True, slots=True)
class Opponent:
    bot: Bot
    met: Meeting


def bot_record_page(request: HttpRequest, number: int) -> HttpResponse:
    """Show a record in the ladder that `?ladder=` names, else in the first that the bot entered."""
    bot = bot_or_404(number, request.user)
    entries = list(rated_entries(bot))
    slug = request.GET.get("ladder")
    entry = next((entry for entry in entries if slug in (None, entry.ladder.slug)), None)
    if entry is None:
        raise Http404(f"{bot} has no record in a ladder called “{slug}”." if slug else f"{bot} is in no ladder yet.")
    bots_record = record_of(entry.ladder, bot)
    context = {
        "bot": bot,
        "ladder": entry.ladder,
        "entries": entries,
        "record": bots_record,
        "opponents": opponents_met(entry.ladder, bot, bots_record.opponents[:OPPONENTS]),
        "luck": luck_of_deals(entry.ladder, bot),
        "most": MATCHES,
    }
    return render(request, "statistics/record.html", context)


def opponents_met(ladder: Ladder, bot: Bot, bots: list[int]) -> list[Opponent]:
    met = meetings(ladder, [bot.pk], bots)
    by_key = Bot.objects.in_bulk(bots)
    return [Opponent(by_key[other], met[bot.pk, other]) for other in bots if (bot.pk, other) in met]


def transitivity_page(request: HttpRequest, slug: str) -> HttpResponse:
    ladder = ladder_or_404(slug, request.user)
    return render(request, "statistics/transitivity.html", {"ladder": ladder, "line": transitivity_line(ladder)})
