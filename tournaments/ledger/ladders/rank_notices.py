"""Notices of a first place, and of rank changes since the last notice: at most one a day, because ranks fluctuate.

A new rank is told once the bot is surely ahead of whoever has the rank that was told last, or surely behind: this looks
every hour, so an interval for one look would announce many that are none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic

from django.db import transaction
from django.utils import timezone

from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.notices import triggers
from tournaments.ledger.ladders.standings import Standing, standings
from tournaments.models import Entry, Ladder
from tournaments.ratings.intervals import CI95
from tournaments.ratings.surely_ahead import surely_ahead
from workers.isolation import handle_each

EVERY = 3600.0  # seconds


@dataclass(slots=True)
class Ranks:
    """All ladders, every hour; one in a turn, so that other notices wait for one at most."""

    due: float = 0.0
    waiting: list[Ladder] = field(default_factory=list)

    def notify_next(self) -> bool:
        """Notify for one ladder. Returns whether more wait."""
        if monotonic() >= self.due:
            self.waiting = list(Ladder.objects.filter(status__in=Ladder.PAIRED, fit__isnull=False))
            self.due = monotonic() + EVERY
        handle_each("ranks", self.waiting[-1:], _tell, FAILING_ITEMS, name=lambda ladder: ladder.slug)
        del self.waiting[-1:]
        return bool(self.waiting)


@transaction.atomic
def _tell(ladder: Ladder) -> int:
    table, today, notified = standings(ladder), timezone.now().date(), list[Entry]()
    lines = {line.bot_id: line for line in table if line.place}
    counted = [line for line in table if not (line.to_rank or line.plays_as)]  # in the order of their ranks
    entries = ladder.entries.filter(bot__in=lines, status=Entry.Status.PLAYING).select_related("bot", "ladder")
    for entry in entries.select_for_update(of=("self",)):
        line, told = lines[entry.bot_id], entry.told_rank
        if line.rank is None and entry.told_on is None:
            triggers.notify_of_first_place(entry, line.place, len(table))
        elif line.rank in (None, told):
            continue
        elif told is not None:
            if entry.told_on == today or not _is_sure(line, told, counted):
                continue
            triggers.notify_of_new_rank(entry, told, line.rank, today.isoformat())
        entry.told_rank, entry.told_on = line.rank, today
        notified.append(entry)
    Entry.objects.bulk_update(notified, ["told_rank", "told_on"], batch_size=1000)
    return len(notified)


def _is_sure(line: Standing, told: int, counted: Sequence[Standing]) -> bool:
    """Return whether a bot is surely ahead of, or behind, the one that has the rank it was told; nobody may have it."""
    rival = counted[min(told, len(counted)) - 1]
    lead = line.elo - rival.elo if (line.rank or 0) < told else rival.elo - line.elo
    comparable = line.comparable and rival.comparable
    return rival is line or (comparable and surely_ahead(lead, line.ci95 / CI95, rival.ci95 / CI95))
