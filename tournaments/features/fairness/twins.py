"""Placebo twins: a bot of the house plays in a ladder under a second name, which organisers alone know until the end.

The second name gets the same source with a comment at its end, so that neither hash nor size of the two uploads is
the same. The log has the hash of a text that names both, so that nobody can choose two afterwards that happen to be
equal. Once they are revealed, each is a double of the other: neither has a rank, nor takes a prize.
"""

import secrets

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import Viewer, runs
from tournaments.core.errors import Refused
from tournaments.ledger.competitors.uploads import create_bot, upload
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.fielded import fielded
from tournaments.ledger.ladders.unranked import unranked
from tournaments.models import Act, Bot, Entry, Fit, Ladder, Likeness, Twins, Version

TAKES_ENTRIES = (Ladder.Status.OPEN, Ladder.Status.PAUSED)
SIZES = 64 << 10  # bytes, of which the size of a twin is a multiple: it tells nothing of the original's


def twins_shown_to(viewer: Viewer, ladder: Ladder) -> Twins | None:
    """Return the ladder's twins, if they are revealed, or the viewer organises the ladder. This is the one rule."""
    twins = _twins_of(ladder)
    return twins if twins and (twins.revealed_at or runs(viewer, ladder.space_id)) else None


def hidden_twins(ladder: Ladder) -> Twins | None:
    twins = _twins_of(ladder)
    return twins if twins and not twins.revealed_at else None


def revealed_twins(ladder: Ladder) -> list[int]:
    """Return the versions of the twins, for what everybody may read; none while they are hidden."""
    twins = twins_shown_to(None, ladder)
    return [twins.original_id, twins.twin_id] if twins else []


def _twins_of(ladder: Ladder) -> Twins | None:
    related = ("original__bot", "twin__bot", "act")
    return Twins.objects.select_related(*related).filter(ladder=ladder).first()


def original_for(ladder: Ladder, bot: Bot) -> Version:
    """Return the version of the house's bot that gets a second name. Raises Refused: wrong_status, twins_entered,
    not_of_the_house, not_one_file, no_rank."""
    if Ladder.objects.get(pk=ladder.pk).status not in TAKES_ENTRIES:
        raise Refused("wrong_status", "%(ladder)s takes no entries now", ladder=ladder)
    if _twins_of(ladder):
        raise Refused("twins_entered", "%(ladder)s has its twins already", ladder=ladder)
    version = fielded(ladder).filter(bot=bot).first() if _bots_of_the_house(ladder).filter(bot=bot).exists() else None
    if version is None:
        raise Refused("not_of_the_house", "%(bot)s is no bot of the house in %(ladder)s", bot=bot, ladder=ladder)
    if version.need != "python" or not version.filename.endswith(".py"):
        raise Refused("not_one_file", "%(version)s is not one file of Python", version=version)
    if version.pk == ladder.anchor_id or bot.pk in unranked(ladder):
        raise Refused("no_rank", "%(bot)s is held at its rating in %(ladder)s, or has no rank", bot=bot, ladder=ladder)
    return version


def may_get_twins(ladder: Ladder) -> bool:
    """Return whether there is something to try: a bot of the house plays in an open ladder without twins."""
    return ladder.status in TAKES_ENTRIES and not _twins_of(ladder) and _bots_of_the_house(ladder).exists()


def _bots_of_the_house(ladder: Ladder) -> QuerySet[Entry]:
    return ladder.entries.filter(status=Entry.Status.PLAYING).exclude(bot__house="")


def text_of_twins(ladder: Ladder, original: Version, name: str) -> str:
    """Return the text whose hash is in the log: only the site's key tells the number at its end."""
    pair = f"{ladder.slug}: {original} is {name}"
    return f"{pair}; {salted_hmac('boardroom.twins', pair, algorithm='sha256').hexdigest()}"


@transaction.atomic
def enter_twin(*, ladder: Ladder, original: Version, name: str, act: Act) -> Twins:
    """Enter the bot under a second name. Raises Refused as `create_bot`, `upload` and `enter_in_ladder` do."""
    owner, text = original.bot.owner, text_of_twins(ladder, original, name)
    bot = create_bot(owner=owner, game=ladder.game, name=name, space=ladder.space)
    bot.house = bot.name  # so it earns no badges
    bot.save(update_fields=["house"])
    twin = upload(bot=bot, by=owner, data=disguised(bytes(original.bundle.content)), filename="bot.py")
    twins = Twins.objects.create(ladder=ladder, original=original, twin=twin, text=text, act=act)
    enter_in_ladder(ladder=ladder, bot=bot, by=owner)
    return twins


def disguised(source: bytes) -> bytes:
    """Return the Python source with a comment that nobody can guess, as long as the next multiple of SIZES."""
    start = source + b"\n# "
    left = -(-(len(start) + 64) // SIZES) * SIZES - len(start)
    return start + secrets.token_hex(left)[:left].encode()


def reveal_says(ladder: Ladder) -> list[str]:
    """Return what the log says as the twins are revealed; nothing where none are hidden."""
    if (twins := hidden_twins(ladder)) is None:
        return []
    return [
        Sentence(
            "%(original)s and %(twin)s are one bot under two names: neither has a rank or takes a prize. Act %(act)s "
            "fixed it, by the hash of %(text)s",
            original=twins.original,
            twin=twins.twin,
            act=twins.act.number,
            text=twins.text,
        )
    ]


@transaction.atomic
def reveal_twins(ladder: Ladder) -> None:
    """Let everybody know the twins, if there are some that are hidden."""
    if twins := hidden_twins(ladder):
        Twins.objects.filter(pk=twins.pk).update(revealed_at=timezone.now())
        for original, version in ((twins.original, twins.twin), (twins.twin, twins.original)):
            Likeness.objects.update_or_create(
                ladder=ladder, original=original, version=version, defaults={"status": Likeness.Status.ALIKE}
            )
        Fit.objects.filter(ladder=ladder).update(stale=True)
