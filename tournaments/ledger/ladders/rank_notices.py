"""Notices of rank changes since the last notice: at most one a day, because ranks fluctuate."""

from dataclasses import dataclass, field
from time import monotonic

from django.db import transaction
from django.utils import timezone

from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.notices import triggers
from tournaments.ledger.ladders.standings import standings
from tournaments.models import Entry, Ladder
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
    ranks = {line.bot_id: line.rank for line in standings(ladder) if line.rank is not None and line.sets}
    entries = ladder.entries.filter(bot__in=ranks, status=Entry.Status.PLAYING).select_related("bot", "ladder")
    changed = [entry for entry in entries.select_for_update(of=("self",)) if entry.told_rank != ranks[entry.bot_id]]
    day, notified = timezone.now().date().isoformat(), []
    for entry in changed:
        now = ranks[entry.bot_id]
        if entry.told_rank is not None:
            if entry.told_on == timezone.now().date():
                continue
            triggers.notify_of_new_rank(entry, entry.told_rank, now, day)
        entry.told_rank, entry.told_on = now, timezone.now().date()
        notified.append(entry)
    Entry.objects.bulk_update(notified, ["told_rank", "told_on"], batch_size=1000)
    return len(notified)
