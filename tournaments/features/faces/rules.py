"""What an owner may choose for the face of a bot."""

from collections.abc import Sequence

from bots.viewer.emblem import CONTRAST, HEX, contrast
from tournaments.core.accounts.permissions import check_runs
from tournaments.core.accounts.suspension import check_writes
from tournaments.core.errors import Refused
from tournaments.ledger.competitors.about_texts import LONGEST_MOTTO
from tournaments.models import Bot, User


def choose_face(*, bot: Bot, motto: str, colours: Sequence[str], by: User) -> None:
    """Set the motto and the two colours of a bot, which those who run it may; no colours: those of its name.

    Raises Refused: not_yours, account_suspended, motto_too_long, bad_colours, low_contrast.
    """
    check_runs(bot, by, "only its owner, or the owner's team, chooses its face")
    check_writes(by, bot.space_id)
    line = " ".join(motto.split())
    if len(line) > LONGEST_MOTTO:
        raise Refused("motto_too_long", "a motto has at most %(most)s characters", most=LONGEST_MOTTO)
    chosen = [colour.lower() for colour in colours]
    check_colours(chosen)
    Bot.objects.filter(pk=bot.pk).update(motto=line, colours=" ".join(chosen))


def check_colours(colours: Sequence[str]) -> None:
    """Raises Refused: bad_colours, low_contrast."""
    if not colours:
        return
    if len(colours) != 2 or not all(map(HEX.fullmatch, colours)):
        raise Refused("bad_colours", "name two colours in the form #17324d, or none")
    reached = contrast(*colours)
    if reached < CONTRAST:
        raise Refused(
            "low_contrast",
            "these colours are too much alike to see the figure: their contrast is %(reached)s, and must be at least "
            "%(least)s. Make one darker, or the other lighter",
            reached=f"{reached:.1f}",
            least=f"{CONTRAST:g}",
        )
