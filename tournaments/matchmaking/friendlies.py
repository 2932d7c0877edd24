"""Friendly sets: a person requests a set of their bot against bots of a ladder. They are public, never rated."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.records import RecordError
from tournaments.accounts.permissions import check_runs
from tournaments.accounts.quotas import counted_alone
from tournaments.accounts.spaces import check_of_space
from tournaments.accounts.suspension import check_owner
from tournaments.errors import Refused
from tournaments.ladders.disqualified import excluded
from tournaments.ladders.standings import active_versions
from tournaments.ladders.table_options import options_at
from tournaments.matchmaking.deal import deal
from tournaments.models import Bot, Entry, Ladder, MatchSet, User, Version


def asked_by(user: User) -> QuerySet[MatchSet]:
    return MatchSet.objects.filter(asked_by=user)


def ask(*, ladder: Ladder, bot: Bot, against: Sequence[Bot], by: User) -> MatchSet:
    """One set, as `ask_series` deals it."""
    return ask_series(ladder=ladder, bot=bot, against=against, by=by, sets=1)[0]


@transaction.atomic
def ask_series(*, ladder: Ladder, bot: Bot, against: Sequence[Bot], by: User, sets: int) -> list[MatchSet]:
    """Sets of one table under the ladder's settings, first in line within a quota of the workers; all or none.

    Raises Refused: bad_series, not_yours, other_space, wrong_game, ladder_not_open, same_bot_twice, wrong_table,
    disqualified, not_entered, no_version, python_only, bad_table_size, too_many_open, too_many_requests.
    """
    if not 1 <= sets <= settings.FRIENDLIES_OPEN:
        raise Refused("bad_series", f"a series has 1 to {settings.FRIENDLIES_OPEN} sets, not {sets}")
    _check_asker(ladder, bot, by)
    _check_table(ladder, [bot, *against])
    versions = _versions(ladder, bot, against)
    counted_alone(by)
    _check_quota(by, sets)
    first = asked_by(by).count() + 1
    lots = [f"request {first + number} of {by.pk}" for number in range(sets)]
    return [deal(ladder=ladder, versions=versions, lot=lot, asked_by=by) for lot in lots]


def _check_asker(ladder: Ladder, bot: Bot, by: User) -> None:
    check_runs(bot, by, "ask for a friendly set of a bot of yours")
    check_owner(bot.owner, by, ladder.space_id)
    check_of_space(bot, ladder)
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
    try:
        options_at(ladder, len(bots))
    except RecordError as error:
        raise Refused("bad_table_size", f"{ladder} cannot be played with so many: {error}") from None


def _versions(ladder: Ladder, bot: Bot, against: Sequence[Bot]) -> list[int]:
    """The version of each bot that plays."""
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


def left_for(by: User) -> tuple[int, int]:
    """How many more sets they may ask for: at a time, and within 24 hours."""
    mine = asked_by(by)
    lately = mine.filter(created_at__gt=timezone.now() - timedelta(days=1))
    under_way = mine.filter(status=MatchSet.Status.OPEN)
    return max(0, settings.FRIENDLIES_OPEN - under_way.count()), max(0, settings.FRIENDLIES_A_DAY - lately.count())


def _check_quota(by: User, sets: int) -> None:
    now, today = left_for(by)
    if sets > now:
        most = f"{settings.FRIENDLIES_OPEN} sets that you asked for may be open at a time, so {now} more for now"
        raise Refused("too_many_open", f"{most}; ask for fewer, or wait for one to end")
    if sets > today:
        most = f"you may ask for {settings.FRIENDLIES_A_DAY} friendly sets in 24 hours, and {today} of them are left"
        raise Refused("too_many_requests", f"{most}; ask for fewer, or try later")
