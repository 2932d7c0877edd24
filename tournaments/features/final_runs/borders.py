"""The borders of a ladder's final table: which bots are near them, and what a final run stores of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.features.final_runs.border_decisions import Border, Line, border_of
from tournaments.ledger.ladders.final_fits import FinalLine, final_table
from tournaments.models import Fit, Ladder, MatchSet


@dataclass(frozen=True, slots=True)
class Borders:
    """Some borders of the final table. `lines`: best first; of bots that play no more those that have a place."""

    lines: Sequence[FinalLine]
    of: Sequence[Border]

    @property
    def lacking(self) -> list[FinalLine]:
        """Return those that still play, and have too few sets for a place."""
        return [line for line in self.lines if line.lacks]

    @property
    def unsure(self) -> list[tuple[FinalLine, FinalLine]]:
        """Pairs that are not told apart, each once, though it may lie across several borders."""
        pairs = {(pair.above - 1, pair.below - 1) for border in self.of for pair in border.unsure}
        return [(self.lines[above], self.lines[below]) for above, below in sorted(pairs)]

    def rows(self) -> list[dict[str, Any]]:
        """Return the borders as a run keeps them: places alone, because names and bots may change."""
        return [_row(border) for border in self.of]

    def bots(self) -> list[int]:
        """Return the bots near any of the borders."""
        return sorted({line.who.bot_id for pair in self.unsure for line in pair})


def borders_of(ladder: Ladder, places: Iterable[int]) -> Borders:
    """Return the borders by the last fit of the sets since the freeze; before any, nobody is told apart."""
    table = final_table(ladder)
    lines = [line for line in table.lines if line.ranked and (line.row.place or line.plays)]
    rated = [Line(line.row.elo, line.row.sd, line.row.comparable or line.lacks > 0) for line in lines]
    return Borders(lines, [border_of(rated, place) for place in places])


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
