"""Some bots of a ladder side by side: their rating histories, and who does better against whom.

`?show=ID&show=ID` says which bots; without it, the best of the ladder. `?add=NAME` is one more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from tournaments.features.statistics.bot_record import MATCHES, record_of
from tournaments.features.statistics.deal_luck import luck_of
from tournaments.features.statistics.head_to_head import SETS, Meeting, meetings
from tournaments.features.statistics.history_chart import draw
from tournaments.features.statistics.rating_history import histories
from tournaments.features.statistics.transitivity import line_of
from tournaments.ladders.standings import StandingsTable
from tournaments.ladders.standings_lines import StandingsLine
from tournaments.models import Bot, Ladder
from tournaments.pages.bot_rows import entries_of
from tournaments.pages.lookup import bot_or_404, ladder_or_404
from tournaments.pages.query_values import whole
from tournaments.pages.sentences import say

MOST_LINES, LINES = 6, 4  # that a chart holds; that it begins with
MOST_ROWS, ROWS = 16, 10  # of a matrix
OFFERED = 24  # the best, that can be ticked


@dataclass(frozen=True, slots=True)
class Choice:
    """Which bots are shown, which others are offered, and what could not be."""

    shown: list[StandingsLine]
    offered: list[StandingsLine]
    most: int
    trouble: str


def choice(ladder: Ladder, query: QueryDict, few: int, most: int) -> Choice:
    lines = StandingsTable(ladder).lines
    wanted = {number for text in query.getlist("show") if (number := whole(text)) is not None}
    shown, trouble = [line for line in lines if line.bot_id in wanted], ""
    name = query.get("add", "").strip()[:80]
    if name:
        added = [line for line in lines if line.bot.lower() == name.lower()]
        shown += [line for line in added if line.bot_id not in wanted]
        trouble = "" if added else say("No bot called “%(name)s” stands in this ladder.", name=name)
    if len(shown) > most:
        trouble = say("At most %(most)s bots fit; the first %(most)s of yours are shown.", most=most)
    shown = (shown or lines[:few])[:most]
    chosen = {line.bot_id for line in shown}
    others = [line for line in lines[:OFFERED] if line.bot_id not in chosen]
    return Choice(shown, others, most, trouble)


def history(request: HttpRequest, slug: str) -> HttpResponse:
    """The classic Elo of some bots, set by set, in one chart."""
    ladder = ladder_or_404(slug, request.user)
    chosen = choice(ladder, request.GET, LINES, MOST_LINES)
    known = histories(ladder, [line.bot_id for line in chosen.shown])
    chart = draw({line.bot: known[line.bot_id] for line in chosen.shown})
    return render(request, "statistics/history.html", {"ladder": ladder, "choice": chosen, "chart": chart})


@dataclass(frozen=True, slots=True)
class Row:
    line: StandingsLine
    cells: list[Meeting | None]  # in the order of the rows; None beside itself, or where they have not met


def head_to_head(request: HttpRequest, slug: str) -> HttpResponse:
    """A matrix of shares, with their intervals and how many games each is made of."""
    ladder = ladder_or_404(slug, request.user)
    chosen = choice(ladder, request.GET, ROWS, MOST_ROWS)
    rows = matrix(ladder, chosen.shown)
    return render(
        request, "statistics/head_to_head.html", {"ladder": ladder, "choice": chosen, "rows": rows, "sets": SETS}
    )


def matrix(ladder: Ladder, shown: Sequence[StandingsLine]) -> list[Row]:
    bots = [line.bot_id for line in shown]
    met = meetings(ladder, bots)
    return [Row(line, [met.get((line.bot_id, other)) for other in bots]) for line in shown]


OPPONENTS = 20  # the most often met


@dataclass(frozen=True, slots=True)
class Opponent:
    bot: Bot
    met: Meeting


def record(request: HttpRequest, number: int) -> HttpResponse:
    """Of the ladder that `?ladder=` names, else of the first the bot entered."""
    at = bot_or_404(number, request.user)
    entries = list(entries_of(at))
    wanted = request.GET.get("ladder")
    entry = next((each for each in entries if wanted in (None, each.ladder.slug)), None)
    if entry is None:
        raise Http404(f"{at} has no record in a ladder called “{wanted}”." if wanted else f"{at} is in no ladder yet.")
    found = record_of(entry.ladder, at)
    context = {
        "bot": at,
        "ladder": entry.ladder,
        "entries": entries,
        "record": found,
        "opponents": opponents(entry.ladder, at, found.opponents[:OPPONENTS]),
        "luck": luck_of(entry.ladder, at),
        "most": MATCHES,
    }
    return render(request, "statistics/record.html", context)


def opponents(ladder: Ladder, bot: Bot, bots: list[int]) -> list[Opponent]:
    met = meetings(ladder, [bot.pk], bots)
    known = Bot.objects.in_bulk(bots)
    return [Opponent(known[other], met[bot.pk, other]) for other in bots if (bot.pk, other) in met]


def transitivity(request: HttpRequest, slug: str) -> HttpResponse:
    ladder = ladder_or_404(slug, request.user)
    return render(request, "statistics/transitivity.html", {"ladder": ladder, "line": line_of(ladder)})
