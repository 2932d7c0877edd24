"""A new draft: from a starting point of its game, or from a version of one of the user's bots."""

from tournaments.competitors.starting_points import source_of, start_of
from tournaments.errors import Refused
from tournaments.features.drafts.rules import begin
from tournaments.models import Draft, User, Version


def begin_from_start(*, owner: User, game: str, start: str) -> Draft:
    """Raises Refused: unknown_game, unknown_start, and as `begin` does."""
    chosen = start_of(game, start)
    return begin(owner=owner, game=game, source=chosen.source, filename=chosen.filename)


def begin_from_version(*, owner: User, version: Version) -> Draft:
    """Raises Refused: not_editable, and as `begin` does. Whether they may see its source is for the caller to ask."""
    source = source_of(version)
    if source is None:
        raise Refused(
            "not_editable",
            "%(version)s is more than one text file; change it at home, and upload it again",
            version=version,
        )
    bot = version.bot
    names = {"filename": version.filename or "bot.py", "name": bot.name}
    return begin(owner=owner, game=bot.game, source=source, bot=bot, **names)
