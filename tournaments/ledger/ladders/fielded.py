"""The version that plays for each bot of a ladder."""

from django.db.models import QuerySet

from tournaments.models import Ladder, Version

FIXED = (Ladder.Status.FROZEN, Ladder.Status.CLOSED)  # nobody comes, goes, or changes versions


def fielded(ladder: Ladder) -> QuerySet[Version]:
    """The version that plays for each bot, disqualified or not: the active one; in a frozen ladder the pinned one."""
    if ladder.status in FIXED:
        return Version.objects.filter(pk__in=ladder.entries.exclude(pinned=None).values("pinned"))
    return Version.objects.filter(status=Version.Status.ACTIVE, bot__entries__ladder=ladder)
