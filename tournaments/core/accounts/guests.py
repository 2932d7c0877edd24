"""Guests: people who play without an account, for a day.

A guest is a row of `User` with an end and without a password. On the pages of games it is a person like others, and
everywhere else a visitor (`web.pages.guests`): what an account may do is nowhere refused to guests one by one.
"""

from datetime import timedelta
from itertools import count
from secrets import randbelow

from django.db import connection
from django.utils import timezone
from django.utils.crypto import salted_hmac

from engine.sentences import Sentence
from tournaments.core.accounts.names import alike
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.models import Act, User

LASTS = timedelta(days=1)
OFF, ON = "switch_guests_off", "switch_guests_on"  # the log says which was last
WHERE = "tournaments.core.accounts.guests.new_guest"
AT_ONCE = declare(
    Budget(
        "guests at once",
        resource="Requests and pages",
        most=200,
        unit="guests",
        holder="site",
        where=WHERE,
        sentence=Sentence(
            "%(most)s guests play here already, and there is no room for more: sign up, which takes a name and a "
            "password, or come back later"
        ),
        setting="GUESTS_AT_ONCE",
    )
)
OF_AN_ADDRESS = declare(
    Budget(
        "new guests",
        resource="Requests and pages",
        most=30,
        unit="guests",
        holder="address (IPv6: /64)",
        where=WHERE,
        sentence=Sentence(
            "%(most)s guests have come from your network within the hour: sign up, which takes a name and a password, "
            "or come back later"
        ),
        seconds=3600,
        setting="GUESTS_AN_HOUR",
    )
)
GAMES = declare(
    Budget(
        "games of a guest at once",
        resource="Requests and pages",
        most=2,
        unit="games",
        holder="guest",
        where="tournaments.features.practice.quota.check_open",
        sentence=Sentence(
            "a guest plays at most %(most)s games at once: finish or leave one first, or keep them under a name"
        ),
    )
)


def are_welcome() -> bool:
    """Whether organisers let people play without an account."""
    acts = Act.objects.filter(kind__in=(OFF, ON)).order_by("-number")
    return acts.values_list("kind", flat=True).first() != OFF


def new_guest(address: str) -> User:
    """Return somebody who plays from this address without an account. Call it in the transaction of what they do first.
    Raises Refused: no_guests, too_many_guests, over_budget."""
    if not are_welcome():
        raise Refused("no_guests", "here one plays with an account alone: sign in, or sign up")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('guests', 0))")
    now = timezone.now()
    AT_ONCE.check(User.objects.filter(guest_until__gt=now, is_active=True).count() + 1, "too_many_guests")
    # Of an address the database holds no more than this, for an hour.
    spend_budget(OF_AN_ADDRESS, salted_hmac("guests", address, algorithm="sha256").hexdigest()[:32])
    guest = User(username=neutral_name(), guest_until=now + LASTS)
    guest.set_unusable_password()
    guest.save()
    return guest


def neutral_name() -> str:
    """Draw a name that nobody has; with its space no account can choose it."""
    drawn = (f"Guest {10**digits + randbelow(9 * 10**digits)}" for tries in count() for digits in [3 + tries // 9])
    return next(name for name in drawn if alike(User.objects.all(), "username", name) is None)
