"""Who sits where, as forms and programs say it: "person", "invited", "version-12", "draft-3", "sample-greedy"."""

from tournaments.errors import Refused
from tournaments.models import Draft, User, Version
from tournaments.practice.seats import INVITED, PERSON, Sample, SeatedPlayer

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
    if kind == "version" and (version := Version.objects.select_related("bot").filter(pk=number).first()):
        return version
    if kind == "draft" and (draft := Draft.objects.filter(pk=number, owner=by).first()):
        return draft
    raise Refused("unknown_bot", f"nobody is called {key[:40]!r} here; choose again who sits where")
