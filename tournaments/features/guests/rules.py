"""The first game of a guest, and what becomes of games when somebody signs up or in, or when the day is over."""

import secrets
from itertools import cycle, islice

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from engine.games import GAMES
from engine.replay import ReplayError, read_replay, seal, write_replay
from tournaments.core.accounts.spaces import Viewer, listed_for
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.errors import Refused
from tournaments.features.practice.quota import OPEN
from tournaments.features.practice.seats import PERSON, Sample, SeatedPlayer, at_tables_of, person_seat, python_samples
from tournaments.features.practice.slow_play import leave_practice
from tournaments.features.practice.start import begin_practice
from tournaments.models import Ladder, Practice, PracticeSeat, User
from workers.isolation import handle_each

# Who is still there: people with an account, be it shut, and guests whose day is not over.
PRESENT = Q(user__guest_until=None) | Q(user__is_active=True)


def ladders_to_play(viewer: Viewer) -> dict[str, Ladder]:
    """Return, by game, the first ladder that the viewer may play under; those of no space come first."""
    rows = Ladder.objects.filter(listed_for(viewer)).order_by(F("space").asc(nulls_first=True), "pk")
    playable = [ladder for ladder in rows if GAMES[ladder.game].version == ladder.rules and python_samples(ladder.game)]
    return {ladder.game: ladder for ladder in reversed(playable)}


def play_bots(*, by: User, ladder: Ladder, bots: int) -> Practice:
    """Begin a game against so many samples, at a seat by lot. Raises Refused as `begin_practice`."""
    if bots + 1 not in GAMES[ladder.game].players:
        raise Refused("wrong_table", "choose against how many bots you play")
    seats: list[SeatedPlayer] = [Sample(name) for name in islice(cycle(python_samples(ladder.game)), bots)]
    seats.insert(secrets.randbelow(bots + 1), PERSON)
    return begin_practice(by=by, ladder=ladder, seats=seats)


@transaction.atomic
def take_over_games(guest: User, account: User) -> None:
    """Give the account the guest's games, under its name, and forget the guest; nothing is left of one who became it.

    At a table where both sit the guest leaves: nobody sits twice.
    """
    games = Practice.objects.filter(at_tables_of(guest)).select_related("ladder", "owner")
    seats = {game.pk: person_seat(game, guest) for game in games}
    if guest.pk != account.pk:
        sits = PracticeSeat.objects.filter(user=account).values_list("practice", flat=True)
        seats = {number: seat for number, seat in seats.items() if number not in set(sits)}
        PracticeSeat.objects.filter(user=guest, practice__in=seats).update(user=account)
        Practice.objects.filter(owner=guest).update(owner=account)
    for game in Practice.objects.filter(pk__in=seats).exclude(replay=None):
        _rename(game, seats[game.pk], account.username)
    if guest.pk != account.pk:
        forget_guest(guest.pk)


def _rename(game: Practice, seat: int | None, name: str) -> None:
    try:
        replay = read_replay(bytes(game.replay or b""))
    except ReplayError:
        return
    if seat is not None:
        replay.players[seat].name = name
        Practice.objects.filter(pk=game.pk).update(replay=write_replay(seal(replay)))


def forget_guests() -> int:
    """Forget guests whose day is over. Returns how many were looked at."""
    owns, sits = (Practice.objects.filter(owner=OuterRef("pk")), PracticeSeat.objects.filter(user=OuterRef("pk")))
    over = User.objects.filter(guest_until__lt=timezone.now())
    due = over.filter(Q(is_active=True) | Exists(owns) | ~Exists(sits)).values_list("pk", flat=True)
    return handle_each("guests", list(due[:100]), forget_guest, FAILING_ITEMS, "guest {}".format)


@transaction.atomic
def forget_guest(number: int) -> int:
    """Delete a guest with all games but those that others play too: there the neutral name stays, and nothing else."""
    guest = User.objects.select_for_update(no_key=True).filter(pk=number, guest_until__isnull=False).first()
    if guest is None:
        return 0
    for game in _open_games(guest):
        leave_practice(practice=game, by=guest)
    for seat in PracticeSeat.objects.filter(PRESENT, practice__owner=guest).exclude(user=guest).order_by("pk"):
        Practice.objects.filter(pk=seat.practice_id).update(owner=seat.user_id)
    Practice.objects.filter(owner=guest).delete()
    if PracticeSeat.objects.filter(user=guest).exists():
        guest.notices.all().delete()
        User.objects.filter(pk=number).update(is_active=False, last_login=None, guest_until=timezone.now())
    else:
        guest.delete()
    return 1


def _open_games(guest: User) -> QuerySet[Practice]:
    return Practice.objects.filter(at_tables_of(guest), status__in=OPEN)
