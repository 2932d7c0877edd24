"""A new draft: from a starting point of its game, or from a version of one of the user's bots."""

from pathlib import Path

from django.db.models import QuerySet

from bots.bundle import ENDINGS
from tournaments.core.errors import Refused
from tournaments.features.drafts.rules import MOST, begin_draft
from tournaments.ledger.competitors.starting_points import files_of_version, start_of
from tournaments.models import Draft, User, Version


def begin_from_start(*, owner: User, game: str, start: str) -> Draft:
    """Create a draft from a starting point. Raises Refused: unknown_game, unknown_start, and as `begin_draft` does."""
    chosen = start_of(game, start)
    return begin_draft(owner=owner, game=game, source=chosen.source, filename=chosen.filename)


def begin_from_version(*, owner: User, version: Version) -> Draft:
    """Create a draft of the bot's next version. The caller checks whether they may see the source.

    Raises Refused: not_editable, and as `begin_draft` does.
    """
    source = editable_source(version)
    if source is None:
        raise Refused(
            "not_editable",
            "%(version)s is more than one text file; change it at home, and upload it again",
            version=version,
        )
    bot = version.bot
    names = {"filename": version.filename or "bot.py", "name": bot.name}
    return begin_draft(owner=owner, game=bot.game, source=source, bot=bot, **names)


def editable_source(version: Version) -> str | None:
    """Return the version's text, if it is one file of a size that can be edited here."""
    if version.bundle.size > MOST or not _is_single_file(version):
        return None
    return files_of_version(version).get(f"bot{Path(version.filename).suffix.lower() or '.py'}")


def editable(versions: QuerySet[Version]) -> list[Version]:
    """Return the versions that consist of one text file, judged by name and size."""
    few = versions.filter(bundle__size__lte=MOST).select_related("bot", "bundle").defer("bundle__content")
    return [version for version in few if _is_single_file(version)]


def _is_single_file(version: Version) -> bool:
    return Path(version.filename or "bot.py").suffix.lower() in ENDINGS
