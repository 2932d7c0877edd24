"""Which bot counts for its owner over all games: the one that its owner has named, by default the first that entered.

The best of several would be the luckiest of several. So one counts, whatever becomes of it, and another may be named
only so often.
"""

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournaments.errors import Refused
from tournaments.models import Bot, Entry, Ladder, User

NAMED_FOR = timedelta(days=30)  # at least


@transaction.atomic
def name_bot(*, bot: Bot, by: User) -> None:
    """From now on this bot counts for its owner in its game. Raises Refused: not_yours, named_already, named_lately."""
    if bot.owner_id != by.pk:
        raise Refused("not_yours", f"{bot} belongs to somebody else; its owner alone says which of them counts")
    User.objects.select_for_update().get(pk=by.pk)
    mine = Bot.objects.filter(owner=by, game=bot.game)
    named = mine.filter(named_at__isnull=False).first()
    if named and named.pk == bot.pk:
        raise Refused("named_already", f"{bot} counts for you over all games already")
    if named and named.named_at and (until := named.named_at + NAMED_FOR) > timezone.now():
        raise Refused(
            "named_lately",
            f"{named} counts for you since {named.named_at:%Y-%m-%d}; another may be named from {until:%Y-%m-%d %H:%M} "
            f"UTC on, {NAMED_FOR.days} days later",
        )
    mine.update(named_at=None)
    mine.filter(pk=bot.pk).update(named_at=timezone.now())


def counting(owners: Collection[int], ladders: Collection[Ladder]) -> dict[tuple[int, str], int]:
    """The bot that counts, by owner and game, where these ladders do."""
    first = Entry.objects.filter(bot__owner__in=owners, ladder__in=ladders).order_by(
        F("entered_at").desc(), F("pk").desc()
    )
    chosen = {(owner, game): bot for owner, game, bot in first.values_list("bot__owner", "bot__game", "bot")}
    named = Bot.objects.filter(owner__in=owners, named_at__isnull=False).values_list("owner", "game", "pk")
    return chosen | {(owner, game): bot for owner, game, bot in named}
