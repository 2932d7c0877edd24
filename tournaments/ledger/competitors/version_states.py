"""The states of a version. Only this module writes `Version.status`.

checking -> active, candidate or rejected    candidate -> active or retired
rejected -> checking                         active <-> retired
"""

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournaments.core.config.sentence_data import data_of
from tournaments.core.notices.triggers import publish_new_version
from tournaments.ledger.competitors.entry_states import end_suspensions
from tournaments.models import Entry, Fit, Rating, Version

Status = Version.Status


def reject(*, version: Version, report: str) -> None:
    """It failed its check; `report` tells its owner why."""
    version.status, version.report, version.report_data = Status.REJECTED, report, data_of(report)
    version.save(update_fields=["status", "report", "report_data"])


def check_again(*, version: Version) -> None:
    version.status, version.report, version.report_data = Status.CHECKING, "", None
    version.save(update_fields=["status", "report", "report_data"])


def make_candidate(*, version: Version) -> None:
    """It passed its check, and stands trial before it plays."""
    version.status = Status.CANDIDATE
    version.save(update_fields=["status"])
    fit_again(Entry.objects.filter(bot=version.bot_id))


def retire_candidates(versions: Collection[int]) -> None:
    """Retire candidates: their trials are over, and they do not play."""
    Version.objects.filter(pk__in=versions, status=Status.CANDIDATE).update(status=Status.RETIRED)


@transaction.atomic
def take_over(*, version: Version) -> None:
    """The version becomes its bot's active one; the former retires. Whoever was suspended plays again, but in a frozen
    ladder, where the version that was there at the time plays on."""
    active = Version.objects.filter(bot=version.bot_id, status=Status.ACTIVE).exclude(pk=version.pk)
    active.update(status=Status.RETIRED)
    is_new = version.activated_at is None
    version.status, version.activated_at = Status.ACTIVE, timezone.now()
    version.save(update_fields=["status", "activated_at"])
    if is_new:
        publish_new_version(version)
        fit_again(Entry.objects.filter(bot=version.bot_id))
    else:  # where it may play, the next fit says what it counts by, and nothing of before holds it up
        here = Entry.objects.filter(bot=version.bot_id, pinned=None)
        Rating.objects.filter(version=version, ladder__entries__in=here).update(floor=None)
        fit_again(here)
    end_suspensions(Entry.objects.filter(bot=version.bot_id, pinned=None))


def fit_again(entries: QuerySet[Entry]) -> None:
    """Have the ladders of these entries fitted without a new set: whoever computes them has another version, too."""
    Fit.objects.filter(ladder__entries__in=entries).update(stale=True)
