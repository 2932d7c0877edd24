"""How many games a person may have, and how long bots may think in them."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q, Sum
from django.utils import timezone

from tournaments.core.accounts.guests import GAMES
from tournaments.core.errors import Refused
from tournaments.models import Practice, PracticeSeat, User

GUESTS_PART = 6
OPEN = (Practice.Status.GATHERING, Practice.Status.WAITING, Practice.Status.ASKING)


def check_quota(by: User) -> None:
    """Check all limits before somebody begins a game. Raises Refused: too_many_open, too_many_practices,
    too_much_thinking."""
    check_open(by)
    lately = Practice.objects.filter(owner=by, created_at__gt=timezone.now() - timedelta(days=1))
    most = a_day(settings.PRACTICES_A_DAY, by)
    if lately.count() >= most:
        raise Refused(
            "too_many_practices", "you may begin %(practices_a_day)s games in 24 hours; try later", practices_a_day=most
        )
    check_time(by)


def check_open(by: User) -> None:
    """Check how many games they have open: those of others at which they sit count, too. Raises Refused:
    too_many_open."""
    sits = PracticeSeat.objects.filter(user=by).exclude(state=PracticeSeat.State.LEFT)
    mine = Practice.objects.filter(Q(owner=by) | Q(pk__in=sits.values("practice")), status__in=OPEN)
    if by.guest_until:
        GAMES.check(mine.count() + 1, "too_many_open")
    elif mine.count() >= settings.PRACTICES_OPEN:
        raise Refused(
            "too_many_open",
            "%(practices_open)s of your games are not over; finish or leave one first",
            practices_open=settings.PRACTICES_OPEN,
        )


def check_time(owner: User) -> None:
    """Check the daily limit of the bots' time in the practices of a person. Raises Refused: too_much_thinking."""
    lately = Practice.objects.filter(owner=owner, moved_at__gt=timezone.now() - timedelta(days=1))
    spent = lately.aggregate(seconds=Sum("seconds"))["seconds"] or 0
    most = a_day(settings.PRACTICE_SECONDS_A_DAY, owner)
    if spent >= most:
        raise Refused(
            "too_much_thinking",
            "bots have thought %(minutes)s minutes for %(owner)s in 24 hours; come back later",
            minutes=most // 60,
            owner=owner,
        )


def a_day(most: int, person: User) -> int:
    """Return how much of it the person may have in a day: one address may be many guests, so each has a part only."""
    return most // GUESTS_PART if person.guest_until else most
