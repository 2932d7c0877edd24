"""The ledger asked in the middle of a run, when the database may be away."""

from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

from tests.faults.stage import Stage
from tournaments.models import Attempt, Result

T = TypeVar("T")
RETURNS = 90.0  # seconds, within which the database must be there


def patient(stage: Stage, act: Callable[[], T]) -> T:
    """Return what `act` says, once the database is there."""
    answers: list[T] = []

    def tried() -> bool:
        try:
            answers.append(act())
        except (OperationalError, InterfaceError):
            connection.close()
        return bool(answers)

    stage.until("the database", tried, RETURNS)
    return answers[0]


def latest_attempt() -> int:
    return Attempt.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def recorded_since(last: int) -> bool:
    try:
        return Attempt.objects.filter(pk__gt=last, outcome=Attempt.Outcome.RECORDED).exists()
    except (OperationalError, InterfaceError):
        connection.close()
        return False


def recorded() -> int:
    try:
        return Result.objects.count()
    except (OperationalError, InterfaceError):
        connection.close()
        return 0
