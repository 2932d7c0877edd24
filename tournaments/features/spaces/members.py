"""The members of a space: people join, become organisers, and leave. An open space always has an organiser.

A member who leaves takes no bot along: their bots are withdrawn from the space's ladders and events, and wait there.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.admission import check_drawn, check_room
from tournaments.core.accounts.spaces import check_runs_space
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.core.notices.create import notify
from tournaments.ledger.competitors import entry_states
from tournaments.ledger.ladders import absences
from tournaments.models import Entry, Ladder, Notice, Space, SpaceMember, User

Role = SpaceMember.Role


def lock_space(space: Space) -> Space:
    """Lock the space: until the transaction ends nobody else joins or leaves. Raises Refused: space_closed."""
    held = Space.objects.select_for_update(no_key=True).get(pk=space.pk)
    if held.closed_at:
        raise Refused("space_closed", "%(held)s is closed", held=held)
    return held


def check_accounts(space: Space, more: int) -> None:
    """Check the number of accounts that are made for it alone. Raises Refused: too_many_accounts."""
    made = User.objects.filter(home=space, date_joined__gt=timezone.now() - timedelta(days=1)).count()
    if made + more > settings.ACCOUNTS_A_DAY:
        most = Sentence(
            "a space gets at most %(accounts_a_day)s new accounts a day", accounts_a_day=f"{settings.ACCOUNTS_A_DAY:,}"
        )
        raise Refused(
            "too_many_accounts",
            "%(most)s: it has had %(made)s, and this would add %(more)s; go on tomorrow",
            most=most,
            made=made,
            more=more,
        )


@transaction.atomic
def admit_member(*, space: Space, user: User, **more: str) -> SpaceMember:
    """Let somebody in who may join. Raises Refused: space_closed, already_member, space_full, drawn_names."""
    lock_space(space)
    check_drawn(space, user)
    if space.members.filter(user=user).exists():
        raise Refused("already_member", "%(user)s is in %(space)s already", user=user, space=space)
    check_room(space)
    space.requests.filter(user=user).delete()
    return SpaceMember.objects.create(space=space, user=user, **more)


@transaction.atomic
def leave_space(*, space: Space, by: User) -> None:
    """Raises Refused: space_closed, not_member, last_organiser."""
    hold_what_they_have(space, by)
    lock_space(space)
    part_with_member(membership_of(space, by))


@transaction.atomic
def make_organiser(*, space: Space, user: User, by: User) -> None:
    """Raises Refused: space_closed, not_organiser, not_member."""
    lock_space(space)
    check_runs_space(by, space.pk)
    place = membership_of(space, user)
    SpaceMember.objects.filter(pk=place.pk).update(role=Role.ORGANISER)
    path = reverse("space", args=[space.slug])
    text = Sentence("%(user)s has made you an organiser of %(space)s.", user=by, space=space)
    notify_of_membership([user], f"space {space.pk} organiser", text, path, space)


@transaction.atomic
def step_down(*, space: Space, by: User) -> None:
    """Make an organiser a member like others. Raises Refused: space_closed, not_member, last_organiser."""
    lock_space(space)
    place = membership_of(space, by)
    check_not_last(place)
    SpaceMember.objects.filter(pk=place.pk).update(role=Role.MEMBER)


def membership_of(space: Space, user: User) -> SpaceMember:
    """Raises Refused: not_member."""
    place = SpaceMember.objects.select_related("user", "space").filter(space=space, user=user).first()
    if place is None:
        raise Refused("not_member", "%(user)s is not in %(space)s", user=user, space=space)
    return place


def check_not_last(place: SpaceMember) -> None:
    """Raises Refused: last_organiser."""
    organisers = SpaceMember.objects.filter(space=place.space_id, role=Role.ORGANISER, user__is_active=True)
    if place.role == Role.ORGANISER and not organisers.exclude(pk=place.pk).exists():
        says = Sentence(
            "%(user)s is the last organiser of %(space)s; make somebody else one first, or close it",
            user=place.user,
            space=place.space,
        )
        raise Refused("last_organiser", says)


def hold_what_they_have(space: Space, user: User) -> None:
    """Lock the space's ladders, and their events there. Whatever takes more locks comes after."""
    list(Ladder.objects.select_for_update(no_key=True).filter(space=space).order_by("pk").values_list("pk"))
    for feature in features():
        feature.before_leaving(user, space)


def part_with_member(place: SpaceMember) -> None:
    """Take somebody out of the space, and their bots out of its ladders and events. In a frozen ladder, whose field
    stands, they play on; in an event that has begun they play what is dealt. Raises Refused: last_organiser."""
    check_not_last(place)
    space, user = place.space, place.user
    for entry in _entries(space, user):
        if entry_states.mark_withdrawn(entry):
            absences.note_leaving(entry)
    for feature in features():
        feature.left(user, space)
    place.delete()


def _entries(space: Space, user: User) -> QuerySet[Entry]:
    entries = Entry.objects.filter(ladder__space=space, bot__owner=user).select_related("ladder", "bot")
    return entries.exclude(ladder__status__in=(Ladder.Status.FROZEN, Ladder.Status.CLOSED))


def notify_of_membership(users: Iterable[User], key: str, text: str, path: str, space: Space) -> None:
    notify(users, Notice.Kind.SPACE, key, text, path, space=space.slug)


def leave_home(*, user: User) -> None:
    """Show an account of a space on the whole site from now on; their places in spaces stay. Raises Refused:
    no_home."""
    if not User.objects.filter(pk=user.pk, home__isnull=False).update(home=None):
        raise Refused("no_home", "your account is visible on the whole site already")
