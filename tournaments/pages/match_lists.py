"""Recent matches, newest first, page by page: `?before=ID` goes on below the match of that id."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from tournaments.accounts.visibility import seen_by
from tournaments.models import Match, Seat, User
from tournaments.pages.query_values import whole

LENGTH = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A match and its seats, the best place first."""

    match: Match
    seats: list[Seat]


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Row]
    older: int | None  # continue before this id, if there is more
    newest: bool  # whether this page begins at the newest


def recorded(viewer: User | AnonymousUser | None) -> QuerySet[Match]:
    """Matches that were played, as far as they are public; checks are private."""
    return Match.objects.filter(seen_by(viewer), status=Match.Status.DONE, set__checks=None)


def page(matches: QuerySet[Match], before: str | None = None, length: int = LENGTH) -> Page:
    """The next `length` of `matches`. A `before` that is no id begins at the newest. Two queries."""
    start = whole(before)
    if start is not None:
        matches = matches.filter(id__lt=start)
    wanted = (
        matches.select_related("set__ladder", "set__event", "set__trial", "result")
        .defer("result__replay", "set__seed")
        .order_by("-id")
    )
    found = list(wanted.prefetch_related("seats__version__bot")[: length + 1])
    rows = [Row(match, by_place(match)) for match in found[:length]]
    return Page(rows, found[length - 1].pk if len(found) > length else None, start is None)


def by_place(match: Match) -> list[Seat]:
    return sorted(match.seats.all(), key=lambda seat: (seat.place or 99, seat.number))
