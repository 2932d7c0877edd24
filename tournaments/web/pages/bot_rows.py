"""The versions and entries of a bot, for its pages."""

from collections.abc import Sequence
from statistics import median

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, When

from tournaments.ledger.ladders.places import places_of
from tournaments.models import Bot, Entry, Ladder, MatchSet, Rating, RatingStep, Seat, Version
from tournaments.ratings.intervals import CI95
from tournaments.web.pages.desk.durations import duration_text

NEWCOMERS = 20  # the latest, by which it is said how soon a first set is over


def versions_newest_first(bot: Bot) -> QuerySet[Version]:
    return bot.versions.select_related("bundle").defer("bundle__content").order_by("-number")


def rated_entries(bot: Bot) -> QuerySet[Entry]:
    """Return the bot's entries, each with `rated`, its version that plays there and is rated, and `elo`, `ci95` and
    `sets` of that. Without a set: `first`, a match of its set under way, and how long `newcomers` took to theirs."""
    pinned, active = Q(version=OuterRef("pinned")), Q(version__status=Version.Status.ACTIVE)
    here = Q(pinned | active, version__bot=OuterRef("bot"))
    rating = Rating.objects.filter(here, ladder=OuterRef("ladder"))
    rating = rating.alias(choice=Case(When(pinned, then=0), default=1)).order_by("choice")
    elo, sd, sets, rated = (Subquery(rating.values(name)[:1]) for name in ("elo", "sd", "sets", "version"))
    seats = Seat.objects.filter(here, match__set__ladder=OuterRef("ladder"), match__set__number__isnull=False)
    first = seats.filter(match__set__status=MatchSet.Status.OPEN).order_by("match").values("match")[:1]
    entries = bot.entries.select_related("ladder__anchor", "pinned").annotate(elo=elo, ci95=sd * CI95, sets=sets)
    return entries.annotate(
        rated=rated,
        first=Case(When(sets__gt=0, then=None), default=Subquery(first)),
        newcomers=Case(When(sets__gt=0, then=None), default=_newcomers()),
    ).order_by("pk")


def _newcomers() -> ArraySubquery:
    """How long the latest bots of a ladder took from entering until their first set was over; None for not yet."""
    steps = RatingStep.objects.filter(version__bot=OuterRef("bot"), set__ladder=OuterRef("ladder")).order_by("set")
    entries = Entry.objects.filter(ladder=OuterRef("ladder")).order_by("-pk")
    took = entries.annotate(took=Subquery(steps.values("set__ended_at")[:1]) - F("entered_at"))
    return ArraySubquery(took.values("took")[:NEWCOMERS])


def note_places(entries: Sequence[Entry], active: Version | None) -> None:
    """Set `place` of each entry that has one. Of one that has yet to play its first set there: which version it is, the
    `newcomer`, and how `soon` that is usually over. One query."""
    playing = [entry for entry in entries if entry.status == Entry.Status.PLAYING]
    places = places_of({entry.ladder_id for entry in playing}, {vars(entry)["rated"] for entry in playing})
    for entry in playing:
        row, plays = vars(entry), entry.pinned or active
        row["place"] = places.get((entry.ladder_id, row["rated"]))
        if plays and not row["sets"] and entry.ladder.status in Ladder.PAIRED:
            took = [each.total_seconds() for each in row["newcomers"] if each]
            row.update(newcomer=plays, soon=duration_text(median(took)) if took else "")
