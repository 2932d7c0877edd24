"""Activation of a version that was retired, or has won its trial."""

from django.db import transaction

from tournaments.accounts.permissions import check_runs
from tournaments.competitors.version_states import take_over
from tournaments.errors import Refused
from tournaments.matchmaking.trials import end_trials
from tournaments.models import Bot, Trial, User, Version


@transaction.atomic
def activate(*, version: Version, by: User) -> None:
    """Let a retired version play again. Raises Refused: not_yours, not_retired."""
    check_runs(version.bot, by)
    Bot.objects.select_for_update().get(pk=version.bot_id)
    version.refresh_from_db(fields=["status"])
    if version.status == Version.Status.ACTIVE:
        return
    if version.status != Version.Status.RETIRED:
        raise Refused("not_retired", f"{version} cannot play: {version.get_status_display()}")
    take_over(version=version)
    end_trials(bot=version.bot, reason=f"{version} plays now")
    Trial.objects.filter(candidate=version, status=Trial.Status.PASSED).update(status=Trial.Status.PROMOTED)
