"""Drafts: saved while they are typed, with a bounded number of earlier states, restored, submitted as a version.

Nothing is overwritten unnoticed.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet, Sum, Window

from engine.games import GAMES
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.errors import Refused
from tournaments.ledger.competitors.uploads import create_bot, upload
from tournaments.models import Bot, Draft, DraftState, Space, User, Version

DRAFTS = 40  # a person may keep
MOST = 256 << 10  # bytes of a source; longer ones are uploaded
NAME, FILENAME = 40, 100  # characters
STATES = 200  # earlier ones of a draft
STATES_BYTES = 8 << 20  # of all drafts of a person together


def drafts_of(user: User) -> QuerySet[Draft]:
    """Return the user's drafts, the last saved first, without their sources."""
    return Draft.objects.filter(owner=user).defer("source").select_related("bot").order_by("-saved_at")


@transaction.atomic
def begin_draft(
    *, owner: User, game: str, source: str, filename: str = "bot.py", name: str = "", bot: Bot | None = None
) -> Draft:
    """Create a draft, of `bot`'s next version if there is one. Raises Refused: unknown_game, too_many_drafts,
    draft_too_large, not_text."""
    if game not in GAMES:
        raise Refused(
            "unknown_game", "there is no game %(game)s; there are %(games)s", game=f"{game:.60}", games=", ".join(GAMES)
        )
    text = checked_source(source)
    counted_alone(owner)
    if owner.drafts.count() >= DRAFTS:
        raise Refused(
            "too_many_drafts",
            "you have %(drafts)s drafts, the most that one person may keep; delete one first",
            drafts=DRAFTS,
        )
    return Draft.objects.create(
        owner=owner, game=game, bot=bot, name=name[:NAME], filename=filename[:FILENAME], source=text
    )


@transaction.atomic
def save(*, draft: Draft, source: str, filename: str, name: str, since: datetime | None = None) -> Draft:
    """Save what is typed, if nobody has saved anything else `since`; who does not say since when overwrites.

    Raises Refused: draft_too_large, not_text, changed_elsewhere.
    """
    text = checked_source(source)
    counted_alone(draft.owner)
    stored = Draft.objects.select_for_update().get(pk=draft.pk)
    if since and stored.saved_at != since and stored.source != text:
        raise Refused(
            "changed_elsewhere",
            "this draft has been saved from another window. Here is what you typed in this one; save again to "
            "overwrite the other text",
        )
    if stored.source not in ("", text):
        keep_state(stored)
    stored.source, stored.filename, stored.name = text, filename[:FILENAME], name[:NAME]
    stored.save(update_fields=["source", "filename", "name", "saved_at"])
    return stored


def keep_state(draft: Draft) -> None:
    """Keep the draft as it stands, before it changes.

    When there are too many, every second of the older half goes: it is saved at each pause in typing, and the last
    minutes must not drive out the first hour. Of all that its owner has together the oldest go.
    """
    size = len(draft.source.encode())
    draft.states.create(source=draft.source, filename=draft.filename, size=size, saved_at=draft.saved_at)
    states = list(draft.states.order_by("pk").values_list("pk", flat=True))
    over = states[1 : STATES // 2 + 1 : 2] if len(states) > STATES else []
    together = Window(Sum("size"), order_by=F("pk").desc())
    mine = DraftState.objects.filter(draft__owner=draft.owner_id).annotate(together=together)
    over += mine.filter(together__gt=STATES_BYTES).values_list("pk", flat=True)
    DraftState.objects.filter(pk__in=over).delete()


def checked_source(source: str) -> str:
    """Return the source with the line ends of programs. Raises Refused: draft_too_large, not_text."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    size = len(text.encode(errors="surrogatepass"))
    if size > MOST:
        raise Refused(
            "draft_too_large",
            "the source has %(size)s bytes; a draft has at most %(most)s. Upload larger bots as a file",
            size=f"{size:,}",
            most=f"{MOST:,}",
        )
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise Refused("not_text", "the source has a NUL byte or half a character in it, so it is no text; take it out")
    return text


def states_of(draft: Draft) -> QuerySet[DraftState]:
    """Return the earlier states, the latest first, without their sources."""
    return draft.states.defer("source").order_by("-pk")


def restore_state(state: DraftState) -> Draft:
    """Restore an earlier state. The present one becomes the latest of the stored states."""
    draft = state.draft
    return save(draft=draft, source=state.source, filename=state.filename, name=draft.name)


@transaction.atomic
def submit(*, draft: Draft, note: str = "", space: Space | None = None) -> Version:
    """Upload the draft as a version, of a new bot in that space if it has none. The draft stays, for the next version.

    A source that is refused leaves no bot behind.
    Raises Refused with the codes of `create_bot` and `upload`.
    """
    bot = draft.bot or _new_bot(draft, space)
    return upload(bot=bot, by=draft.owner, data=draft.source.encode(), filename=draft.filename, note=note)


def _new_bot(draft: Draft, space: Space | None) -> Bot:
    if not draft.name:
        raise Refused(
            "bad_name", "the bot has no name yet: 3 to 40 letters, digits, and single - _ . or spaces between"
        )
    bot = create_bot(owner=draft.owner, game=draft.game, name=draft.name, space=space)
    Draft.objects.filter(pk=draft.pk).update(bot=bot)
    draft.bot = bot
    return bot
