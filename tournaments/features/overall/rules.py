"""An owner names the bot that counts over all games, and how often they may."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from tournaments.core.errors import Refused
from tournaments.features.overall.counting_bots import counting, fits_that_count, sets_of_pending
from tournaments.models import Bot, Fit, User
from tournaments.ratings.named_since import LEAST

NAMED_FOR = timedelta(days=30)  # at least
WAITED_FOR = timedelta(days=120)  # at most, for a named bot that plays too little to count


@transaction.atomic
def name_bot(*, bot: Bot, by: User) -> None:
    """Let a bot count for its owner in its game, by the sets that are dealt from now on. Raises Refused: not_yours,
    other_space, named_already, named_lately."""
    if bot.owner_id != by.pk:
        raise Refused("not_yours", "%(bot)s belongs to somebody else; only its owner says which bot counts", bot=bot)
    if bot.space_id is not None:
        raise Refused(
            "other_space",
            "%(bot)s plays only in %(space)s; the table over all games is for the site's bots",
            bot=bot,
            space=bot.space,
        )
    User.objects.select_for_update().get(pk=by.pk)
    bots = Bot.objects.filter(owner=by, game=bot.game, space=None)
    current = counting([by.pk], fits_that_count()).get((by.pk, bot.game))
    named = bots.filter(named_at__isnull=False).first()
    _check(bot, named, counts=bool(current and current.bot == bot.pk))
    bots.update(named_at=None, counts_meanwhile=False)
    bots.filter(pk=bot.pk).update(named_at=timezone.now())
    if current and current.bot == bot.pk:  # the one that was named has not played enough: all is as before
        return
    bots.filter(pk__in=[current.bot] if current else []).update(counts_meanwhile=True)
    _begin(bot)


def _check(bot: Bot, named: Bot | None, *, counts: bool) -> None:
    is_named = bool(named and named.pk == bot.pk)
    if counts and (is_named or not named):
        raise Refused("named_already", "%(bot)s counts for you over all games already", bot=bot)
    if is_named:
        raise Refused(
            "named_already",
            "%(bot)s is named already; it counts once it has played %(least)s sets since",
            bot=bot,
            least=LEAST,
        )
    if named and (until := held_until(named)) and until > timezone.now():
        raise Refused(
            "named_lately",
            "%(named)s is named since %(named_at)s; another may be named from %(until)s UTC on: %(days)s "
            "days later, or %(days2)s if it has not played %(least)s sets since",
            named=named,
            named_at=f"{named.named_at:%Y-%m-%d}",
            until=f"{until:%Y-%m-%d %H:%M}",
            days=NAMED_FOR.days,
            days2=WAITED_FOR.days,
            least=LEAST,
        )


def held_until(named: Bot) -> datetime | None:
    """Return until when no other may be named; while it does not count yet, at the latest."""
    if not named.named_at:
        return None
    waits = named.pk in sets_of_pending(named.owner_id, fits_that_count())
    return named.named_at + (WAITED_FOR if waits else NAMED_FOR)


def _begin(bot: Bot) -> None:
    """Let the sets so far no longer count. The next fits say what the later ones tell."""
    for entry in bot.entries.select_related("ladder"):
        entry.named_after = entry.ladder.sets.aggregate(last=Max("number"))["last"]
        entry.save(update_fields=["named_after"])
    Fit.objects.filter(ladder__entries__bot=bot).update(stale=True)
