"""Wall time of checks and trials: those of an owner come first until they have used up the day's budget, then they take
turns.

A check that comes first has what is left of the budget, whatever its bot does with it, and is given back when that is
over. Checks that take turns are played when none waits that comes first, those of who used least first, and are given
back when one does; with one worker the next waits for as long as the last one took. Checks of the site's own bots come
after all that come first, and wait for nothing else.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now

from tournaments.core.accounts.spending import budget_left, charge, holders_out_of_budget
from tournaments.core.broker.queues import broker
from tournaments.core.broker.retry import AWAY
from tournaments.core.config.budgets import Budget, declare
from tournaments.ledger.dispatch.fair_share import CHECK, HOUSE
from tournaments.models import Attempt, Match, MatchSet, User, Version
from workers.identity import space_of

CHECK_MS = declare(
    Budget(
        name="wall time of checks that come first",
        resource="Checks and builds",
        most=4_000,
        unit="ms",
        seconds=86_400,
        holder="owner of the uploads",
        where="tournaments.ledger.dispatch.check_turns.patience_ms",
        sentence="checks of one owner come first for %(most)s ms a day; after that they take turns with the ladders",
        setting="CHECK_MS_A_DAY",
    )
)
LEAST_MS = 1_000  # of a check that comes first
MOST_S = 600.0  # that one check counts for
LONGEST = timedelta(minutes=10)  # that a check comes first: what nobody can play holds nobody up
RESTS = "boardroom:rests:{}"  # in the broker, by budget, while checks or trials that take turns wait


def patience_ms(version: Version) -> int:
    """Return how long the check of a version may take before others have their turn; 0 for one that takes turns."""
    left_ms = budget_left(CHECK_MS, version.bot.owner_id)
    return max(left_ms, LEAST_MS) if left_ms > 0 else 0


def owners_over_budget(budget: Budget = CHECK_MS) -> dict[int, int]:
    """Return the owners whose checks come after others', with the milliseconds that their checks have used today; the
    site's own accounts with HOUSE."""
    used = holders_out_of_budget(budget)
    return used | dict.fromkeys(house().filter(pk__in=used).values_list("pk", flat=True) if used else (), HOUSE)


def house() -> QuerySet[User]:
    """Return the site's own accounts, such as those of the samples: nobody can sign in to them, or ever has."""
    nobodys = {"last_login": None, "email": "", "identities": None, "is_active": True}
    return User.objects.filter(password__startswith=UNUSABLE_PASSWORD_PREFIX, **nobodys)


def count_check(version: int, seconds: float, worker: str) -> None:
    """Charge the owner with the wall time of a check, and let the next that takes turns wait as long."""
    charge_check(CHECK_MS, Version.objects.values_list("bot__owner", flat=True).get(pk=version), seconds, worker)


def charge_check(budget: Budget, owner: int, seconds: float, worker: str) -> None:
    """Charge the owner with what was played. What a space's own workers say of their time counts for nobody."""
    if space_of(worker):
        return
    took_ms, rests = round(1000 * min(max(seconds, 0.0), MOST_S)), RESTS.format(budget.name)
    charge(budget, owner, took_ms)
    if house().filter(pk=owner).exists():
        return
    with suppress(*AWAY):
        broker().set(rests, 1, px=min(took_ms + max(0, broker().pttl(rests)), round(1000 * MOST_S)) or 1)


def is_resting(budget: Budget = CHECK_MS) -> bool:
    """Return whether ladders have had less time than the checks or trials before."""
    return bool(broker().exists(RESTS.format(budget.name)))


def unbegun(over: Collection[int], waited: timedelta = timedelta()) -> QuerySet[MatchSet]:
    """Return the checks that come first, have waited so long, and are not being played yet; none of long ago."""
    playing = Attempt.objects.filter(match=OuterRef("pk"), outcome=Attempt.Outcome.PLAYING)
    waiting = Match.objects.filter(~Exists(playing), status__in=(Match.Status.WAITING, Match.Status.LEASED))
    lately = {"created_at__gt": Now() - LONGEST, "created_at__lte": Now() - waited}
    checks = MatchSet.objects.filter(Exists(waiting.filter(set=OuterRef("pk"))), status=MatchSet.Status.OPEN, **lately)
    houses = house().filter(pk=OuterRef("checks__bot__owner"))
    return checks.filter(~Exists(houses), line=CHECK).exclude(checks__bot__owner__in=over)
