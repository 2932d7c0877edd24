"""Drafts are kept as they are typed: bounded in number and size, and never overwritten unseen."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from engine.games import GAMES
from tournaments.errors import Refused
from tournaments.models import Bot, Draft, User

DRAFTS = 40  # a person may keep
MOST = 256 << 10  # bytes of a source; longer ones are uploaded
NAME, FILENAME = 40, 100  # characters


def drafts_of(user: User) -> QuerySet[Draft]:
    """The last saved first, without their sources."""
    return Draft.objects.filter(owner=user).defer("source").select_related("bot").order_by("-saved_at")


@transaction.atomic
def begin(
    *, owner: User, game: str, source: str, filename: str = "bot.py", name: str = "", bot: Bot | None = None
) -> Draft:
    """A new draft, of `bot`'s next version if there is one. Raises Refused: unknown_game, too_many_drafts,
    draft_too_large, not_text."""
    if game not in GAMES:
        raise Refused("unknown_game", f"there is no game {game!r:.60}; there are {', '.join(GAMES)}")
    text = checked(source)
    User.objects.select_for_update().get(pk=owner.pk)  # their drafts are counted one at a time
    if owner.drafts.count() >= DRAFTS:
        raise Refused("too_many_drafts", f"you have {DRAFTS} drafts, as many as one person may keep; delete one first")
    kept = {"name": name[:NAME], "filename": filename[:FILENAME], "source": text}
    return Draft.objects.create(owner=owner, game=game, bot=bot, **kept)


@transaction.atomic
def save(*, draft: Draft, source: str, filename: str, name: str, since: datetime | None = None) -> Draft:
    """What is typed now, if nobody has saved anything else `since`; who does not say since when overwrites.

    Raises Refused: draft_too_large, not_text, changed_elsewhere.
    """
    text = checked(source)
    kept = Draft.objects.select_for_update().get(pk=draft.pk)
    if since and kept.saved_at != since and kept.source != text:
        raise Refused(
            "changed_elsewhere",
            "this draft was saved from another window meanwhile. Here is what you have typed in this one; "
            "to overwrite the other text with it, save once more",
        )
    kept.source, kept.filename, kept.name = text, filename[:FILENAME], name[:NAME]
    kept.save(update_fields=["source", "filename", "name", "saved_at"])
    return kept


def checked(source: str) -> str:
    """With the line ends of programs: browsers send those of letters."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    size = len(text.encode(errors="surrogatepass"))
    if size > MOST:
        raise Refused(
            "draft_too_large",
            f"the source has {size:,} bytes; a draft has at most {MOST:,}. Upload larger bots as a file",
        )
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise Refused("not_text", "the source has a NUL byte or half a character in it, so it is no text; take it out")
    return text
