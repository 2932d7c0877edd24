"""The final table of a frozen or closed ladder, made with each official fit (`tournaments.ratings.final_table`)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from tournaments.ledger.ladders.standings import StandingsTable
from tournaments.ledger.ladders.standings_lines import StandingsLine
from tournaments.models import Entry, Fit, Ladder
from tournaments.ratings.final_table import LEAST, FinalRow, final_by
from tournaments.ratings.intervals import elo_interval
from tournaments.ratings.ledger import Version
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import START


def final_of_ladder(ladder: Ladder, pairs: Pairs, versions: Mapping[int, Version]) -> dict[str, Any] | None:
    """Return what a fit stores of the sets dealt since the versions were fixed; None while they are not."""
    after = Ladder.objects.values_list("final_after", flat=True).get(pk=ladder.pk)
    if after is None:
        return None
    return asdict(final_by(pairs, versions, after, prior_sd=ladder.prior_sd, rules=ladder.fit_rules))


@dataclass(frozen=True, slots=True)
class FinalLine:
    """A bot of the ladder's table, and what the sets since say of it."""

    who: StandingsLine
    row: FinalRow
    ranked: bool  # it may have a rank

    @property
    def plays(self) -> bool:
        return self.who.status == Entry.Status.PLAYING

    @property
    def lacks(self) -> int:
        """How many more sets it needs for a place."""
        return max(0, LEAST - self.row.sets) if self.plays and self.ranked else 0


@dataclass(frozen=True)
class FinalTable:
    """The bots of a ladder by the sets since its freeze, best first; before a freeze they have none."""

    sets: int
    zero: float
    lines: Sequence[FinalLine]
    closed: bool  # nobody gets more sets

    @cached_property
    def placed(self) -> list[FinalLine]:
        return [line for line in self.lines if line.row.place]

    @cached_property
    def lacking(self) -> list[FinalLine]:
        """Return those that still play, and have too few sets for a place."""
        return [line for line in self.lines if line.lacks]

    @property
    def winners(self) -> list[int]:
        """Return the bots that share the first place: once every bot that plays has one, or most have as it closes.

        Otherwise a bot that no worker can run would leave all others without a title.
        """
        if self.lacking and not (self.closed and sum(line.plays for line in self.placed) > len(self.lacking)):
            return []
        return [line.who.bot_id for line in self.placed if line.row.place == 1]


def final_table(ladder: Ladder) -> FinalTable:
    """Return the final table as it is by the last fit."""
    table = StandingsTable(ladder)
    found = Fit.objects.filter(ladder=ladder).values_list("final", flat=True).first()
    nothing: dict[str, Any] = {"sets": 0, "zero": START, "rows": []}
    known = found if found and found["after"] == ladder.final_after else nothing
    rows = {row["version"]: FinalRow(**row) for row in known["rows"]}
    sd, ci95 = ladder.prior_sd, round(elo_interval(ladder.prior_sd), 1)
    unknown = FinalRow(0, place=None, elo=known["zero"], sd=sd, ci95=ci95, sets=0, comparable=False)
    lines = [
        FinalLine(line, rows.get(line.version_id, unknown), line.bot_id not in table.without) for line in table.lines
    ]
    lines.sort(key=lambda line: -line.row.elo)
    return FinalTable(known["sets"], known["zero"], lines, closed=ladder.status == Ladder.Status.CLOSED)
