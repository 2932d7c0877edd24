"""Turning a draft into a version of a new bot with its name, or of the bot that it belongs to."""

from django.db import transaction

from tournaments.competitors.uploads import create_bot, upload
from tournaments.errors import Refused
from tournaments.models import Bot, Draft, Space, Version


@transaction.atomic
def submit(*, draft: Draft, note: str = "", space: Space | None = None) -> Version:
    """All or nothing: a source that is refused leaves no bot behind; a new bot is of that space. The draft stays, for
    the version after this one.

    Raises Refused with the codes of `create_bot` and `upload`.
    """
    bot = draft.bot or _new(draft, space)
    return upload(bot=bot, by=draft.owner, data=draft.source.encode(), filename=draft.filename, note=note)


def _new(draft: Draft, space: Space | None) -> Bot:
    if not draft.name:
        raise Refused(
            "bad_name", "the bot has no name yet: 3 to 40 letters, digits, and single - _ . or spaces between"
        )
    bot = create_bot(owner=draft.owner, game=draft.game, name=draft.name, space=space)
    Draft.objects.filter(pk=draft.pk).update(bot=bot)
    draft.bot = bot
    return bot
