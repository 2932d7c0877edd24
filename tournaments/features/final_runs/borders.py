"""The borders of a ladder's current table: which bots are near them, and what a final run stores of each."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.features.final_runs.border_decisions import Border, Line, border_of
from tournaments.ledger.ladders.standings import StandingsTable
from tournaments.ledger.ladders.standings_lines import StandingsLine
from tournaments.models import Fit, Ladder, MatchSet, Rating


@dataclass(frozen=True, slots=True)
class Borders:
    """Some borders of a table. `lines`: best first, as people see them."""

    lines: Sequence[StandingsLine]
    strangers: Collection[int]  # versions that no games connect with the others
    of: Sequence[Border]

    @property
    def unsure(self) -> list[tuple[StandingsLine, StandingsLine]]:
        """Pairs that are not told apart, each once, though it may lie across several borders."""
        pairs = {(pair.above - 1, pair.below - 1) for border in self.of for pair in border.unsure}
        return [(self.lines[above], self.lines[below]) for above, below in sorted(pairs)]

    def near(self, border: Border) -> list[StandingsLine]:
        """Return the lines of its unsure pairs, best first."""
        places = {place for pair in border.unsure for place in (pair.above, pair.below)}
        return [self.lines[place - 1] for place in sorted(places)]

    def rows(self) -> list[dict[str, Any]]:
        """Return the borders as a run keeps them: places alone, because names and bots may change."""
        return [_row(border) for border in self.of]

    def bots(self) -> list[int]:
        """Return the bots near any of the borders."""
        return sorted({line.bot_id for pair in self.unsure for line in pair})


def borders_of(ladder: Ladder, places: Iterable[int]) -> Borders:
    """Return the borders, as exact as the table: by the last fit, moved by the sets that came since."""
    table = StandingsTable(ladder)
    strangers = _strangers(ladder, table)
    lines = [Line(line.elo, line.sd, line.version_id not in strangers) for line in table.lines]
    return Borders(table.lines, strangers, [border_of(lines, place) for place in places])


def _strangers(ladder: Ladder, table: StandingsTable) -> set[int]:
    """Return versions that no games connect. A version that came after the fit is connected if its bot has played."""
    played = set(Rating.objects.filter(ladder=ladder, sets__gt=0).values_list("version__bot", flat=True))
    fitted = table.fitted([line.version_id for line in table.lines])
    return {
        line.version_id
        for line in table.lines
        if not (row.comparable if (row := fitted.get(line.version_id)) else line.bot_id in played)
    }


def is_settled(ladder: Ladder) -> bool:
    """Whether the last fit holds all that is over."""
    over = ladder.sets.filter(status=MatchSet.Status.COMPLETE, number__isnull=False, counts=True, rated=False)
    return Fit.objects.filter(ladder=ladder, stale=False).exists() and not over.exists()


def _row(border: Border) -> dict[str, Any]:
    least = border.least
    places = [place for pair in border.unsure for place in (pair.above, pair.below)]
    return {
        "after": border.after,
        "decided": border.decided,
        "above": least and least.above,
        "below": least and least.below,
        "likely": None if least is None or least.likely is None else round(least.likely, 4),
        "pairs": len(border.unsure),
        "first": min(places, default=None),
        "last": max(places, default=None),
    }
