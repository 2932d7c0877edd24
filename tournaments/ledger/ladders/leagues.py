"""Leagues: how many characters of its ladder a bot is better than, with confidence.

The characters are the rungs of the field that play in the ladder (`bots.characters`). A bot beats one with confidence
if the 95 % interval of the difference of their ratings is above zero. A bot that has no rank for want of sets is in no
league, nor is one in a ladder in which fewer characters play than there are leagues.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from math import hypot
from typing import Final, NamedTuple

from django.db.models import F, Q

from bots.characters import characters_of
from engine.sentences import Sentence
from tournaments.ledger.competitors.entry_states import GONE
from tournaments.models import Entry, Rating, Version
from tournaments.ratings.intervals import CI95, provisional

LEAGUES: Final = {  # with what they are called, the lowest first
    "bronze": Sentence("Bronze"),
    "silver": Sentence("Silver"),
    "gold": Sentence("Gold"),
    "platinum": Sentence("Platinum"),
    "diamond": Sentence("Diamond"),
    "legend": Sentence("Legend"),
}


class Strength(NamedTuple):
    """A rating, and its 95 % interval to either side."""

    elo: float
    ci95: float


def playing_characters(game: str, ladders: Collection[int]) -> dict[int, list[Strength]]:
    """Return the ratings of the characters that play in each of these ladders of the game, by one query."""
    strengths: defaultdict[int, list[Strength]] = defaultdict(list)
    names = characters_of(game)
    if names:
        entry = "version__bot__entries__"
        active = Q(**{f"{entry}pinned": None}, version__status=Version.Status.ACTIVE)
        statuses = set(Entry.Status) - set(GONE)
        rows = Rating.objects.filter(
            active | Q(**{f"{entry}pinned": F("version")}),
            ladder__in=ladders,
            sets__gt=0,
            version__bot__house__in=list(names),
            **{f"{entry}ladder": F("ladder"), f"{entry}status__in": statuses},
        )
        for ladder, elo, sd in rows.values_list("ladder", "elo", "sd"):
            if elo is not None and sd is not None:
                strengths[ladder].append(Strength(elo, CI95 * sd))
    return strengths


def beaten_with_confidence(bot: Strength, characters: Sequence[Strength]) -> int:
    """Return how many characters the bot is better than."""
    return sum(bot.elo - other.elo > hypot(bot.ci95, other.ci95) for other in characters)


def league_of(bot: Strength, sets: int, characters: Sequence[Strength]) -> str:
    """Return the bot's league, nothing if it is in none."""
    if not sets or provisional(bot.ci95) or len(characters) < len(LEAGUES):
        return ""
    beaten = beaten_with_confidence(bot, characters)
    reached = [league for league, needed in needed_for_leagues(len(characters)) if beaten >= needed]
    return reached[-1] if reached else ""


def needed_for_leagues(characters: int) -> list[tuple[str, int]]:
    """Return each league with how many of so many characters must be beaten for it: from one to all, evenly."""
    steps = len(LEAGUES) - 1
    return [(league, max(1, -(-characters * step // steps))) for step, league in enumerate(LEAGUES)]
