"""A ladder's table before and after an act, from nothing but the ledger: the act need not be done to be shown."""

from dataclasses import asdict, dataclass
from typing import Any

from tournaments.models import Ladder
from tournaments.ratings.ledger import Ledger
from tournaments.ratings.table import Row, table_of

LOGGED = 100  # lines of a table that the log keeps, those that moved most: anybody can reckon the rest


@dataclass(frozen=True, slots=True)
class Line:
    """A bot's line; None where it has none."""

    bot: str
    version: int  # its number
    rank_before: int | None
    rank_after: int | None
    elo_before: float | None
    elo_after: float | None

    @property
    def moved(self) -> float:
        """In Elo; who comes or goes moves most."""
        if self.elo_before is None or self.elo_after is None:
            return float("inf")
        return abs(self.elo_after - self.elo_before)


@dataclass(frozen=True, slots=True)
class Comparison:
    ladder: str  # its slug
    title: str
    sets_before: int
    sets_after: int
    lines: list[Line]  # all, in the order after

    def told(self) -> dict[str, Any]:
        most = sorted(self.lines, key=lambda line: -line.moved)[:LOGGED]
        kept = [asdict(line) for line in self.lines if line in most]
        return {**asdict(self), "lines": kept, "of": len(self.lines)}


def compare(ladder: Ladder, before: Ledger, after: Ledger) -> Comparison:
    first = {row.version: row for row in table_of(before).rows}
    then = {row.version: row for row in table_of(after).rows}
    gone = [version for version in first if version not in then]
    lines = [_line(first.get(version), then.get(version)) for version in (*then, *gone)]
    return Comparison(ladder.slug, ladder.title, len(before.sets), len(after.sets), lines)


def _line(before: Row | None, after: Row | None) -> Line:
    row = after or before
    assert row
    return Line(
        bot=row.bot,
        version=row.number,
        rank_before=before.rank if before else None,
        rank_after=after.rank if after else None,
        elo_before=before.elo if before else None,
        elo_after=after.elo if after else None,
    )
