"""Joining without a code: with an address that the space admits, or by request."""

import re
from collections.abc import Callable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse

from engine.sentences import Sentence
from tournaments.core.accounts.names import normalized_name
from tournaments.core.accounts.spaces import check_runs_space, organisers_of, spaces_open_to
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.features.spaces import members
from tournaments.features.spaces.address_lists import listed_addresses
from tournaments.features.spaces.members import admit_member, lock_space, notify_of_membership
from tournaments.models import AdmittedAddress, JoinRequest, Space, SpaceMember, User

MOST_ADDRESSES = 1000
MOST_ASKING = 5  # spaces that one person waits for at once
REQUESTS = declare(
    Budget(
        "requests to join spaces",
        resource="Actions and notices",
        most=30,
        unit="requests",
        holder="person",
        where="tournaments.features.spaces.admission.ask_to_join",
        sentence=Sentence("one person asks to join at most %(most)s times a day; go on tomorrow"),
        seconds=86_400,
    )
)
ADDRESS = re.compile(r"[^@\s,;:/\\?=“”]{0,64}@[^@\s,;.]+(\.[^@\s,;.]+)+")  # with nothing before the @: the whole domain


@transaction.atomic
def admit_addresses(*, space: Space, by: User, lines: str) -> None:
    """Admit these and no others from now on, as people paste them. Raises Refused: not_organiser, bad_address,
    too_many_addresses."""
    check_runs_space(by, space.pk)
    addresses = set(listed_addresses(lines))
    if odd := sorted(address for address in addresses if len(address) > 254 or not ADDRESS.fullmatch(address)):
        raise Refused(
            "bad_address", "%(odd)s is neither an address nor a domain such as @example.org", odd=f"{odd[0]:.60}"
        )
    if len(addresses) > MOST_ADDRESSES:
        raise Refused(
            "too_many_addresses",
            "%(wanted)s addresses; a space admits %(most_addresses)s at most",
            wanted=len(addresses),
            most_addresses=MOST_ADDRESSES,
        )
    space.admits.exclude(address__in=addresses).delete()
    rows = [AdmittedAddress(space=space, address=address) for address in sorted(addresses)]
    AdmittedAddress.objects.bulk_create(rows, ignore_conflicts=True)


def spaces_admitting(user: User) -> QuerySet[Space]:
    """Return the spaces that their address opens, if it is confirmed, and in which they are not."""
    address = user.confirmed_email.lower()
    if not address or user.email.lower() != address:
        return Space.objects.none()
    named = AdmittedAddress.objects.filter(Q(address=address) | Q(address=f"@{address.rpartition('@')[2]}"))
    return Space.objects.filter(pk__in=named.values("space"), closed_at=None).exclude(members__user=user)


def join_by_address(*, space: Space, by: User) -> SpaceMember:
    """Raises Refused: not_admitted, space_closed, already_member, space_full."""
    if not spaces_admitting(by).filter(pk=space.pk).exists():
        raise Refused(
            "not_admitted", "%(space)s does not admit your confirmed address; ask to join, or for a code", space=space
        )
    return admit_member(space=space, user=by)


@transaction.atomic
def ask_to_join(*, space: Space, by: User) -> None:
    """Ask to join; its organisers are told. Raises Refused: not_admitted, already_member, already_asked,
    too_many_requests, over_budget."""
    lock_space(space)
    if not spaces_open_to(by).filter(pk=space.pk).exists():
        raise Refused("not_admitted", "nobody can ask to join that space")
    if space.members.filter(user=by).exists():
        raise Refused("already_member", "you are in %(space)s already", space=space)
    if by.join_requests.filter(space=space).exists():
        raise Refused("already_asked", "you have asked to join %(space)s, and wait for an answer", space=space)
    if by.join_requests.count() >= MOST_ASKING:
        raise Refused(
            "too_many_requests",
            "you wait for the answers of %(most_asking)s spaces; take one back first",
            most_asking=MOST_ASKING,
        )
    spend_budget(REQUESTS, by.pk)
    asked = JoinRequest.objects.create(space=space, user=by)
    path = reverse("space-members", args=[space.slug])
    text = Sentence("%(user)s asks to join %(space)s.", user=by, space=space)
    notify_of_membership(organisers_of(space.pk), f"asks {asked.pk}", text, path, space)


def take_request_back(*, space: Space, by: User) -> None:
    """Raises Refused: not_asked."""
    if not space.requests.filter(user=by).delete()[0]:
        raise Refused("not_asked", "you have not asked to join %(space)s, or have an answer", space=space)


@transaction.atomic
def answer_request(*, space: Space, user: User, by: User, admits: bool) -> None:
    """Raises Refused: not_organiser, not_asked, space_closed, already_member, space_full."""
    check_runs_space(by, space.pk)
    lock_space(space)
    asked = space.requests.filter(user=user).first()
    if asked is None:
        raise Refused("not_asked", "%(user)s has not asked to join %(space)s, or has an answer", user=user, space=space)
    if admits:
        admit_member(space=space, user=user)
    asked.delete()
    text = Sentence(
        "You are in %(space)s now." if admits else "The organisers of %(space)s have not let you join.", space=space
    )
    path = reverse("space", args=[space.slug]) if admits else reverse("spaces")
    notify_of_membership([user], f"answered {asked.pk}", text, path, space)


def user_of_space(space: Space, name: str) -> User:
    """One of its members, or of those who ask to be. Raises Refused: unknown_user."""
    for places in (space.members, space.requests):
        if place := places.filter(user__username=normalized_name(name)).select_related("user").first():
            return place.user
    raise Refused(
        "unknown_user", "nobody called “%(name)s” is in %(space)s or asks to be", name=f"{name:.60}", space=space
    )


# With the name of the person whom it is about, which some take, and who does it.
SPACE_ACTIONS: dict[str, Callable[[Space, str, User], object]] = {
    "join": lambda space, _, by: join_by_address(space=space, by=by),
    "ask": lambda space, _, by: ask_to_join(space=space, by=by),
    "take-back": lambda space, _, by: take_request_back(space=space, by=by),
    "approve": lambda space, name, by: answer_request(space=space, user=user_of_space(space, name), by=by, admits=True),
    "refuse": lambda space, name, by: answer_request(space=space, user=user_of_space(space, name), by=by, admits=False),
    "leave": lambda space, _, by: members.leave_space(space=space, by=by),
    "organiser": lambda space, name, by: members.make_organiser(space=space, user=user_of_space(space, name), by=by),
    "step-down": lambda space, _, by: members.step_down(space=space, by=by),
}
NAME_SOMEBODY = ("approve", "refuse", "organiser")
