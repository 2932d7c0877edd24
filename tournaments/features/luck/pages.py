"""The luck of the dice in one match.

It has an address of its own, which the match's page fetches when somebody gets there: it takes longer than drawing the
board, and nobody should wait for both.
"""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from bots.viewer.luck_bar import LuckOfDice, luck_bars
from bots.viewer.perspectives import eyes_of
from bots.viewer.score_chart import share_of_match
from engine.luck import luck_of, shipped
from engine.luck_value import LuckError, LuckValue, read_value
from engine.replay import Replay, ReplayError
from tournaments.core.errors import Refused
from tournaments.models import Ladder, LadderLuck
from tournaments.web.pages.lookup import replay_or_404
from tournaments.web.pages.rate_limits import count_for_rate
from tournaments.web.pages.replay_viewer import chosen_perspective, moment
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.server.request_rates import Rate, asker_address

LUCK: Final = Rate("luck", 120, 60)  # of an address
OUTCOMES: Final = 12_000  # positions after rolls that a page looks at: of about a thousand rolls
TOO_LONG: Final = "So many rolls take too long for a page. The command below computes the luck of each."


def match_luck(request: HttpRequest, number: int) -> HttpResponse:
    match, replay = replay_or_404(request.user, number)
    eyes, position = chosen_perspective(eyes_of(replay), request.GET.dict()), moment(request.GET.get("at", ""))
    value = luck_value_for(replay.game, match.set.ladder)
    if not value:
        raise Http404(say("The luck of match %(number)s is not shown.", number=number))
    cursor = share_of_match(min(position, len(replay.answers)), len(replay.answers))
    context: dict[str, object] = {"match": match, "eyes": eyes, "cursor": cursor, "value": value}
    try:
        count_for_rate(LUCK, asker_address(request))
        context["dice"] = dice_of(replay, value)
    except Refused as refused:
        return render(request, "luck/match_luck.html", {**context, "trouble": sentence(refused)}, status=429)
    except LuckError:
        context["trouble"] = say(TOO_LONG)
    except ReplayError as error:  # of rules that this engine no longer plays
        context["trouble"] = f"{error.code}: {error.detail}"
    return render(request, "luck/match_luck.html", context)


def dice_of(replay: Replay, value: LuckValue) -> LuckOfDice:
    """Return the luck of every roll. Raises LuckError, of a match that is too long for a page too, and ReplayError."""
    names = [player.name for player in replay.players]
    return luck_bars(luck_of(replay, value, OUTCOMES), names, len(replay.answers), (value.name, value.hash))


def luck_value_for(game: str, ladder: Ladder | None) -> LuckValue | None:
    """Return the value that the ladder names, else the one that comes with the game; None if there is none."""
    named = LadderLuck.objects.filter(ladder=ladder).first() if ladder and shipped(game) else None
    return read_value(named.value) if named else shipped(game)
