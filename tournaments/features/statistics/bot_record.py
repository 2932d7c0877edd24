"""A bot's latest rated matches of a ladder: by opponent, seat and table size, with CPU time and memory."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from tournaments.models import Bot, Ladder, Seat

MATCHES = 500  # the latest ones that count


class PlayedSeat(NamedTuple):
    """A seat of one of the matches."""

    match: int
    seat: int
    bot: int
    place: int
    score: int
    forfeited: bool
    cpu_ms: float | None
    memory_mb: float | None


class PlayedTable(NamedTuple):
    mine: PlayedSeat
    others: list[PlayedSeat]

    @property
    def size(self) -> int:
        return 1 + len(self.others)

    @property
    def won(self) -> float:
        """The share of the first place."""
        if self.mine.place > 1 or self.mine.forfeited:
            return 0.0
        return 1 / (1 + sum(other.place == 1 for other in self.others))


@dataclass(frozen=True, slots=True)
class Means:
    """Means over a group of matches."""

    games: int
    wins: float  # per cent
    place: float  # mean
    score: float  # mean
    forfeits: int


@dataclass(frozen=True, slots=True)
class Usage:
    """One measurement over all matches."""

    mean: float
    p95: float
    most: float


@dataclass(frozen=True, slots=True)
class BotRecord:
    matches: int
    by_seat: list[tuple[int, Means]]
    by_size: list[tuple[int, Means]]
    opponents: list[int]  # bots, the most often met first
    cpu_ms: Usage | None
    memory_mb: Usage | None


def record_of(ladder: Ladder, bot: Bot) -> BotRecord:
    """Return the record, by two queries, of MATCHES matches at most."""
    tables = tables_played(ladder, bot)
    return BotRecord(
        matches=len(tables),
        by_seat=_tallies(tables, lambda table: table.mine.seat),
        by_size=_tallies(tables, lambda table: table.size),
        opponents=_met(tables),
        cpu_ms=usage(table.mine.cpu_ms for table in tables),
        memory_mb=usage(table.mine.memory_mb for table in tables),
    )


def tables_played(ladder: Ladder, bot: Bot) -> list[PlayedTable]:
    played = Seat.objects.filter(version__bot=bot, match__set__ladder=ladder, match__set__rated=True)
    latest = list(played.order_by("-match").values_list("match", flat=True)[:MATCHES])
    columns = ("match", "number", "version__bot", "place", "score", "forfeited", "cpu_ms", "memory_mb")
    rows = Seat.objects.filter(match__in=latest).order_by("match", "number").values_list(*columns)
    seats = [PlayedSeat(*seat) for seat in rows]
    return [_table(list(group), bot.pk) for _, group in groupby(seats, key=attrgetter("match"))]


def _table(seats: list[PlayedSeat], bot: int) -> PlayedTable:
    mine = next(seat for seat in seats if seat.bot == bot)
    return PlayedTable(mine, [seat for seat in seats if seat is not mine])


def _tallies(tables: Iterable[PlayedTable], key: Callable[[PlayedTable], int]) -> list[tuple[int, Means]]:
    groups: defaultdict[int, list[PlayedTable]] = defaultdict(list)
    for table in tables:
        groups[key(table)].append(table)
    return [(value, _tally(group)) for value, group in sorted(groups.items())]


def _tally(tables: Sequence[PlayedTable]) -> Means:
    games = len(tables)
    return Means(
        games=games,
        wins=100 * sum(table.won for table in tables) / games,
        place=sum(table.mine.place for table in tables) / games,
        score=sum(table.mine.score for table in tables) / games,
        forfeits=sum(table.mine.forfeited for table in tables),
    )


def _met(tables: Iterable[PlayedTable]) -> list[int]:
    times: defaultdict[int, int] = defaultdict(int)
    for table in tables:
        for other in table.others:
            times[other.bot] += 1
    return sorted(times, key=lambda bot: (-times[bot], bot))


def usage(measured: Iterable[float | None]) -> Usage | None:
    """Return None if nothing was measured."""
    values = sorted(value for value in measured if value is not None)
    if not values:
        return None
    return Usage(sum(values) / len(values), values[(len(values) - 1) * 95 // 100], values[-1])
