"""Which bot counts for its owner over all games: the one that its owner named, once it has played enough sets since;
until then the one that counted before, by default the first that entered.

The best of several would be the luckiest of several. So what a bot has played before it was named never counts, and the
former stays until the named one is known: a choice takes no luck along, and hides none.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Sum

from engine.games import GAMES
from tournaments.models import Bot, Entry, Fit, Rating
from tournaments.ratings.named_since import LEAST

NOT_YET: Mapping[str, Any] = {}  # nothing is known since it was named
Place = tuple[int, str]  # an owner, and a game


@dataclass(frozen=True, slots=True)
class Counts:
    """A bot, and how many sets it has played that count; `since`: its rating by those alone, None where all count."""

    bot: int
    sets: int
    since: Mapping[str, Any] | None


def fits_that_count() -> dict[str, Fit]:
    """Return the fit of each game's public ladder that has played most. Rows are read when they are used."""
    fits: dict[str, Fit] = {}
    public = Fit.objects.filter(ladder__space=None).select_related("ladder").defer("rows", "transitivity", "final")
    for fit in public.order_by("sets", "-ladder"):
        fits[fit.ladder.game] = fit
    return {game: fits[game] for game in GAMES if game in fits}


def counting(owners: Collection[int], fits: Mapping[str, Fit]) -> dict[Place, Counts]:
    """Return the bots that count in the ladders of these fits, by owner and game."""
    before = _first(owners, fits) | _marked(owners, counts_meanwhile=True)
    named = _marked(owners, named_at__isnull=False)
    counts = _counts({*before.values(), *named.values()}, fits)
    enough = {place: bot for place, bot in named.items() if bot in counts and counts[bot].sets >= LEAST}
    chosen = {place: bot for place, bot in named.items() if place not in before} | before | enough
    return {place: counts[bot] for place, bot in chosen.items() if bot in counts and counts[bot].since != NOT_YET}


def sets_of_pending(owner: int, fits: Mapping[str, Fit]) -> dict[int, int]:
    """Return the sets that named bots which do not count yet have played since, by bot."""
    named = _marked([owner], named_at__isnull=False)
    current = {counts.bot for counts in counting([owner], fits).values()}
    played = _counts(named.values(), fits)
    return {bot: played[bot].sets if bot in played else 0 for bot in named.values() if bot not in current}


def counting_for(owner: int) -> set[int]:
    """Return the bots that count for an owner: one of each game, at most."""
    return {counts.bot for counts in counting([owner], fits_that_count()).values()}


def _first(owners: Collection[int], fits: Mapping[str, Fit]) -> dict[Place, int]:
    """Return the bot that entered first, whatever became of it."""
    entries = Entry.objects.filter(bot__owner__in=owners, ladder__in=[fit.ladder_id for fit in fits.values()])
    latest_first = entries.order_by(F("entered_at").desc(), F("pk").desc())
    return {(owner, game): bot for owner, game, bot in latest_first.values_list("bot__owner", "bot__game", "bot")}


def _marked(owners: Collection[int], **how: bool) -> dict[Place, int]:
    bots = Bot.objects.filter(owner__in=owners, **how).values_list("owner", "game", "pk")
    return {(owner, game): bot for owner, game, bot in bots}


def _counts(bots: Collection[int], fits: Mapping[str, Fit]) -> dict[int, Counts]:
    """Return counts of bots that entered one of the ladders. One named since the fit has played nothing yet."""
    ratings_since = {fit.ladder_id: fit.named for fit in fits.values()}
    entries = Entry.objects.filter(bot__in=bots, ladder__in=ratings_since).values_list("bot", "ladder", "named_after")
    played = _played(bots, ratings_since)
    counts = dict[int, Counts]()
    for bot, ladder, after in entries:
        since = ratings_since[ladder].get(str(bot))
        if not after:
            counts[bot] = Counts(bot, played.get((bot, ladder), 0), None)
        elif since and since["after"] == after:
            counts[bot] = Counts(bot, since["sets"], since)
        else:
            counts[bot] = Counts(bot, 0, NOT_YET)
    return counts


def _played(bots: Collection[int], ladders: Collection[int]) -> dict[tuple[int, int], int]:
    """Return the sets of all versions, by bot and ladder."""
    rated = Rating.objects.filter(version__bot__in=bots, ladder__in=ladders).order_by()
    sums = rated.values("version__bot", "ladder").annotate(sum=Sum("sets"))
    return {(bot, ladder): sets for bot, ladder, sets in sums.values_list("version__bot", "ladder", "sum")}
