"""The record of a bot in a ladder: opponents, seats, resources and luck. `?ladder=SLUG`."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Bot, Ladder
from tournaments.pages.bot_rows import entries_of
from tournaments.pages.lookup import bot_or_404
from tournaments.statistics.bot_record import MATCHES, record_of
from tournaments.statistics.head_to_head import Meeting, meetings
from tournaments.statistics.luck import luck_of

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
    return render(request, "record.html", context)


def opponents(ladder: Ladder, bot: Bot, bots: list[int]) -> list[Opponent]:
    met = meetings(ladder, [bot.pk], bots)
    known = Bot.objects.in_bulk(bots)
    return [Opponent(known[other], met[bot.pk, other]) for other in bots if (bot.pk, other) in met]
