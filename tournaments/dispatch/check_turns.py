"""Wall time of checks: those of an owner come first until they have used up the day's budget, then they take turns.

A check that comes first has what is left of the budget, whatever its bot does with it, and is given back when that is
over. Checks that take turns are played when none waits that comes first, those of who used least first, and are given
back when one does; with one worker the next waits for as long as the last one took.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now

from tournaments.accounts.spending import charge, end_of_period, left
from tournaments.broker.queues import broker
from tournaments.broker.retry import AWAY
from tournaments.config.budgets import Budget, declare
from tournaments.dispatch.fair_share import CHECK
from tournaments.models import Attempt, Match, MatchSet, Spending, Version
from workers.identity import space_of

CHECK_MS = declare(
    Budget(
        name="wall time of checks that come first",
        resource="Checks and builds",
        most=4_000,
        unit="ms",
        seconds=86_400,
        holder="owner of the uploads",
        where="tournaments.dispatch.check_turns.patience_ms",
        sentence="checks of one owner come first for %(most)s ms a day; after that they take turns with the ladders",
        setting="CHECK_MS_A_DAY",
    )
)
LEAST_MS = 1_000  # of a check that comes first
MOST_S = 600.0  # that one check counts for
LONGEST = timedelta(minutes=10)  # that a check comes first: what nobody can play holds nobody up
RESTS = "boardroom:checks-rest"  # in the broker, while checks that take turns wait


def patience_ms(version: Version) -> int:
    """Return how long the check of a version may take before others have their turn; 0 for one that takes turns."""
    left_ms = left(CHECK_MS, version.bot.owner_id)
    return max(left_ms, LEAST_MS) if left_ms > 0 else 0


def owners_over_budget() -> dict[int, int]:
    """Return the owners whose checks take turns, with the milliseconds that their checks have used today."""
    spent = Spending.objects.filter(budget=CHECK_MS.name, until=end_of_period(CHECK_MS), amount__gte=CHECK_MS.most)
    return {int(owner): amount for owner, amount in spent.values_list("holder", "amount")}


def count_check(version: int, seconds: float, worker: str) -> None:
    """Charge the owner with the wall time of a check, and let the next that takes turns wait as long.

    What a space's own workers say of their time counts for nobody.
    """
    if space_of(worker):
        return
    took_ms = round(1000 * min(max(seconds, 0.0), MOST_S))
    charge(CHECK_MS, Version.objects.values_list("bot__owner", flat=True).get(pk=version), took_ms)
    with suppress(*AWAY):
        broker().set(RESTS, 1, px=min(took_ms + max(0, broker().pttl(RESTS)), round(1000 * MOST_S)) or 1)


def is_resting() -> bool:
    """Return whether ladders have had less time than the checks before."""
    return bool(broker().exists(RESTS))


def unbegun(over: Collection[int], waited: timedelta = timedelta()) -> QuerySet[MatchSet]:
    """Return the checks that come first, have waited so long, and are not being played yet; none of long ago."""
    playing = Attempt.objects.filter(match=OuterRef("pk"), outcome=Attempt.Outcome.PLAYING)
    waiting = Match.objects.filter(~Exists(playing), status__in=(Match.Status.WAITING, Match.Status.LEASED))
    lately = {"created_at__gt": Now() - LONGEST, "created_at__lte": Now() - waited}
    checks = MatchSet.objects.filter(Exists(waiting.filter(set=OuterRef("pk"))), status=MatchSet.Status.OPEN, **lately)
    return checks.filter(line=CHECK).exclude(checks__bot__owner__in=over)
