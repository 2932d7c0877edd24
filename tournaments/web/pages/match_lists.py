"""Recent matches, newest first, page by page: `?before=ID` continues below the match with that id."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from engine.games import GAMES
from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.spaces import Viewer
from tournaments.core.accounts.visibility import released_to, seen_by, sets_listed_for
from tournaments.core.notices.headlines import headline_of
from tournaments.ledger.statistics.match_pages import Place, ids_in_ladder, ids_of_bot, ids_of_versions, match_ids
from tournaments.models import Bot, Event, Ladder, Match, MatchSet, Seat, User, Version
from tournaments.web.pages.query_values import whole

LENGTH = 20
# The board is shown of what strangers may see, whoever looks at the list, if the engine still plays by those rules.
KNOWN = Q(*((Q(set__game=game.name, set__rules=game.version)) for game in GAMES.values()), _connector=Q.OR)
OVER = ~Q(set__status=MatchSet.Status.OPEN) & Q(set__checks=None) & ~Q(result__replay=b"")
NO_TRIALS = Q(set__trial=None)  # in which a bot plays against itself: they are no matches of a ladder
COUNTED = NO_TRIALS & Q(set__rechecks=None)  # where it is said how many are played now: spot checks are not shown
PLAYED = Q(status=Match.Status.DONE, set__checks=None)
SHOWN = released_to(None, "set__") & OVER & KNOWN
ROWS = (
    Match.objects.select_related("set__ladder", "set__event", "set__trial", "result")
    .defer("result__replay", "set__seed")
    .prefetch_related("seats__version__bot")
    .annotate(shown=ExpressionWrapper(SHOWN, BooleanField()))
    .order_by("-pk")
)


@dataclass(frozen=True, slots=True)
class Row:
    """A match and its seats, the best place first. In the list of a bot, `lost` is its seat if it did not win;
    in a gallery, `fact` is why it stands there."""

    match: Match
    seats: list[Seat]
    lost: int | None = None
    fact: str = ""

    @property
    def headline(self) -> str:
        return headline_of(self.match)

    @property
    def board(self) -> int | None:
        """The match, if its board is shown."""
        return self.match.pk if vars(self.match)["shown"] else None


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Row]
    older: int | None  # continue before this id, if there is more
    newest: bool  # whether this page begins at the newest

    @property
    def board(self) -> int | None:
        """The first match on it whose board is shown."""
        return next((row.board for row in self.rows if row.board), None)


def recorded_matches(viewer: Viewer) -> QuerySet[Match]:
    """Matches that were played, as far as they are public; checks are private."""
    return Match.objects.filter(seen_by(viewer), PLAYED)


def listed_matches(viewer: Viewer) -> QuerySet[Match]:
    """Return the matches that stand in the site's lists."""
    return Match.objects.filter(sets_listed_for(viewer), PLAYED)


def page_of_ladder(viewer: Viewer, ladder: Ladder, before: str | None) -> Page:
    """Spot checks are dealt beside the ladder's own deals, and organisers alone see them."""
    if organises(viewer):
        return page_of_matches(recorded_matches(viewer).filter(NO_TRIALS, set__ladder=ladder), before)
    return _page(lambda at: ids_in_ladder(recorded_matches(viewer).filter(NO_TRIALS), ladder, at), before)


def page_of_bot(viewer: Viewer, bot: Bot, before: str | None) -> Page:
    page = _page(lambda at: ids_of_bot(recorded_matches(viewer), bot, at), before)
    return replace(page, rows=[replace(row, lost=_lost_seat(row, bot)) for row in page.rows])


def _lost_seat(row: Row, bot: Bot) -> int | None:
    if row.match.set.status == MatchSet.Status.OPEN:
        return None
    return next((seat.number for seat in row.seats if seat.version.bot_id == bot.pk and (seat.place or 0) > 1), None)


def of_versions(matches: QuerySet[Match], versions: Sequence[int], before: str | None) -> Page:
    return _page(lambda at: ids_of_versions(matches, versions, at), before)


def page_of_matches(matches: QuerySet[Match], before: str | None = None, length: int = LENGTH) -> Page:
    """The next `length` of `matches`."""
    return _page(lambda at: match_ids(matches, at), before, length)


def _page(ids: Callable[[Place], list[int]], before: str | None, length: int = LENGTH) -> Page:
    """A `before` that is no id begins at the newest."""
    start = whole(before)
    found = ids(Place(start, length + 1))
    rows = [Row(match, by_place(match)) for match in ROWS.filter(pk__in=found[:length])]
    return Page(rows, found[length - 1] if len(found) > length else None, start is None)


def board_of_event(event: Event) -> int | None:
    """The latest match of it whose board is shown."""
    rows = Match.objects.filter(PLAYED, SHOWN, set__event=event)
    return next(iter(match_ids(rows, Place(None, 1))), None)


def board_of_owner(owner: User) -> int | None:
    """The latest match of their bots whose board is shown."""
    versions = list(Version.objects.filter(bot__owner=owner).values_list("pk", flat=True))
    return next(iter(ids_of_versions(recorded_matches(None).filter(NO_TRIALS, SHOWN), versions, Place(None, 1))), None)


def match_after(match: Match) -> int | None:
    """Return the match that follows in its ladder, from a newer set to an older one, as lists lead. Whoever sees one
    numbered set of a ladder sees all: none is held back, and they are of one space."""
    if match.set.number is None:
        return None
    older = Match.objects.filter(PLAYED, set__ladder=match.set.ladder_id, set__number__lt=match.set.number)
    ranked = older.filter(set__status=MatchSet.Status.COMPLETE).order_by("-set__number", "turn")
    return ranked.values_list("pk", flat=True).first()


def by_place(match: Match) -> list[Seat]:
    return sorted(match.seats.all(), key=lambda seat: (seat.place or 99, seat.number))
