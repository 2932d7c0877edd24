"""Activation of a version: after its check, or by its owner when it was retired."""

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from tournaments.core.accounts.permissions import check_runs
from tournaments.core.accounts.suspension import check_owner
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.ledger.competitors.clones import check_no_clone, ladders_of_bot
from tournaments.ledger.competitors.upload_sizes import check_sizes
from tournaments.ledger.competitors.version_states import take_over
from tournaments.models import Bot, Entry, Ladder, User, Version


@transaction.atomic
def admit_version(*, version: Version) -> None:
    """Let a version play that has passed its check, unless a feature holds it back."""
    if not any(feature.holds_back(version) for feature in features()):
        take_over(version=version)


@transaction.atomic
def activate(*, version: Version, by: User) -> None:
    """Let a retired version play again, by the rules of `ratings.played_again`. Raises Refused: not_yours,
    account_suspended, not_retired, too_soon, bundle_too_large, same_contents, in_panel, deadline_over, erased."""
    check_runs(version.bot, by)
    check_owner(version.bot.owner, by, version.bot.space_id)
    Bot.objects.select_for_update().get(pk=version.bot_id)
    version.refresh_from_db(fields=["status", "activated_at"])
    if version.status == Version.Status.ACTIVE:
        return
    if version.status != Version.Status.RETIRED:
        raise Refused(
            "not_retired",
            "%(version)s cannot play: %(get_status_display)s",
            version=version,
            get_status_display=version.get_status_display(),
        )
    if not version.bundle.size:
        raise Refused("erased", "the source of %(version)s is no longer kept; upload it again", version=version)
    for feature in features():
        feature.before_activation(version.bot)
    ladders = ladders_of_bot(version.bot)
    if version.activated_at:
        _check_pause(version.bot, ladders)
    for ladder in ladders:
        check_sizes(ladder, [version])
    check_no_clone(version.bot, [version.contents], ladders)
    take_over(version=version)
    for feature in features():
        feature.version_activated(version)


def _check_pause(bot: Bot, ladders: Sequence[Ladder]) -> None:
    """Refuse to return to an earlier version sooner than the ladders allow; a suspended bot does not wait."""
    playing = Entry.objects.filter(bot=bot, status=Entry.Status.PLAYING, ladder__in=ladders).values("ladder")
    strict = Ladder.objects.filter(pk__in=playing).order_by("-version_pause").first()
    active = bot.versions.filter(status=Version.Status.ACTIVE).exclude(activated_at=None).first()
    if not (strict and active and active.activated_at):
        return
    until = active.activated_at + timedelta(minutes=strict.version_pause)
    if until > timezone.now():
        raise Refused(
            "too_soon",
            "%(active)s has played since %(activated_at)s UTC, and %(strict)s asks for %(version_pause)s minutes "
            "between two changes: another version can take over from %(until)s UTC",
            active=active,
            activated_at=f"{active.activated_at:%H:%M}",
            strict=strict,
            version_pause=strict.version_pause,
            until=f"{until:%Y-%m-%d %H:%M:%S}",
        )
