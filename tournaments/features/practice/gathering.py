"""A table that waits for people: accepting an invitation, seats that the host gives to bots, and the start."""

import secrets
from datetime import timedelta
from itertools import cycle

from django.db import transaction
from django.utils import timezone

from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.spaces import Viewer, open_to
from tournaments.core.errors import Refused
from tournaments.features.practice import notices
from tournaments.features.practice.quota import check_open
from tournaments.features.practice.seats import (
    INVITED,
    PERSON,
    Sample,
    SeatedPlayer,
    free_seats,
    is_person,
    python_samples,
    sitting,
    stored_seat,
)
from tournaments.features.practice.turns import lock_practice, own, proceed
from tournaments.models import Practice, PracticeSeat, User

DAYS = 7  # that a table waits for people
LONGEST, USUAL = 168, 24  # hours for each answer
MOST_MINUTES = 60  # in the place of hours


def gather(new: Practice, hours: int | None, minutes: int | None) -> Practice:
    """A new table with seats kept for people; the host sits where `seats` has a person. Raises Refused: bad_hours,
    bad_minutes."""
    if minutes is not None and (hours is not None or not 1 <= minutes <= MOST_MINUTES):
        raise Refused(
            "bad_minutes", "people have 1 to %(most)s minutes for each answer, or hours instead", most=MOST_MINUTES
        )
    new.minutes, new.hours = minutes, USUAL if hours is None and minutes is None else hours
    if new.hours is not None and not 1 <= new.hours <= LONGEST:
        raise Refused(
            "bad_hours",
            "people have 1 to %(longest)s hours for each answer, not %(hours)s",
            longest=LONGEST,
            hours=new.hours,
        )
    hosts = [number for number, seat in enumerate(new.seats) if PERSON in seat]
    new.seats = [{INVITED: True} if is_person(seat) else seat for seat in new.seats]
    new.status, new.invite_key = Practice.Status.GATHERING, secrets.token_urlsafe(32)
    new.until = timezone.now() + timedelta(days=DAYS)
    new.save()
    PracticeSeat.objects.bulk_create(PracticeSeat(practice=new, user=new.owner, number=number) for number in hosts)
    return new


def invited_to(key: str, viewer: Viewer) -> Practice | None:
    """Return the table that the key of an invitation opens, for those who see its ladder."""
    if not key:
        return None
    open_ = Practice.objects.filter(invite_key=key, status=Practice.Status.GATHERING, owner__is_active=True)
    return open_.filter(open_to(viewer, "ladder__space")).select_related("ladder", "owner").first()


@transaction.atomic
def take_seat(*, key: str, by: User) -> Practice:
    """Take the first free seat; the last one to come begins the game. Who sits there already stays where they are.
    Raises Refused: unknown_invitation, too_many_open."""
    counted_alone(by)
    invited = invited_to(key, by)
    practice = invited and lock_practice(invited.pk)
    if practice is None or practice.invite_key != key:
        raise Refused(
            "unknown_invitation",
            "this invitation no longer works; its host has taken it back, or the game has begun",
        )
    if practice.sitting.filter(user=by).exists():
        return practice
    check_open(by)
    PracticeSeat.objects.create(practice=practice, user=by, number=free_seats(practice)[0])
    _begin_if_full(practice, by)
    return practice


@transaction.atomic
def renew_invitation(*, practice: Practice, by: User) -> None:
    """Make another link; the former leads nowhere any more. Raises Refused: not_found, not_gathering."""
    practice = _gathering(practice, by)
    practice.invite_key = secrets.token_urlsafe(32)
    practice.save(update_fields=["invite_key"])


@transaction.atomic
def take_invitation_back(*, practice: Practice, by: User) -> None:
    """End the invitation: its link leads nowhere any more. Raises Refused: not_found, not_gathering."""
    practice = _gathering(practice, by)
    practice.invite_key = ""
    practice.save(update_fields=["invite_key"])


@transaction.atomic
def fill_seat(*, practice: Practice, by: User, seat: int | None, player: SeatedPlayer) -> None:
    """Give a free seat to a bot. Raises Refused: not_found, not_gathering, not_free, not_a_bot, and as
    `begin_practice`."""
    practice = _gathering(practice, by)
    if seat not in free_seats(practice):
        raise Refused("not_free", "that seat is not free: somebody sits there, or there is no such seat")
    if player in (PERSON, INVITED):
        raise Refused("not_a_bot", "choose a bot for the seat, or wait for a person")
    practice.seats[seat] = stored_seat(player, by, practice.ladder, ())
    practice.save(update_fields=["seats"])
    _begin_if_full(practice, by)


@transaction.atomic
def start_now(*, practice: Practice, by: User) -> None:
    """Begin without waiting for more people: samples take the free seats. Raises Refused: not_found, not_gathering."""
    practice = _gathering(practice, by)
    for seat, name in zip(free_seats(practice), cycle(python_samples(practice.ladder.game)), strict=False):
        practice.seats[seat] = stored_seat(Sample(name), by, practice.ladder, ())
    practice.save(update_fields=["seats"])
    _begin_if_full(practice, by)


def _gathering(practice: Practice, by: User) -> Practice:
    practice = own(practice, by)
    if practice.status != Practice.Status.GATHERING:
        raise Refused("not_gathering", "this game no longer waits for people: it has begun or is over")
    return practice


def _begin_if_full(practice: Practice, by: User) -> None:
    if free_seats(practice):
        return
    practice.invite_key = ""
    _alone_if_alone(practice)
    notices.notify_of_beginning(practice, by)
    proceed(practice)


def _alone_if_alone(practice: Practice) -> None:
    """Make it the host's own game, as any other of theirs, if bots have all other seats."""
    rows = sitting(practice)
    if [row.user_id for row in rows.values()] == [practice.owner_id]:
        [number] = rows
        practice.seats[number], practice.hours, practice.minutes = {PERSON: True}, None, None
        practice.sitting.all().delete()
