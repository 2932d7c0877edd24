"""Who has gained or lost a rank since they were last told: at most once a day, since ranks tremble."""

from django.db import transaction
from django.utils import timezone

from tournaments.models import Entry, Ladder
from tournaments.notices import happenings
from tournaments.standings import standings


def tell_ranks() -> int:
    """Returns how many were told."""
    playing = Ladder.objects.filter(status__in=Ladder.PAIRED, fit__isnull=False)
    return sum(_tell(ladder) for ladder in playing)


@transaction.atomic
def _tell(ladder: Ladder) -> int:
    ranks = {line.bot_id: line.rank for line in standings(ladder) if not line.provisional}
    entries = ladder.entries.filter(bot__in=ranks, status=Entry.Status.PLAYING).select_related("bot", "ladder")
    changed = [entry for entry in entries.select_for_update(of=("self",)) if entry.told_rank != ranks[entry.bot_id]]
    day, told = timezone.now().date().isoformat(), []
    for entry in changed:
        now = ranks[entry.bot_id]
        if entry.told_rank is not None:
            if entry.told_on == timezone.now().date():
                continue
            happenings.rank_changed(entry, entry.told_rank, now, day)
        entry.told_rank, entry.told_on = now, timezone.now().date()
        told.append(entry)
    Entry.objects.bulk_update(told, ["told_rank", "told_on"], batch_size=1000)
    return len(told)
