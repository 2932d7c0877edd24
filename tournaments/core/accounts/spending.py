"""Counts what somebody takes of a budget in a period, in the transaction of what it is taken for.

The count is a row of PostgreSQL, so neither two processes at once nor an emptied Redis give anybody more. Periods begin
at whole multiples of their length, so around the end of one there may be twice as much.
"""

from datetime import UTC, datetime, timedelta

from django.db import connection
from django.utils import timezone

from tournaments.core.config.budgets import Budget
from tournaments.models import Spending, User

BATCH = 1000  # rows that one step deletes
SPEND = """
INSERT INTO tournaments_spending AS spending (budget, holder, until, amount)
VALUES (%s, %s, %s, %s)
ON CONFLICT (budget, holder, until) DO UPDATE SET amount = spending.amount + excluded.amount
"""
WITHIN = f"{SPEND}WHERE spending.amount + excluded.amount <= %s"


def spend_budget(budget: Budget, holder: object, amount: int = 1) -> None:
    """Take `amount` from what the holder has left in this period. Raises Refused(over_budget).

    Other transactions that spend of the same budget and holder wait until this one ends.
    """
    budget.check(amount)
    until = end_of_period(budget)
    with connection.cursor() as cursor:
        cursor.execute(WITHIN, [budget.name, str(holder), until, amount, budget.most])
        if not cursor.rowcount:
            raise budget.refusal()


def charge(budget: Budget, holder: object, amount: int) -> None:
    """Count what the holder has already taken, though it may be more than was left."""
    with connection.cursor() as cursor:
        cursor.execute(SPEND, [budget.name, str(holder), end_of_period(budget), amount])


def spend_in(space: int | None, budget: Budget, by: User | str, amount: int = 1) -> None:
    """Take `amount` from what the person has left, and from what the space has. The platform itself has no budget."""
    if isinstance(by, User):
        spend_budget(budget, f"person {by.pk}", amount)
        if space is not None:
            spend_budget(budget, f"space {space}", amount)


def budget_left(budget: Budget, holder: object) -> int:
    """Return how much the holder may still take in this period."""
    spent = Spending.objects.filter(budget=budget.name, holder=str(holder), until=end_of_period(budget))
    return budget.most - sum(spent.values_list("amount", flat=True))


def holders_out_of_budget(budget: Budget) -> dict[int, int]:
    """Return the holders, by number, who have taken all of the budget in this period, with what they took."""
    spent = Spending.objects.filter(budget=budget.name, until=end_of_period(budget), amount__gte=budget.most)
    return {int(holder): amount for holder, amount in spent.values_list("holder", "amount")}


def end_of_period(budget: Budget) -> datetime:
    seconds = int(timezone.now().timestamp())
    return datetime.fromtimestamp(seconds - seconds % budget.seconds, UTC) + timedelta(seconds=budget.seconds)


def forget_ended_periods() -> int:
    """Delete the counts of periods that have ended. Returns how many there were."""
    ended = list(Spending.objects.filter(until__lt=timezone.now()).values_list("pk", flat=True)[:BATCH])
    return Spending.objects.filter(pk__in=ended).delete()[0] if ended else 0
