"""Who may see what: the contents of their spaces and, if an event's results are held back, the released rounds.

Only an event's organisers see unreleased rounds: a round's pairings reveal the results of the previous one, so an
unreleased set is not shown at all. `seen_by` is for addresses, `listed_for` for lists (see `accounts.spaces`).
"""

from django.db.models import F, Q

from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.spaces import EVERY_ROW, Viewer, listed_for, open_to, organised_by, runs
from tournaments.models import Event, NewsItem


def seen_by(viewer: Viewer, to_set: str = "set__") -> Q:
    """Return a condition on rows that lead to a set by `to_set`: the viewer may see it; spot checks are organisers'."""
    return released_to(viewer, to_set) & open_to(viewer, f"{to_set}space")


def sets_listed_for(viewer: Viewer) -> Q:
    """Return a condition on rows that have a set, as `seen_by` does: it is listed for the viewer."""
    return released_to(viewer, "set__") & listed_for(viewer, "set__space")


def released_to(viewer: Viewer, to_set: str) -> Q:
    if organises(viewer):
        return EVERY_ROW
    last = F(f"{to_set}event__released")
    released = Q(**{f"{to_set}event__released": None}) | Q(**{f"{to_set}round__lte": last})
    return (released & Q(**{f"{to_set}rechecks": None})) | organised_by(viewer, f"{to_set}space")


def released_news() -> Q:
    """Return a condition on news: what they tell of an event is public, and its winner still is its winner."""
    released = Q(event=None) | Q(event__released=None) | Q(round__lte=F("event__released"))
    stands = Q(event__released=None, event__status=Event.Status.FINISHED)
    return released & (stands | ~Q(kind=NewsItem.Kind.WINNER))


def audience_of(viewer: Viewer, space: int | None) -> str:
    """Return among whom the viewer is: all of one audience who may see a ladder, an event or a set of the space see the
    same of it, except what their own bots show them."""
    if organises(viewer):
        return "site organisers"
    return "space organisers" if runs(viewer, space) else "everybody"


def events_seen_by(viewer: Viewer) -> Q:
    """Return a condition on events that the viewer sees: all except drafts, which are their organisers' own."""
    return _announced(viewer) & open_to(viewer, "ladder__space")


def events_listed_for(viewer: Viewer) -> Q:
    return _announced(viewer) & listed_for(viewer, "ladder__space")


def _announced(viewer: Viewer) -> Q:
    return EVERY_ROW if organises(viewer) else ~Q(status=Event.Status.DRAFT) | organised_by(viewer, "ladder__space")
