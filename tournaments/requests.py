"""Friendly sets: somebody asks for one of a bot of theirs against bots of a ladder. They are public, never rated."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournaments.dealing import deal
from tournaments.errors import Refused
from tournaments.exclusions import excluded
from tournaments.models import Bot, Entry, Ladder, MatchSet, User, Version
from tournaments.ownership import check_runs
from tournaments.standings import active_versions


def asked_by(user: User) -> QuerySet[MatchSet]:
    return MatchSet.objects.filter(asked_by=user)


@transaction.atomic
def ask(*, ladder: Ladder, bot: Bot, against: Sequence[Bot], by: User) -> MatchSet:
    """A set under the ladder's settings, first in line within a quota of the workers. Raises Refused: not_yours,
    wrong_game, ladder_not_open, same_bot_twice, wrong_table, disqualified, not_entered, no_version, python_only,
    too_many_open, too_many_requests."""
    _check_asker(ladder, bot, by)
    _check_table(ladder, [bot, *against])
    versions = _versions(ladder, bot, against)
    User.objects.select_for_update().get(pk=by.pk)  # their requests are counted one at a time
    _check_quota(by)
    number = asked_by(by).count() + 1
    return deal(ladder=ladder, versions=versions, lot=f"request {number} of {by.pk}", asked_by=by)


def _check_asker(ladder: Ladder, bot: Bot, by: User) -> None:
    check_runs(bot, by, "ask for a friendly set of a bot of yours")
    if bot.game != ladder.game:
        raise Refused("wrong_game", f"{bot} plays another game than {ladder}, which is a ladder of {ladder.game_title}")
    if ladder.status not in Ladder.PAIRED:
        raise Refused("ladder_not_open", f"{ladder} is {ladder.status}; nothing new is played under it")
    if ladder.entries.filter(bot=bot, status=Entry.Status.DISQUALIFIED).exists():
        raise Refused("disqualified", f"{bot} is disqualified in {ladder}")


def _check_table(ladder: Ladder, bots: Sequence[Bot]) -> None:
    if len({bot.pk for bot in bots}) < len(bots):
        raise Refused("same_bot_twice", "a bot was named twice; a table holds each bot once")
    if len(bots) not in ladder.sizes:
        others = " or ".join(str(size - 1) for size in sorted(set(ladder.sizes)))
        raise Refused("wrong_table", f"{len(bots) - 1} opponents were named; {ladder} takes {others}")


def _versions(ladder: Ladder, bot: Bot, against: Sequence[Bot]) -> list[int]:
    """Which version of each bot plays."""
    playing = {version.bot_id: version for version in active_versions(ladder)}
    entered = set(ladder.entries.filter(status=Entry.Status.PLAYING).values_list("bot", flat=True))
    if out := [each for each in against if each.pk not in entered or each.pk not in playing]:
        raise Refused("not_entered", f"{out[0]} does not play in {ladder} now; name bots of its standings")
    mine = playing.get(bot.pk) or bot.versions.filter(status=Version.Status.ACTIVE).first()
    if mine and mine.pk in excluded(ladder):
        raise Refused("disqualified", f"{bot} is disqualified in {ladder}")
    if mine is None:
        raise Refused("no_version", f"{bot} has no version that may play; upload one that passes its check")
    if ladder.division == Ladder.Division.FUEL and mine.need != "python":
        raise Refused("python_only", f"{ladder} runs its bots in WebAssembly: in Python, with its own library alone")
    return [mine.pk, *(playing[each.pk].pk for each in against)]


def _check_quota(by: User) -> None:
    if asked_by(by).filter(status=MatchSet.Status.OPEN).count() >= settings.FRIENDLIES_OPEN:
        raise Refused(
            "too_many_open", f"{settings.FRIENDLIES_OPEN} sets that you asked for are not over; wait for one to end"
        )
    lately = asked_by(by).filter(created_at__gt=timezone.now() - timedelta(days=1))
    if lately.count() >= settings.FRIENDLIES_A_DAY:
        raise Refused(
            "too_many_requests", f"you may ask for {settings.FRIENDLIES_A_DAY} friendly sets in 24 hours; try later"
        )
