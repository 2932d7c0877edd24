"""Broken reports: signed by a worker, and no report of a match that could have been. They count against it by name."""

from django.db import transaction

from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.broker.worker_identity import heard_of
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.ledger.acts.workers import Drain
from tournaments.models import Worker

BROKEN_REPORTS = declare(
    Budget(
        "broken reports of a worker",
        resource="Workers and broker",
        most=10,
        unit="reports",
        holder="worker",
        where="tournaments.ledger.recording.broken_reports.count_broken",
        sentence=Sentence("more than %(most)s of its reports in an hour did not hold; it takes no more orders"),
        seconds=3600,
    )
)


def count_broken(name: str) -> None:
    """Count one against the worker of that name, which takes no more orders if they are too many."""
    try:
        with transaction.atomic():
            spend_budget(BROKEN_REPORTS, name)
    except Refused as too_many:
        rest_worker(name, too_many.detail)


def rest_worker(name: str, reason: str) -> None:
    """Have the worker of that name, if it is welcome, take no more orders."""
    worker = heard_of(name)
    if worker.status == Worker.Status.WELCOME:
        Drain(worker).do(by=PLATFORM, reason=reason)
