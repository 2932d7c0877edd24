"""The sets that a bot owes after leaving a ladder and coming back, before it has a rank again (`absence_debt`)."""

from fractions import Fraction

from django.db.models import Max, Sum

from tournaments.core.accounts.sides import people_with
from tournaments.models import Entry, Ladder, Rating
from tournaments.ratings.absence_debt import owed


def note_leaving(entry: Entry) -> None:
    entry.left_after = _last(entry.ladder)
    entry.save(update_fields=["left_after"])


def comes_back(entry: Entry) -> None:
    """One that has played nothing there yet has no luck to keep."""
    played = played_by(entry)
    if played:
        entry.ranked_from = played + owed(_missed(entry), max(0.0, entry.ranked_from - played))
        entry.save(update_fields=["ranked_from"])


def played_by(entry: Entry) -> int:
    """Sets, with all versions of its bot."""
    ratings = Rating.objects.filter(ladder=entry.ladder_id, version__bot=entry.bot_id)
    return ratings.aggregate(sets=Sum("sets"))["sets"] or 0


def _missed(entry: Entry) -> float:
    """Return how many sets a bot of another side played since, on average. Bots of its own side do not lower it."""
    ladder = entry.ladder
    opponents = ladder.entries.filter(status=Entry.Status.PLAYING).exclude(bot__owner__in=people_with(entry.bot.owner))
    since = _last(ladder) - (entry.left_after or 0)
    return since * float(Fraction(sum(ladder.sizes), len(ladder.sizes))) / max(1, opponents.count())


def _last(ladder: Ladder) -> int:
    """The number of its latest set; by it, because a ladder may have a million."""
    return ladder.sets.aggregate(last=Max("number"))["last"] or 0
