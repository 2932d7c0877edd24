"""An owner or team may enter a bundle only once in a ladder: a second entry would be another chance to be lucky.

Bundles are compared by their contents (`bots.contents`), owners by their sides (`tournaments.core.accounts.sides`). A
bundle belongs to the bot that plays with it there, or has played: that bot may come back, and no other of its side
takes over.
The house's placebo twins are exempt. Doubles of before, and those that came by founding a team, stay until one of them
changes something.
"""

from collections.abc import Iterable, Sequence

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from engine.sentences import Sentence
from tournaments.core.accounts.sides import people_with
from tournaments.core.errors import Refused
from tournaments.ledger.competitors.entry_states import GONE
from tournaments.models import Bot, Entry, Ladder, Rating, Twins, Version

SAME = "these contents, comments and empty lines apart, are"
Status = Version.Status
PASSED = (Status.ACTIVE, Status.CANDIDATE, Status.RETIRED)
FIELDED = (Status.ACTIVE, Status.CANDIDATE, Status.CHECKING)  # or would be, as soon as it has passed


def ladders_of_bot(bot: Bot) -> list[Ladder]:
    """Return the ladders in which the bot is, and where something can still be played."""
    there = Entry.objects.filter(bot=bot).exclude(status__in=GONE).exclude(ladder__status=Ladder.Status.CLOSED)
    return [entry.ladder for entry in there.select_related("ladder").order_by("ladder")]


def check_no_clone(bot: Bot, contents: Iterable[str], ladders: Sequence[Ladder]) -> None:
    """Held until the transaction ends, so that of two at once one is refused. Raises Refused: same_contents."""
    wanted = sorted({*contents} - {""})
    if not (wanted and ladders):
        return
    _lock(wanted)
    others = Version.objects.filter(contents__in=wanted, bot__owner__in=people_with(bot.owner)).exclude(bot=bot)
    others = others.exclude(_twins_of(bot))
    for ladder in ladders:
        if clone := _known_in(ladder, others).select_related("bot").order_by("pk").first():
            raise Refused(
                "same_contents",
                "%(bot)s already has these contents in %(ladder)s, as its version %(number)s, and an owner or team "
                "may enter the same upload only once there; let %(bot)s play, or change something that matters",
                bot=clone.bot,
                ladder=ladder,
                number=clone.number,
            )


def _twins_of(bot: Bot) -> Q:
    """Return a condition on versions: they are placebo twins of the bot's, which one side may enter."""
    pairs = Twins.objects.filter(Q(original__bot=bot) | Q(twin__bot=bot))
    return Q(pk__in=pairs.values("original")) | Q(pk__in=pairs.values("twin"))


def _lock(contents: Sequence[str]) -> None:
    with connection.cursor() as cursor:
        for each in contents:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"contents {each}"])


def _known_in(ladder: Ladder, versions: QuerySet[Version]) -> QuerySet[Version]:
    """Return those of the versions that play in the ladder, or have played."""
    entered = Entry.objects.filter(ladder=ladder, bot=OuterRef("bot")).exclude(status__in=GONE)
    played = Rating.objects.filter(ladder=ladder, version=OuterRef("pk"), sets__gt=0)
    return versions.filter(Q(Exists(entered), status__in=FIELDED) | Exists(played))


def check_is_new(bot: Bot, contents: str) -> None:
    """An upload begins anew, so it must be new. Raises Refused: already_active, already_uploaded."""
    known = bot.versions.filter(contents=contents, status__in=PASSED).order_by("number")
    last = known.filter(status=Status.ACTIVE).first() or known.last()
    if last and last.status == Status.ACTIVE:
        raise Refused(
            "already_active",
            "%(same)s the active version already; change something that matters and upload again",
            same=Sentence(SAME),
        )
    if last:
        raise Refused(
            "already_uploaded",
            "%(same)s version %(number)s of %(bot)s already; activate that one, and it counts by the "
            "sets that are dealt from then on",
            same=Sentence(SAME),
            number=last.number,
            bot=bot,
        )
