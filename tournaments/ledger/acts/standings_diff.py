"""A ladder's table before and after an action. It is a function of the ledger, so the action need not be done."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from tournaments.ledger.ladders.foreseen_fits import foresee
from tournaments.ledger.ladders.standings import standings
from tournaments.models import Ladder
from tournaments.ratings.ledger import Ledger
from tournaments.ratings.table import ranks_of

LOGGED = 200  # lines of all tables that the log keeps, those that moved most: anybody can compute the rest


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A bot's line; None where it has none."""

    bot: str
    version: int  # its number
    rank_before: int | None
    rank_after: int | None
    elo_before: float | None
    elo_after: float | None

    @property
    def moved(self) -> float:
        """Return how far the rating moves, in Elo; infinity for who comes or goes, which is the most."""
        if self.elo_before is None or self.elo_after is None:
            return float("inf")
        return abs(self.elo_after - self.elo_before)


@dataclass(frozen=True, slots=True)
class Comparison:
    ladder: str  # its slug
    title: str
    sets_before: int
    sets_after: int
    lines: list[DiffLine]  # all, in the order after

    def as_detail(self, lines: int) -> dict[str, Any]:
        """Return it with so many lines."""
        most = sorted(self.lines, key=lambda line: -line.moved)[:lines]
        kept = [asdict(line) for line in self.lines if line in most]
        return {**asdict(self), "lines": kept, "of": len(self.lines)}


class DiffPlace(NamedTuple):
    """In a table, with what it says of the bot."""

    bot: str
    version: int
    rank: int | None
    elo: float


def compare_standings(ladder: Ladder, before: Ledger, after: Ledger) -> Comparison:
    """The table that is shown now, which is that of `before`; and the exact one after."""
    first, then = _shown(ladder), _foreseen(after)
    gone = [version for version in first if version not in then]
    lines = [_line(first.get(version), then.get(version)) for version in (*then, *gone)]
    return Comparison(ladder.slug, ladder.title, len(before.sets), len(after.sets), lines)


def _shown(ladder: Ladder) -> dict[int, DiffPlace]:
    return {line.version_id: DiffPlace(line.bot, line.version, line.rank, line.elo) for line in standings(ladder)}


def _foreseen(ledger: Ledger) -> dict[int, DiffPlace]:
    fit, versions = foresee(ledger), ledger.versions
    return {
        key: DiffPlace(versions[key].bot, versions[key].number, rank, round(fit.elo[key], 1))
        for key, rank in ranks_of(fit, versions).items()
    }


def _line(before: DiffPlace | None, after: DiffPlace | None) -> DiffLine:
    place = after or before
    assert place
    return DiffLine(
        bot=place.bot,
        version=place.version,
        rank_before=before.rank if before else None,
        rank_after=after.rank if after else None,
        elo_before=before.elo if before else None,
        elo_after=after.elo if after else None,
    )
