"""When a season is over, when it is not after all, and when something of it has changed since."""

from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from tournaments.models import Event, Ladder, PastSeason


def note_season_end(of: Ladder | Event) -> None:
    told = {"ended_at": timezone.now(), "changes": 1, "looked_at": 0, "fingerprint": "", "act": None, "old": False}
    PastSeason.objects.update_or_create(**_key(of), defaults=told)


def goes_on(of: Ladder | Event) -> None:
    PastSeason.objects.filter(**_key(of)).delete()


def note_season_change(ladder: Ladder) -> None:
    """Note that something has changed in the past season of the ladder, and in those of its events."""
    rows = PastSeason.objects.filter(Q(ladder=ladder) | Q(event__ladder=ladder))
    rows.update(changes=F("changes") + 1)


def _key(of: Ladder | Event) -> dict[str, Any]:
    return {"event" if isinstance(of, Event) else "ladder": of}
