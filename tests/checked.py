"""A version whose check is played and recorded: a copy of the one that real acts made first in this process.

The acts take 90 statements, the copy 10. It has rows of its own in every table, and a replay that names its bot. It is
of a bot with which nothing has been done yet: what the acts look at besides is nothing to such a bot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from bots.bundle import read_bundle
from bots.contents import bundle_fingerprint
from engine.games import GAMES
from engine.replay import Player, Replay, read_replay, seal, write_replay
from tournaments.models import Attempt, Bot, Bundle, Match, MatchSet, Notice, Result, Seat, Version

GAME = GAMES["zaibatsu"]
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Checked:
    """What is copied: objects that no test has."""

    version: Version
    check: MatchSet
    match: Match
    attempt: Attempt
    result: Result
    replay: Replay
    seats: Sequence[Seat]
    notice: Notice


made: list[Checked] = []  # the first


def is_new(bot: Bot) -> bool:
    """Whether nothing was done with it since it was made, and its owner has asked for nothing."""
    alone = Bot.objects.filter(pk=bot.pk, team=None, versions=None, entries=None, owner__webhooks=None)
    return bot.game == GAME.name and not bot.owner.mailed and alone.exists()


def remember(pk: int) -> None:
    """The version of this number, as the first."""
    match = Match.objects.select_related("set__checks__bot", "result").get(set__checks=pk)
    notice = Notice.objects.get(key=f"check {pk}")
    seats = list(match.seats.order_by("number"))
    version, replay = match.set.checks, read_replay(bytes(match.result.replay))
    assert version
    made.append(Checked(version, match.set, match, match.attempts.get(), match.result, replay, seats, notice))


@transaction.atomic
def copied(bot: Bot, data: bytes) -> Version:
    """Return a copy of the first with these contents. It was uploaded, checked and recorded just now."""
    first, content = made[0], read_bundle(data, "bot.py")
    bundle = Bundle.objects.create(sha256=content.sha256, content=data, size=len(data))
    version = a_row(first.version, bot=bot, bundle=bundle, contents=bundle_fingerprint(content))
    match = a_row(first.match, set=a_row(first.check, checks=version))
    Seat.objects.bulk_create(like(seat, match=match, version=version) for seat in first.seats)
    a_row(first.attempt, match=match)
    player = Player(bot.name, version.number, bundle.sha256)
    replay = seal(replace(first.replay, players=[player] * len(first.seats)))
    a_row(first.result, match=match, replay=write_replay(replay), digest=replay.digest)
    tell(first, version)
    version._state.fields_cache.clear()  # as one that was read again
    return version


def tell(first: Checked, version: Version) -> None:
    notice, bot = first.notice, version.bot
    a_row(
        notice,
        user=bot.owner,
        key=f"check {version.pk}",
        text=notice.text.replace(str(first.version), str(version)),
        path=notice.path.replace(str(first.version.bot_id), str(bot.pk)),
        detail={**notice.detail, "bot": bot.pk},
    )


def a_row(first: Row, **changed: object) -> Row:
    row = like(first, **changed)
    row.save(force_insert=True)
    return row


def like(first: Row, **changed: object) -> Row:
    """A new row: as the first, but for what has changed and for times, which are now: it ends after it was made."""
    now = timezone.now() + timedelta(microseconds=500)
    fields = [field for field in first._meta.concrete_fields if not field.primary_key and not field.generated]
    kept = {field.attname: getattr(first, field.attname) for field in fields if field.name not in changed}
    times = {name: now for name, value in kept.items() if isinstance(value, datetime)}
    return type(first)(**kept | times | changed)
