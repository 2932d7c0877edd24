"""The table people look at."""

from dataclasses import dataclass

from tournaments.elo import START
from tournaments.models import Entry, Ladder, Rating, Version


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a ladder: an entered bot with the version that plays for it, best first."""

    rank: int
    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int  # its number
    elo: float
    delta: float  # by its last set
    sets: int
    games: int
    win_pct: float
    place_mean: float
    forfeit_pct: float
    status: str  # of the entry


def standings(ladder: Ladder) -> list[Standing]:
    """Every entered bot that has an active version, in three queries whatever their number."""
    entries = Entry.objects.filter(ladder=ladder).exclude(status=Entry.Status.WITHDRAWN).select_related("bot__owner")
    active = {version.bot_id: version for version in active_versions(ladder)}
    ratings = ratings_by_bot(ladder)
    lines = [
        (rating_of(active[entry.bot_id], ratings.get(entry.bot_id, [])), entry, active[entry.bot_id])
        for entry in entries
        if entry.bot_id in active
    ]
    lines.sort(key=lambda line: (-line[0].milli_elo, line[1].pk))
    return [_standing(rank, *line) for rank, line in enumerate(lines, 1)]


def active_versions(ladder: Ladder) -> list[Version]:
    """Of every bot that has ever entered the ladder."""
    return list(Version.objects.filter(status=Version.Status.ACTIVE, bot__entries__ladder=ladder))


def ratings_by_bot(ladder: Ladder) -> dict[int, list[Rating]]:
    """The ratings of every version in the ladder, by bot."""
    ratings: dict[int, list[Rating]] = {}
    for rating in Rating.objects.filter(ladder=ladder).select_related("version"):
        ratings.setdefault(rating.version.bot_id, []).append(rating)
    return ratings


def rating_of(version: Version, ratings: list[Rating]) -> Rating:
    """The version's rating; before its first set, its forerunner's number with nothing played."""
    forerunners = [rating for rating in ratings if rating.version.number <= version.number]
    if not forerunners:
        return Rating(version=version, milli_elo=START)
    latest = max(forerunners, key=lambda rating: rating.version.number)
    return latest if latest.version_id == version.pk else Rating(version=version, milli_elo=latest.milli_elo)


def _standing(rank: int, rating: Rating, entry: Entry, version: Version) -> Standing:
    games = max(1, rating.games)
    return Standing(
        rank=rank,
        bot_id=entry.bot_id,
        bot=entry.bot.name,
        owner=entry.bot.owner.username,
        version_id=version.pk,
        version=version.number,
        elo=rating.elo_classic,
        delta=rating.delta / 1000,
        sets=rating.sets,
        games=rating.games,
        win_pct=100 * rating.wins / games,
        place_mean=rating.places / games,
        forfeit_pct=100 * rating.forfeits / games,
        status=entry.status,
    )
