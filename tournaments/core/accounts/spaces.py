"""Who sees what is in a space, and who runs it; decided only here.

A *viewer* is a person, an anonymous visitor, or None: the public, for lists and files that are the same for everyone.
The site's organisers see every space. Only they see a closed one.
"""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.core.accounts.organisers import check_organises, organises
from tournaments.core.errors import Refused
from tournaments.models import Bot, Ladder, Space, SpaceMember, User

Viewer = User | AnonymousUser | None
Access = Space.Access
EVERY_ROW = ~Q(pk__in=[])  # unlike an empty Q, which `|` leaves out


def open_to(viewer: Viewer, to_space: str = "space") -> Q:
    """Return which rows the viewer may see at their own addresses; `to_space` leads from a row to its space."""
    if organises(viewer):
        return EVERY_ROW
    return Q(**{to_space: None}) | Q(**{f"{to_space}__in": spaces_open_to(viewer).values("pk")})


def listed_for(viewer: Viewer, to_space: str = "space") -> Q:
    """Return which rows lists show the viewer: as `open_to`, but what is seen by a link alone only to its members."""
    if organises(viewer):
        return EVERY_ROW
    public = Space.objects.filter(Q(access=Access.PUBLIC) | _joined(viewer), closed_at=None)
    return Q(**{to_space: None}) | Q(**{f"{to_space}__in": public.values("pk")})


def spaces_open_to(viewer: Viewer) -> QuerySet[Space]:
    if organises(viewer):
        return Space.objects.all()
    by_itself = [Access.PUBLIC] if viewer is None else [Access.PUBLIC, Access.LINK]
    return Space.objects.filter(Q(access__in=by_itself) | _joined(viewer), closed_at=None)


def _joined(viewer: Viewer) -> Q:
    if isinstance(viewer, User) and viewer.is_active:
        return Q(pk__in=SpaceMember.objects.filter(user=viewer).values("space"))
    return Q(pk__in=[])


def organised_by(viewer: Viewer, to_space: str = "space") -> Q:
    """Return which rows are in spaces that the viewer organises; `to_space` leads from a row to its space."""
    if organises(viewer):
        return EVERY_ROW
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


def check_runs_space(by: User | str, space: int | None) -> None:
    """`by` is a person, or the platform itself. Raises Refused: not_organiser, second_factor_needed."""
    if isinstance(by, str) or (space is not None and runs(by, space)):
        return
    check_organises(by)


def runs_a_space(viewer: Viewer) -> bool:
    return isinstance(viewer, User) and viewer.is_active and _organised(viewer).exists()


def _organised(user: User) -> QuerySet[SpaceMember]:
    return SpaceMember.objects.filter(user=user, role=SpaceMember.Role.ORGANISER, space__closed_at=None)


def organisers_of(space: int) -> QuerySet[User]:
    role = SpaceMember.Role.ORGANISER
    return User.objects.filter(spaces__space=space, spaces__role=role, is_active=True)


def spaces_led_alone(user: User) -> QuerySet[Space]:
    """Open spaces that have no other organiser."""
    others = SpaceMember.objects.filter(space=OuterRef("pk"), role=SpaceMember.Role.ORGANISER).exclude(user=user)
    return Space.objects.filter(~Exists(others), pk__in=_organised(user).values("space"))


def people_known_to(viewer: Viewer) -> Q:
    """Return whom the viewer may see: oneself, and all but guests, and those whose account was made for a space that is
    hidden."""
    known = Q(is_active=True, guest_until=None) & listed_for(viewer, "home")
    return known | Q(pk=viewer.pk, is_active=True) if isinstance(viewer, User) else known


def only_space_of(user: User) -> int | None:
    """Return the space that an account was made for, if it is in no other: outside it nobody sees it."""
    return None if user.spaces.exclude(space=user.home_id).exists() else user.home_id


def joined_by(user: User) -> Q:
    """Return the condition on rows that have a space: there the person's bots may play.
    They may in the spaces that the person has joined, and on the site itself, unless the account was made for a
    space."""
    inside = Q(space__in=Space.objects.filter(_joined(user), closed_at=None).values("pk"))
    return inside if user.home_id else inside | Q(space=None)


def check_joined(by: User, space: Space | None) -> None:
    """Raises Refused: space_account, not_member."""
    if space is None and by.home_id:
        raise Refused(
            "space_account",
            "this account was made for %(home)s, and its bots play only there; your account's page can change that",
            home=by.home,
        )
    if space is not None and not Space.objects.filter(_joined(by), pk=space.pk, closed_at=None).exists():
        raise Refused("not_member", "only members of %(space)s enter bots there; join it first", space=space)


def check_of_space(bot: Bot, ladder: Ladder) -> None:
    """Raises Refused: other_space."""
    if bot.space_id != ladder.space_id:
        its, there = (str(each.space or "the site itself") for each in (bot, ladder))
        raise Refused(
            "other_space",
            "%(bot)s belongs to %(its)s, and %(ladder)s to %(there)s; upload it there as another bot",
            bot=bot,
            its=its,
            ladder=ladder,
            there=there,
        )


def check_space_address(space: Space | None, slug: str) -> None:
    """Check the address of what is made in a space. All that begins with its own is its own, so nobody learns by an
    address that is taken of what there is in another. Raises Refused: bad_slug."""
    if space and not slug.startswith(f"{space.slug}-"):
        raise Refused("bad_slug", "an address in %(space)s begins with %(slug)s-", space=space, slug=space.slug)
