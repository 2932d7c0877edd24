"""Friendly sets: a person requests a set of their bot against bots of a ladder. They are public, never rated."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.records import RecordError
from engine.sentences import Sentence
from tournaments.core.accounts.permissions import check_runs
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.spaces import check_of_space
from tournaments.core.accounts.suspension import check_owner
from tournaments.core.errors import Refused
from tournaments.ledger.ladders.disqualified import excluded
from tournaments.ledger.ladders.standings import active_versions
from tournaments.ledger.ladders.table_options import options_at
from tournaments.ledger.matchmaking.deal import deal_set
from tournaments.models import Bot, Entry, Ladder, MatchSet, User, Version


def asked_by(user: User) -> QuerySet[MatchSet]:
    return MatchSet.objects.filter(asked_by=user)


def ask_friendly_set(*, ladder: Ladder, bot: Bot, against: Sequence[Bot], by: User) -> MatchSet:
    """One set, as `ask_series` deals it."""
    return ask_series(ladder=ladder, bot=bot, against=against, by=by, sets=1)[0]


@transaction.atomic
def ask_series(*, ladder: Ladder, bot: Bot, against: Sequence[Bot], by: User, sets: int) -> list[MatchSet]:
    """Sets of one table under the ladder's settings, first in line within a quota of the workers; all or none.

    Raises Refused: bad_series, not_yours, other_space, wrong_game, ladder_not_open, same_bot_twice, wrong_table,
    disqualified, not_entered, no_version, python_only, bad_table_size, too_many_open, too_many_requests.
    """
    if not 1 <= sets <= settings.FRIENDLIES_OPEN:
        raise Refused(
            "bad_series",
            "a series has 1 to %(friendlies_open)s sets, not %(sets)s",
            friendlies_open=settings.FRIENDLIES_OPEN,
            sets=sets,
        )
    ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)  # it may be closed at this moment
    _check_asker(ladder, bot, by)
    _check_table(ladder, [bot, *against])
    versions = _versions(ladder, bot, against)
    counted_alone(by)
    _check_quota(by, sets)
    first = asked_by(by).count() + 1
    lots = [f"request {first + number} of {by.pk}" for number in range(sets)]
    return [deal_set(ladder=ladder, versions=versions, lot=lot, asked_by=by) for lot in lots]


def _check_asker(ladder: Ladder, bot: Bot, by: User) -> None:
    check_runs(bot, by, "ask for a friendly set of a bot of yours")
    check_owner(bot.owner, by, ladder.space_id)
    check_of_space(bot, ladder)
    if bot.game != ladder.game:
        raise Refused(
            "wrong_game",
            "%(bot)s plays another game than %(ladder)s, which is a ladder of %(game_title)s",
            bot=bot,
            ladder=ladder,
            game_title=ladder.game_title,
        )
    if ladder.status not in Ladder.PAIRED:
        raise Refused(
            "ladder_not_open",
            "%(ladder)s is %(status)s; nothing new is played under it",
            ladder=ladder,
            status=Sentence(ladder.status),
        )
    if ladder.entries.filter(bot=bot, status=Entry.Status.DISQUALIFIED).exists():
        raise Refused("disqualified", "%(bot)s is disqualified in %(ladder)s", bot=bot, ladder=ladder)


def _check_table(ladder: Ladder, bots: Sequence[Bot]) -> None:
    if len({bot.pk for bot in bots}) < len(bots):
        raise Refused("same_bot_twice", "a bot was named twice; a table holds each bot once")
    if len(bots) not in ladder.sizes:
        others = " or ".join(str(size - 1) for size in sorted(set(ladder.sizes)))
        raise Refused(
            "wrong_table",
            "the number of opponents is %(bots)s; %(ladder)s takes %(others)s",
            bots=len(bots) - 1,
            ladder=ladder,
            others=others,
        )
    try:
        options_at(ladder, len(bots))
    except RecordError as error:
        raise Refused(
            "bad_table_size", "%(ladder)s cannot be played with so many: %(error)s", ladder=ladder, error=error.reason
        ) from None


def _versions(ladder: Ladder, bot: Bot, against: Sequence[Bot]) -> list[int]:
    """The version of each bot that plays."""
    playing = {version.bot_id: version for version in active_versions(ladder)}
    entered = set(ladder.entries.filter(status=Entry.Status.PLAYING).values_list("bot", flat=True))
    if out := [each for each in against if each.pk not in entered or each.pk not in playing]:
        raise Refused(
            "not_entered",
            "%(out)s does not play in %(ladder)s now; name bots of its standings",
            out=out[0],
            ladder=ladder,
        )
    mine = playing.get(bot.pk) or bot.versions.filter(status=Version.Status.ACTIVE).first()
    if mine and mine.pk in excluded(ladder):
        raise Refused("disqualified", "%(bot)s is disqualified in %(ladder)s", bot=bot, ladder=ladder)
    if mine is None:
        raise Refused("no_version", "%(bot)s has no version that may play; upload one that passes its check", bot=bot)
    if ladder.division == Ladder.Division.FUEL and mine.need != "python":
        raise Refused(
            "python_only",
            "%(ladder)s runs bots in WebAssembly: only Python, with its standard library",
            ladder=ladder,
        )
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
        most = Sentence(
            "you may have %(friendlies_open)s requested sets open at a time, so request at most %(now)s now",
            friendlies_open=settings.FRIENDLIES_OPEN,
            now=now,
        )
        raise Refused("too_many_open", "%(most)s; ask for fewer, or wait for one to end", most=most)
    if sets > today:
        most = Sentence(
            "you may ask for %(friendlies_a_day)s friendly sets in 24 hours, and %(today)s of them are left",
            friendlies_a_day=settings.FRIENDLIES_A_DAY,
            today=today,
        )
        raise Refused("too_many_requests", "%(most)s; ask for fewer, or try later", most=most)
