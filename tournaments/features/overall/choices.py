"""Which of a person's bots count over all games, for the account's and the bot's page."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db.models import Sum
from django.utils import timezone

from tournaments.core.config.game_titles import title_of_game
from tournaments.features.overall.counting_bots import counting_for, fits_that_count, sets_of_pending
from tournaments.features.overall.rules import held_until
from tournaments.models import Bot, Rating, User
from tournaments.ratings.named_since import LEAST


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that may be named, and what that costs: as many of its sets no longer count."""

    bot: Bot
    sets: int


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A game of which one bot counts, or none yet; another may be named at once, or from `since` on.

    `named` is one that does not count yet: it has played `played` of LEAST sets since.
    """

    title: str
    counts: Bot | None
    others: list[Candidate]
    since: datetime | None
    named: Bot | None
    played: int
    least: int = LEAST


def games_to_choose_in(user: User) -> list[GameChoice]:
    """Return choices for the games in which somebody has several bots that have entered a ladder."""
    bots = Bot.objects.filter(owner=user, space=None, entries__isnull=False).distinct().order_by("game", "name")
    by_game = [list(rivals) for _, rivals in groupby(bots, key=lambda bot: bot.game)]
    games = [rivals for rivals in by_game if len(rivals) > 1]
    counts = counting_for(user.pk) if games else set()
    return [_choice(rivals, counts) for rivals in games]


def choice_with(bot: Bot) -> GameChoice:
    """Return the choice among the bots of this one's owner and game."""
    bots = Bot.objects.filter(owner=bot.owner_id, game=bot.game, space=None, entries__isnull=False).distinct()
    return _choice(list(bots.order_by("name")), counting_for(bot.owner_id))


def _choice(bots: list[Bot], counts: set[int]) -> GameChoice:
    named = next((bot for bot in bots if bot.named_at), None)
    until = held_until(named) if named else None
    waits = named if named and named.pk not in counts else None
    others = [bot for bot in bots if bot.pk not in counts and bot != waits]
    sets = sets_played_by_bot(bots)
    return GameChoice(
        title=title_of_game(bots[0].game),
        counts=next((bot for bot in bots if bot.pk in counts), None),
        others=[Candidate(bot, sets.get(bot.pk, 0)) for bot in others],
        since=until if until and until > timezone.now() else None,
        named=waits,
        played=sets_of_pending(waits.owner_id, fits_that_count()).get(waits.pk, 0) if waits else 0,
    )


def sets_played_by_bot(bots: Collection[Bot]) -> dict[int, int]:
    """Return how many sets bots have played in the ladder that counts, by bot."""
    ladders = [fit.ladder_id for fit in fits_that_count().values()]
    rated = Rating.objects.filter(version__bot__in=bots, ladder__in=ladders).order_by()
    return dict(rated.values("version__bot").annotate(sum=Sum("sets")).values_list("version__bot", "sum"))
