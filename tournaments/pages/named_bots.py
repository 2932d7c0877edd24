"""Which of somebody's bots count over all games, as their account's page shows it."""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.utils import timezone

from tournaments.config.game_titles import title_of
from tournaments.ladders.decathlon import counting_for
from tournaments.ladders.named_bots import NAMED_FOR
from tournaments.models import Bot, User


@dataclass(frozen=True, slots=True)
class GameChoice:
    """Of the bots of a game one counts, or none yet; another may be named at once, or from `since` on."""

    title: str
    counts: Bot | None
    others: list[Bot]
    since: datetime | None


def games_to_choose_in(user: User) -> list[GameChoice]:
    """Those in which the person has several bots that have entered a ladder."""
    bots = Bot.objects.filter(owner=user, entries__isnull=False).distinct().order_by("game", "name")
    by_game = [(game, list(some)) for game, some in groupby(bots, key=lambda bot: bot.game)]
    several = [(game, some) for game, some in by_game if len(some) > 1]
    counting = counting_for(user.pk) if several else set()
    return [_choice(game, some, counting) for game, some in several]


def _choice(game: str, bots: list[Bot], counting: set[int]) -> GameChoice:
    named = [bot.named_at + NAMED_FOR for bot in bots if bot.named_at]
    return GameChoice(
        title=title_of(game),
        counts=next((bot for bot in bots if bot.pk in counting), None),
        others=[bot for bot in bots if bot.pk not in counting],
        since=next((until for until in named if until > timezone.now()), None),
    )
