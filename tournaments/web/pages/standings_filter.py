"""The lines of a ladder's table that an address asks for, and their columns:
`?name=&owner=&language=&status=&house=&details=&page=&left=`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from tournaments.ledger.ladders.left_entries import Left, left_in
from tournaments.ledger.ladders.shadow_ratings import Shadow, shadow_lines, shadow_of
from tournaments.ledger.ladders.standings import Standing, StandingsTable
from tournaments.ledger.ladders.standings_lines import StandingsLine
from tournaments.ledger.ladders.standings_order import NEED, STATUS, Spot
from tournaments.ledger.statistics.trends import Trend, trends
from tournaments.models import Entry, Ladder, ShadowFit
from tournaments.web.pages.query_values import whole

LENGTH = 50  # lines
FILTERS = ("name", "owner", "language", "status", "house")
NAMED = {"name", "owner", "house"}  # what the order does not know


@dataclass(frozen=True, slots=True)
class Row:
    line: Standing
    trend: Trend | None  # None before the first set
    shadow: Shadow | None = None  # what the rating would be without the luck of the dice


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Row]
    bots: int  # in the ladder
    found: int  # of them
    number: int  # of this page, from 1
    pages: int
    filters: dict[str, str]  # the filters that are set
    languages: list[str]  # of the bots in the ladder
    statuses: list[str]
    leader: str
    left: list[Left]  # below the last line of all, at most LENGTH
    left_bots: int  # all that left
    left_page: int  # of them, from 1
    details: bool = False  # the columns that few need, in place of the usual ones
    shadow: ShadowFit | None = None  # among them, of a ladder that tells luck

    @property
    def provisional(self) -> bool:
        return any(row.line.place and not row.line.rank for row in self.rows)

    @property
    def first(self) -> int:
        return 1 + (self.number - 1) * LENGTH if self.rows else 0

    @property
    def last(self) -> int:
        return (self.number - 1) * LENGTH + len(self.rows)

    @property
    def earlier(self) -> str:
        return self._address(self.number - 1) if self.number > 1 else ""

    @property
    def later(self) -> str:
        return self._address(self.number + 1) if self.number < self.pages else ""

    @property
    def left_earlier(self) -> str:
        return self._left_address(self.left_page - 1) if self.left_page > 1 else ""

    @property
    def left_later(self) -> str:
        return self._left_address(self.left_page + 1) if self.left_page * LENGTH < self.left_bots else ""

    def _left_address(self, number: int) -> str:
        return f"?{urlencode({**self._shown, 'page': self.pages, 'left': number})}#standings"

    def _address(self, number: int) -> str:
        return f"?{urlencode({**self.filters, **self._shown, 'page': number})}#standings"

    @property
    def _shown(self) -> dict[str, int]:
        return {"details": 1} if self.details else {}


def standings_page(ladder: Ladder, query: QueryDict) -> Page:
    """An impossible filter finds nothing; a page beyond the last is the last. Always as many queries, and two more for
    details."""
    table = StandingsTable(ladder)
    filters = {name: value for name in FILTERS if (value := query.get(name, "").strip()[:80])}
    found = _found(table, filters)
    pages = max(1, -(-len(found) // LENGTH))
    number = min(max(1, whole(query.get("page")) or 1), pages)
    lines = table.standings(found[(number - 1) * LENGTH : number * LENGTH])
    details = query.get("details") == "1"
    known = trends(ladder, [line.version_id for line in lines]) if details else {}
    shadow = shadow_of(ladder) if details else None
    shadows = shadow_lines(shadow)
    left = left_in(ladder) if number == pages and not filters else []
    left_page = min(max(1, whole(query.get("left")) or 1), max(1, -(-len(left) // LENGTH)))
    statuses = {row[STATUS] for row in table.order.rows}
    return Page(
        rows=[Row(line, known.get(line.version_id), shadows.get(line.version_id)) for line in lines],
        bots=len(table.order),
        found=len(found),
        number=number,
        pages=pages,
        filters=filters,
        languages=sorted({row[NEED] for row in table.order.rows}),
        statuses=[status for status in Entry.Status.values if status in statuses],
        leader=leader_of(table, lines),
        left=left[(left_page - 1) * LENGTH : left_page * LENGTH],
        left_bots=len(left),
        left_page=left_page,
        details=details,
        shadow=shadow,
    )


def leader_of(table: StandingsTable, lines: Sequence[Standing]) -> str:
    if not table.order.rows:
        return ""
    if lines and lines[0].version_id == table.order[0].version_id:
        return lines[0].bot
    return next((line.bot for line in table.lines_at([0]).values()), "")


def _found(table: StandingsTable, filters: dict[str, str]) -> Sequence[int]:
    """The places of the lines that fit. Names are read where they are asked for."""
    if not filters:
        return range(len(table.order))
    if filters.keys() & NAMED:
        return [place for place, line in table.lines_at(range(len(table.order))).items() if _fits(line, filters)]
    return [place for place in range(len(table.order)) if _fits(table.order[place], filters)]


def _fits(line: StandingsLine | Spot, filters: dict[str, str]) -> bool:
    return all(_tests(line, filters))


def _tests(line: StandingsLine | Spot, filters: dict[str, str]) -> Iterator[bool]:
    yield filters.get("language", line.need) == line.need
    yield filters.get("status", line.status) == line.status
    if isinstance(line, StandingsLine):
        yield filters.get("name", "").lower() in line.bot.lower()
        yield filters.get("owner", line.owner).lower() == line.owner.lower()
        yield not ("house" in filters and line.house)
