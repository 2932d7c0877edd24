"""Who sits where, as forms and programs say it: "person", "invited", "version-12", "draft-3", "sample-greedy"."""

from tournaments.accounts.spaces import open_to
from tournaments.errors import Refused
from tournaments.features.practice.seats import INVITED, PERSON, Sample, SeatedPlayer
from tournaments.models import Draft, User, Version

LONGEST_ID = 18  # digits that the database can hold


def seated_player(key: str, by: User) -> SeatedPlayer:
    """Raises Refused: unknown_bot."""
    kind, _, name = key.partition("-")
    number = int(name) if name.isascii() and name.isdigit() and len(name) <= LONGEST_ID else 0
    if key == PERSON:
        return PERSON
    if key == INVITED:
        return INVITED
    if kind == "sample":
        return Sample(name)
    if kind == "version" and (version := version_of(number, by)):
        return version
    if kind == "draft" and (draft := Draft.objects.filter(pk=number, owner=by).first()):
        return draft
    raise Refused("unknown_bot", "nobody is called %(key)s here; choose again who sits where", key=repr(key[:40]))


def version_of(number: int, by: User) -> Version | None:
    return Version.objects.filter(open_to(by, "bot__space"), pk=number).select_related("bot").first()
