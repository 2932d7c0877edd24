"""Requests to examine a version again, or for the first time if an older release has checked it."""

from django.db import transaction

from tournaments.core.accounts.permissions import may_see
from tournaments.core.accounts.suspension import check_owner
from tournaments.core.errors import Refused
from tournaments.features.examinations.rules import begin_examination
from tournaments.models import Bot, Examination, User, Version

PASSED = (Version.Status.CANDIDATE, Version.Status.ACTIVE, Version.Status.RETIRED)


@transaction.atomic
def examine_again(*, version: Version, by: User) -> None:
    """Begin an examination in place of what there is, card or reason; it waits as if the version was just uploaded.

    Raises Refused: not_yours, account_suspended, examination_running, and as `check_examinable`.
    """
    bot = version.bot
    if not may_see(by, bot):
        raise Refused(
            "not_yours",
            "%(bot)s belongs to somebody else; its owner, the owner's team and organisers have it examined",
            bot=bot,
        )
    check_owner(bot.owner, by, bot.space_id)
    Bot.objects.select_for_update().get(pk=bot.pk)
    version.refresh_from_db(fields=["status"])
    check_examinable(version)
    _check_none_under_way(bot)
    Examination.objects.filter(version=version).delete()  # so no worker that had a turn of it is believed any more
    begin_examination(version)


def check_examinable(version: Version) -> None:
    """Raises Refused: space_closed, not_passed, erased."""
    bot = version.bot
    if bot.space and bot.space.closed_at:
        raise Refused("space_closed", "%(space)s is closed; nothing is examined there any more", space=bot.space)
    if version.status not in PASSED:
        raise Refused(
            "not_passed",
            "only versions that have passed their check are examined; %(version)s has not",
            version=version,
        )
    if not version.bundle.size:
        raise Refused("erased", "the source of %(version)s is no longer kept; upload it again", version=version)


def is_examinable(version: Version) -> bool:
    try:
        check_examinable(version)
    except Refused:
        return False
    return True


def _check_none_under_way(bot: Bot) -> None:
    """Raises Refused: examination_running."""
    to_do = Examination.objects.filter(status__in=(Examination.Status.WAITING, Examination.Status.ASKED))
    if running := to_do.filter(version__bot=bot).select_related("version__bot").first():
        raise Refused(
            "examination_running",
            "%(running)s is being examined; ask again once its card is there",
            running=running.version,
        )
