"""Two versions of a bot side by side: public results; changes only for those who run it."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Avg, Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from bots.archive import BundleError
from bots.bundle import USUAL_UPLOAD, read_bundle
from engine.referee import Verdict
from tournaments.core.accounts.permissions import may_see
from tournaments.core.accounts.visibility import seen_by
from tournaments.core.config.budgets import Budget, declare
from tournaments.models import Bot, Match, Rating, Seat, User, Version
from tournaments.ratings.intervals import elo_interval
from tournaments.web.pages.bot_rows import versions_newest_first
from tournaments.web.pages.line_diff import SHOWN, bytes_on_page, differing_lines
from tournaments.web.pages.lookup import bot_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import say

Files = dict[str, bytes]  # by path
LINES = 3000  # of a file that is compared
FILES = 200  # that differ and are named
COMPARED = declare(
    Budget(
        "size of a file that is compared, both versions together",
        resource="Texts",
        most=512 << 10,
        unit="bytes",
        holder="file",
        where="tournaments.web.pages.version_comparison.difference",
        sentence="files of at most %(most)s bytes together are compared on a page",
    )
)
UNPACKED = declare(
    Budget(
        "size of a version that is compared",
        resource="Texts",
        most=USUAL_UPLOAD,
        unit="bytes",
        holder="version",
        where="tournaments.web.pages.version_comparison.files_within",
        sentence="versions of at most %(most)s bytes, and twice as many unpacked, are compared on a page",
    )
)


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


def compare_versions(request: HttpRequest, number: int) -> HttpResponse:
    """`?a=1&b=2`; without them the two newest."""
    bot = bot_or_404(number, request.user)
    versions = list(versions_newest_first(bot))
    if len(versions) < 2:
        raise Http404(say("%(bot)s has no two versions that could be compared.", bot=bot))
    old = chosen_version(versions, request.GET.get("a"), versions[1])
    new = chosen_version(versions, request.GET.get("b"), versions[0])
    mine = may_see(request.user, bot)
    context = {
        "bot": bot,
        "versions": versions,
        "sides": [side(version, request.user) for version in (old, new)],
        "mine": mine,
        "differences": file_differences(bot, old, new) if mine else [],
    }
    return render(request, "compare.html", context)


def chosen_version(versions: list[Version], text: str | None, otherwise: Version) -> Version:
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
    return Side(version=version, ratings=[(rating, elo_interval(rating.sd or 0)) for rating in rated], **counts)


def file_differences(bot: Bot, old: Version, new: Version) -> list[Difference]:
    """Return what became of each file, those that are alike left out; bounded, since a bundle may hold megabytes."""
    both = bot.versions.select_related("bundle").defer("bundle__content").in_bulk((old.pk, new.pk))
    before, after = files_within(both[old.pk]), files_within(both[new.pk])
    if before is None or after is None:
        return [Difference("…", "too large to be compared here", [])]
    found: list[Difference] = []
    room = SHOWN.most
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) == after.get(path):
            continue
        if len(found) == FILES:
            return [*found, Difference("…", "more files differ", [])]
        found.append(difference(path, before, after, room))
        room -= sum(map(bytes_on_page, found[-1].lines))
    return found


def files_within(version: Version) -> Files | None:
    """Return the files of a version; None for one that is too large to be compared, or cannot be read any more."""
    if version.bundle.size > UNPACKED.most:
        return None
    try:
        return read_bundle(bytes(version.bundle.content), version.filename, UNPACKED.most).files
    except BundleError:
        return None


def difference(path: str, before: Files, after: Files, room: int) -> Difference:
    """Return what became of a file, in about `room` bytes of lines."""
    what = "added" if path not in before else "removed" if path not in after else "changed"
    one, other = before.get(path, b""), after.get(path, b"")
    if max(one.count(b"\n"), other.count(b"\n")) > LINES or len(one) + len(other) > COMPARED.most or room <= 0:
        return Difference(path, f"{what}; too long to be shown here", [])
    try:
        return Difference(path, what, differing_lines(one.decode(), other.decode(), room))
    except UnicodeDecodeError:
        return Difference(path, f"{what}; it is no text" if what != "changed" else "no text; not compared", [])
