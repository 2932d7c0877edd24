"""Results of events are released round by round; only organisers see unreleased ones.

An unreleased set is not shown at all: who plays in a round shows how the round before it ended.
"""

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q

from tournaments.accounts.organisers import organises
from tournaments.models import Event, User


def seen_by(viewer: User | AnonymousUser | None, to_set: str = "set__") -> Q:
    """Of rows that lead to a set by `to_set`: those whose set the viewer may see; spot checks are for organisers."""
    if organises(viewer):
        return Q()
    last = F(f"{to_set}event__released")
    released = Q(**{f"{to_set}event__released": None}) | Q(**{f"{to_set}round__lte": last})
    return released & Q(**{f"{to_set}rechecks": None})


def events_seen_by(viewer: User | AnonymousUser | None) -> Q:
    """All but drafts, which are the organisers' own."""
    return Q() if organises(viewer) else ~Q(status=Event.Status.DRAFT)
