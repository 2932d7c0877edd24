"""Bringing notices to where people want them. It may be done twice when a process dies, and is never forgotten."""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from time import monotonic

from django.db import close_old_connections, transaction
from django.utils import timezone

from tournaments.models import Delivery, Webhook
from tournaments.notices.mail import mail
from tournaments.notices.outcome import Outcome
from tournaments.notices.ranks import tell_ranks
from tournaments.notices.webhooks import GONE, post
from tournaments.patience import patiently

AGAIN = (5, 60, 300, 1800, 7200, 28_800, 86_400)  # seconds until the next try
AT_ONCE = 8  # so that one address that does not answer holds up few others
CLAIM = 60  # seconds in which a delivery is over, or its process has died
PAUSE = 2.0  # seconds between two looks
RANKS_EVERY = 3600.0
MOST_FAILURES = 5  # deliveries given up in a row, after which a webhook is stopped

log = logging.getLogger(__name__)


def run(stop: Event) -> None:
    """Deliver until told to stop, whatever the servers do meanwhile."""
    patiently(lambda: _deliver(stop), stop.wait)


def _deliver(stop: Event) -> None:
    ranks_due = 0.0
    while not stop.is_set():
        close_old_connections()
        if monotonic() >= ranks_due:
            tell_ranks()
            ranks_due = monotonic() + RANKS_EVERY
        if not deliver_due():
            stop.wait(PAUSE)


def deliver_due() -> int:
    """One handful of what is due. Returns how much there was."""
    taken = _claim()
    if not taken:
        return 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = list(pool.map(_send, taken))
    for delivery, outcome in zip(taken, outcomes, strict=True):
        _settle(delivery, outcome)
    return len(taken)


@transaction.atomic
def _claim() -> Sequence[Delivery]:
    """Nobody else takes them before the claim is over."""
    due = Delivery.objects.filter(status=Delivery.Status.WAITING, next_at__lte=timezone.now())
    locked = due.select_for_update(skip_locked=True, of=("self",)).select_related("notice__user", "webhook")
    taken = list(locked.order_by("next_at")[:AT_ONCE])
    until = timezone.now() + timedelta(seconds=CLAIM)
    for delivery in taken:
        delivery.attempts, delivery.next_at = delivery.attempts + 1, until
    Delivery.objects.bulk_update(taken, ["attempts", "next_at"])
    return taken


def _send(delivery: Delivery) -> Outcome:
    """Without the database: what it needs has been read."""
    if delivery.webhook is None:
        return mail(delivery.notice)
    if delivery.webhook.stopped:
        return Outcome(delivery.webhook.stopped, final=True)
    return post(delivery.webhook, delivery.notice)


@transaction.atomic
def _settle(delivery: Delivery, outcome: Outcome) -> None:
    delivery.answer = outcome.says[:200]
    given_up = outcome.final or delivery.attempts > len(AGAIN)
    if outcome.arrived:
        delivery.status = Delivery.Status.DONE
    elif given_up:
        delivery.status = Delivery.Status.FAILED
    else:
        delivery.next_at = timezone.now() + timedelta(seconds=AGAIN[delivery.attempts - 1])
    delivery.save(update_fields=["status", "next_at", "answer"])
    if delivery.webhook and (outcome.arrived or given_up):
        _count(delivery.webhook, outcome)


def _count(webhook: Webhook, outcome: Outcome) -> None:
    webhook = Webhook.objects.select_for_update().get(pk=webhook.pk)
    webhook.failures = 0 if outcome.arrived else webhook.failures + 1
    if outcome.says.startswith(str(GONE)):
        webhook.stopped = "The address answered 410: it is gone."
    elif webhook.failures >= MOST_FAILURES:
        webhook.stopped = f"{MOST_FAILURES} notices in a row could not be delivered."
    webhook.save(update_fields=["failures", "stopped"])
