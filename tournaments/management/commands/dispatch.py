import signal
from threading import Event, Thread

from django.core.management.base import BaseCommand

from tournaments.core.notices import delivery
from tournaments.ledger.ladders.rank_notices import Ranks
from tournaments.ops.dispatcher import lead_until_stopped


class Command(BaseCommand):
    help = (
        "Keeps the ladders moving: pairs sets, sends them to workers, takes back lost leases, rates. Ends at SIGTERM."
    )
    requires_system_checks = ()  # they import every page and API view, which this process never shows

    def handle(self, *_: object, **__: object) -> None:
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        # In a thread of its own: a slow address delays no match.
        post = Thread(target=delivery.deliver_until_stopped, args=[stop, Ranks().notify_next], name="post", daemon=True)
        post.start()
        lead_until_stopped(stop)
