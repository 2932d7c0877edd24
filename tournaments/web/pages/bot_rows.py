"""The versions and entries of a bot, for its pages."""

from collections.abc import Sequence

from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, When

from tournaments.ledger.ladders.places import first_sets, places_of
from tournaments.models import Bot, Entry, Ladder, Rating, Version
from tournaments.ratings.intervals import CI95
from tournaments.web.pages.desk.durations import duration_text


def versions_newest_first(bot: Bot) -> QuerySet[Version]:
    return bot.versions.select_related("bundle").defer("bundle__content").order_by("-number")


def rated_entries(bot: Bot) -> QuerySet[Entry]:
    """Return the bot's entries, each with `rated`, its version that plays there if it is rated, and that one's `elo`,
    `ci95` and `sets`."""
    pinned, active = Q(version=OuterRef("pinned")), Q(version__status=Version.Status.ACTIVE)
    rating = Rating.objects.filter(pinned | active, ladder=OuterRef("ladder"), version__bot=OuterRef("bot"))
    rating = rating.alias(choice=Case(When(pinned, then=0), default=1)).order_by("choice")
    elo, sd, sets, rated = (Subquery(rating.values(name)[:1]) for name in ("elo", "sd", "sets", "version"))
    entries = bot.entries.select_related("ladder__anchor", "pinned")
    return entries.annotate(elo=elo, ci95=sd * CI95, sets=sets, rated=rated).order_by("pk")


def note_places(entries: Sequence[Entry], active: Version | None) -> None:
    """Set `place` of each entry that has one. Of one that has yet to play its first set there: which version it is, the
    `newcomer`, `first`, a match of its set, and how `soon` that is usually over. Two queries."""
    playing = {entry.pk: entry for entry in entries if entry.status == Entry.Status.PLAYING}
    rated = {pk: vars(entry)["rated"] for pk, entry in playing.items()}
    places = places_of({entry.ladder_id for entry in playing.values()}, set(rated.values()))
    for pk, entry in playing.items():
        vars(entry)["place"] = places.get((entry.ladder_id, rated[pk]))
    unplayed = [entry for entry in playing.values() if not vars(entry)["sets"] and entry.ladder.status in Ladder.PAIRED]
    plays = {entry.pk: version for entry in unplayed if (version := entry.pinned or active)}
    for pk, (match, seconds) in first_sets({pk: version.pk for pk, version in plays.items()}).items():
        soon = duration_text(max(1.0, seconds)) if seconds else ""
        vars(playing[pk]).update(newcomer=plays[pk], first=match, soon=soon)
