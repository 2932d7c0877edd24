"""Who sees what is in a space, and who runs it: decided here, and nowhere else.

A *viewer* is a person, somebody who has not signed in, or None: whoever comes by, for lists and files that are one and
the same for everybody. The site's organisers see every space. A closed space is there for them alone.
"""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.accounts.organisers import organises
from tournaments.models import Space, SpaceMember, User

Viewer = User | AnonymousUser | None
Access = Space.Access


class VisitorOf(AnonymousUser):
    """Somebody without a name who sees one space as its members do: for the page of it that is kept for all of them."""

    def __init__(self, space: int) -> None:
        super().__init__()
        self.space = space


def open_to(viewer: Viewer, to_space: str = "space") -> Q:
    """Of rows that lead to a space by `to_space`, those that the viewer may see at their own addresses."""
    if organises(viewer):
        return Q()
    return Q(**{to_space: None}) | Q(**{f"{to_space}__in": spaces_open_to(viewer).values("pk")})


def listed_for(viewer: Viewer, to_space: str = "space") -> Q:
    """As `open_to`, but for lists: what is seen by a link alone is in those of its members."""
    if organises(viewer):
        return Q()
    public = Space.objects.filter(Q(access=Access.PUBLIC) | _joined(viewer), closed_at=None)
    return Q(**{to_space: None}) | Q(**{f"{to_space}__in": public.values("pk")})


def spaces_open_to(viewer: Viewer) -> QuerySet[Space]:
    if organises(viewer):
        return Space.objects.all()
    by_itself = [Access.PUBLIC] if viewer is None else [Access.PUBLIC, Access.LINK]
    return Space.objects.filter(Q(access__in=by_itself) | _joined(viewer), closed_at=None)


def _joined(viewer: Viewer) -> Q:
    if isinstance(viewer, VisitorOf):
        return Q(pk=viewer.space)
    if isinstance(viewer, User) and viewer.is_active:
        return Q(pk__in=SpaceMember.objects.filter(user=viewer).values("space"))
    return Q(pk__in=[])


def organised_by(viewer: Viewer, to_space: str = "space") -> Q:
    """Of rows that lead to a space by `to_space`, those in spaces that the viewer is an organiser of."""
    if organises(viewer):
        return Q()
    if not isinstance(viewer, User) or not viewer.is_active:
        return Q(pk__in=[])
    return Q(**{f"{to_space}__in": _organised(viewer).values("space")})


def runs(viewer: Viewer, space: int | None) -> bool:
    """Whether they are an organiser of the space; of the site, if it is None."""
    if organises(viewer):
        return True
    if space is None or not isinstance(viewer, User) or not viewer.is_active:
        return False
    return _organised(viewer).filter(space=space).exists()


def _organised(user: User) -> QuerySet[SpaceMember]:
    return SpaceMember.objects.filter(user=user, role=SpaceMember.Role.ORGANISER, space__closed_at=None)


def spaces_led_alone(user: User) -> QuerySet[Space]:
    """Open spaces that have no other organiser."""
    others = SpaceMember.objects.filter(space=OuterRef("pk"), role=SpaceMember.Role.ORGANISER).exclude(user=user)
    return Space.objects.filter(~Exists(others), pk__in=_organised(user).values("space"))
