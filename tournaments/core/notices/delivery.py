"""Delivering notices. At least once: a delivery may happen twice when a process dies, and is never lost."""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from threading import Event
from time import monotonic

from django.conf import settings
from django.db import close_old_connections, transaction
from django.db.models import F
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.broker.heartbeats import Heartbeats
from tournaments.core.notices.daemon_threads import run_in_daemon_thread
from tournaments.core.notices.delivery_order import Chosen, choose_deliveries
from tournaments.core.notices.email import mail_notice
from tournaments.core.notices.outcome import DeliveryOutcome
from tournaments.core.notices.webhook_post import GONE, post
from tournaments.core.notices.webhooks import may_be_posted
from tournaments.models import Delivery, Webhook
from workers.isolation import apart, handle_each, keep_on

LOOP = "delivery"
AGAIN = (5, 60, 300, 1800, 7200, 28_800, 86_400)  # seconds until the next try
CLAIM = 60  # seconds after which a delivery that is not over is free again: its process has died
PAUSE = 2.0  # seconds between two rounds
BUSY_PAUSE = 0.5  # the same while deliveries are under way
MOST_FAILURES = 5  # failed deliveries in a row after which a webhook is stopped
NOT_RUN = Sentence("the person who added this webhook no longer organises there")
BROKEN = DeliveryOutcome("It could not be sent, for a reason that organisers see.")


@dataclass(slots=True)
class Deliveries:
    """The deliveries under way in this process. Threads send, without the database; the loop's own thread writes."""

    under_way: dict["Future[DeliveryOutcome]", tuple[Chosen, Delivery]] = field(default_factory=dict)

    def send_due(self) -> int:
        """Start as many as there is capacity for. Returns how many."""
        chosen = choose_deliveries(timezone.now(), (one for one, _ in self.under_way.values()))
        return handle_each("claiming", chosen, self._claim, FAILING_ITEMS, name=lambda one: one.name)

    def settle(self, seconds: float) -> None:
        """Record the outcome of those that are over; wait for the first of them, at most so many seconds."""
        if not self.under_way:
            return
        for over in wait(self.under_way, seconds, FIRST_COMPLETED).done:
            chosen, delivery = self.under_way[over]
            if not apart(LOOP, chosen.name, partial(_settle_as, delivery, over.result), FAILING_ITEMS):
                apart("settling", chosen.name, partial(_settle, delivery, BROKEN), FAILING_ITEMS)
            del self.under_way[over]  # not before: the database may have been away

    def _claim(self, chosen: Chosen) -> int:
        """No other process takes it before the claim ends."""
        now = timezone.now()
        free = Delivery.objects.filter(pk=chosen.delivery, status=Delivery.Status.WAITING, next_at__lte=now)
        if not FAILING_ITEMS.may_try(LOOP, chosen.name):
            free.update(next_at=now + timedelta(seconds=CLAIM))
        elif free.update(attempts=F("attempts") + 1, next_at=now + timedelta(seconds=CLAIM)):
            delivery = Delivery.objects.select_related("notice__user", "webhook__user").get(pk=chosen.delivery)
            return self._begin(chosen, delivery)
        return 0

    def _begin(self, chosen: Chosen, delivery: Delivery) -> int:
        if delivery.webhook and not may_be_posted(delivery.webhook):
            Delivery.objects.filter(pk=delivery.pk).update(status=Delivery.Status.FAILED, answer=NOT_RUN)
            return 0
        self.under_way[run_in_daemon_thread(partial(_send, delivery))] = chosen, delivery
        return 1


def deliver_until_stopped(stop: Event, notify_ranks: Callable[[], bool]) -> None:
    """Deliver until `stop` is set, through any outage of the servers. `notify_ranks` writes some of the notices, a few
    in each round, and returns whether it has more."""
    deliveries, heartbeats = Deliveries(), Heartbeats(settings.REDIS_URL, LOOP)

    def turn() -> float:
        began = monotonic()
        close_old_connections()
        more = notify_ranks()
        started = deliveries.send_due()
        deliveries.settle(BUSY_PAUSE)
        heartbeats.round(monotonic() - began)
        return 0.0 if started or deliveries.under_way or more else PAUSE

    keep_on(LOOP, turn, stop, FAILING_ITEMS)


def deliver_due() -> int:
    """Deliver one batch of what is due. Returns its size."""
    deliveries = Deliveries()
    started = deliveries.send_due()
    while deliveries.under_way:
        deliveries.settle(BUSY_PAUSE)
    return started


def _send(delivery: Delivery) -> DeliveryOutcome:
    """Uses no database: all that it needs has been read."""
    if not delivery.notice.user.is_active:
        return DeliveryOutcome(Sentence("the account is shut"), final=True)
    if delivery.webhook is None:
        return mail_notice(delivery.notice)
    if delivery.webhook.stopped:
        return DeliveryOutcome(delivery.webhook.stopped, final=True)
    return post(delivery.webhook, delivery.notice)


def _settle_as(delivery: Delivery, outcome: Callable[[], DeliveryOutcome]) -> bool:
    return _settle(delivery, outcome())


@transaction.atomic
def _settle(delivery: Delivery, outcome: DeliveryOutcome) -> bool:
    given_up = outcome.final or delivery.attempts > len(AGAIN)
    changes: dict[str, object] = {"answer": outcome.shown}
    if outcome.arrived:
        changes["status"] = Delivery.Status.DONE
    elif given_up:
        changes["status"] = Delivery.Status.FAILED
    else:
        changes["next_at"] = timezone.now() + timedelta(seconds=AGAIN[delivery.attempts - 1])
    Delivery.objects.filter(pk=delivery.pk).update(
        **changes
    )  # its webhook may have been removed meanwhile, and so may it
    if delivery.webhook_id and delivery.notice.user.is_active and (outcome.arrived or given_up):
        _count(delivery.webhook_id, outcome)
    return True


def _count(number: int, outcome: DeliveryOutcome) -> None:
    webhook = Webhook.objects.select_for_update().filter(pk=number).first()
    if webhook is None:
        return
    webhook.failures = 0 if outcome.arrived else webhook.failures + 1
    if outcome.says.startswith(str(GONE)):
        webhook.stopped = Sentence("The address answered 410: it is gone.")
    elif webhook.failures >= MOST_FAILURES:
        webhook.stopped = Sentence("%(notices)s notices in a row could not be delivered.", notices=MOST_FAILURES)
    webhook.save(update_fields=["failures", "stopped"])
