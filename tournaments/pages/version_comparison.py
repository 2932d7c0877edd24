"""Two versions of a bot side by side: public results; changes only for those who run it."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Avg, Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from engine.referee import Verdict
from tournaments.accounts.permissions import may_see
from tournaments.accounts.visibility import seen_by
from tournaments.competitors.drafts.line_diff import differing
from tournaments.competitors.drafts.templates import files_of
from tournaments.models import Bot, Match, Rating, Seat, User, Version
from tournaments.pages.bot_rows import versions_of
from tournaments.pages.lookup import bot_or_404
from tournaments.pages.query_values import whole
from tournaments.pages.sentences import say
from tournaments.ratings.table import CI95

LINES = 3000  # of a file that is compared
SHOWN = 4000  # lines of all differences together


@dataclass(frozen=True, slots=True)
class Side:
    """A version and its public matches, its check left out."""

    version: Version
    matches: int
    first: int
    mean_place: float | None
    faults: int
    cpu_ms: float | None
    ratings: list[tuple[Rating, float]]  # and half the interval


@dataclass(frozen=True, slots=True)
class Difference:
    """A file: what became of it, and the lines as a unified diff."""

    path: str
    what: str
    lines: list[tuple[str, str]]  # a class and the line


def compare(request: HttpRequest, number: int) -> HttpResponse:
    """`?a=1&b=2`; without them the two newest."""
    bot = bot_or_404(number, request.user)
    versions = list(versions_of(bot))
    if len(versions) < 2:
        raise Http404(say("%(bot)s has no two versions that could be compared.", bot=bot))
    old = chosen(versions, request.GET.get("a"), versions[1])
    new = chosen(versions, request.GET.get("b"), versions[0])
    mine = may_see(request.user, bot)
    context = {
        "bot": bot,
        "versions": versions,
        "sides": [side(version, request.user) for version in (old, new)],
        "mine": mine,
        "differences": differences(bot, old, new) if mine else [],
    }
    return render(request, "compare.html", context)


def chosen(versions: list[Version], text: str | None, otherwise: Version) -> Version:
    if text is None:
        return otherwise
    found = next((version for version in versions if version.number == whole(text)), None)
    if found is None:
        raise Http404(f"There is no version “{text:.20}” of this bot.")
    return found


def side(version: Version, viewer: User | AnonymousUser) -> Side:
    public = Q(match__status=Match.Status.DONE, match__set__checks=None, match__set__trial=None)
    seats = Seat.objects.filter(seen_by(viewer, "match__set__"), public, version=version)
    counts = seats.aggregate(
        matches=Count("pk"),
        first=Count("pk", filter=Q(place=1)),
        mean_place=Avg("place"),
        faults=Count("pk", filter=~Q(verdict=Verdict.OK)),
        cpu_ms=Avg("cpu_ms"),
    )
    rated = Rating.objects.filter(version=version, elo__isnull=False).select_related("ladder").order_by("ladder")
    return Side(version=version, ratings=[(rating, (rating.sd or 0) * CI95) for rating in rated], **counts)


def differences(bot: Bot, old: Version, new: Version) -> list[Difference]:
    """File by file, those that are alike left out; bounded, since a bundle may hold megabytes of short lines."""
    both = bot.versions.filter(pk__in=(old.pk, new.pk)).select_related("bundle").in_bulk()
    before, after = files_of(both[old.pk]), files_of(both[new.pk])
    found, room = [], SHOWN
    for path in sorted(before.keys() | after.keys()):
        if path in before and path in after and before[path] is not None and before[path] == after[path]:
            continue
        each = difference(path, before, after, room)
        room -= len(each.lines)
        found.append(each)
    return found


def difference(path: str, before: dict[str, str | None], after: dict[str, str | None], room: int) -> Difference:
    what = "added" if path not in before else "removed" if path not in after else "changed"
    one, other = before.get(path, ""), after.get(path, "")
    if one is None or other is None:
        return Difference(path, f"{what}; it is no text" if what != "changed" else "no text; not compared", [])
    if max(one.count("\n"), other.count("\n")) > LINES or room <= 0:
        return Difference(path, f"{what}; too long to be shown here", [])
    return Difference(path, what, differing(one, other, room))
