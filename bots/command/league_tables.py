"""Who meets whom in a league at home: its tables, one set at each in a round, and the matches by number."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, Final

from bots.command.errors import KitError
from bots.command.outcomes import Outcome
from bots.command.worker_pool import Contest
from bots.contest import Match
from bots.paired_ratings import RatedSet, set_of

FORMATS: Final = ("round-robin", "gauntlet", "neighbours")
REACH: Final = 3  # places between neighbours
MOST_TABLES: Final = 20_000  # of a round


def tables_of(bots: int, seats: int, format_name: str) -> list[list[int]]:
    """Return the tables at which everybody meets everybody, with so many seats; in a gauntlet those where the first bot
    sits, among neighbours those whose bots were named at most REACH places apart. Raises KitError."""
    candidates: Iterable[tuple[int, ...]] = combinations(range(bots), seats)
    if format_name == "gauntlet":
        candidates = ((0, *rivals) for rivals in combinations(range(1, bots), seats - 1))
    if format_name == "neighbours":
        candidates = (table for table in candidates if table[-1] - table[0] <= REACH)
    tables = [list(table) for table in islice(candidates, MOST_TABLES + 1)]
    if len(tables) > MOST_TABLES:
        message = f"{bots} bots at tables of {seats} make more than {MOST_TABLES} tables a round"
        raise KitError("too_many_tables", f"{message}; take fewer bots, smaller tables (--table) or a gauntlet")
    return tables


@dataclass(frozen=True, slots=True)
class League(Contest):
    """A contest at many tables. In a round each plays one set: its own deal, once with every rotation of its seats."""

    tables: Sequence[list[int]] = field(default_factory=list)

    @property
    def seats(self) -> int:
        return len(self.tables[0])

    def match(self, order: Any) -> Match:
        """Raises PlatformFault."""
        played, turn = divmod(int(order), self.seats)
        table = self.tables[played % len(self.tables)]
        return self.played([*table[turn:], *table[:turn]], f"{self.seed}/{played}")


def sets_in(outcomes: Sequence[Outcome], seats: int) -> Iterator[RatedSet]:
    """Return the complete sets, in the order of their numbers."""
    for first in range(0, len(outcomes) - seats + 1, seats):
        yield set_of([(outcome.seats, outcome.places) for outcome in outcomes[first : first + seats]])
