"""The Celery app of match workers. It knows the broker and nothing else: no database, no Django, no results.

PostgreSQL holds the truth about what is to be played, behind the site; the broker is only the bell. Celery's Redis
transport can lose a message when a worker is killed (it pops, and notes that it did, in two steps) and can deliver
one twice; leases heal the first and make the second harmless.
"""

import os

from celery import Celery

from workers.orders import ORDERS

REDIS_URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")


def broker(redis_url: str) -> str:
    """Celery's name for the address of a Redis server: it spells unix:///path?db=1 otherwise."""
    return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)


# No fixups: Celery's only one would load Django, and with it the site, where the environment names its settings.
app = Celery("workers", broker=broker(REDIS_URL), include=["workers.tasks"], fixups=[])
app.conf.update(
    task_default_queue=ORDERS,
    # One process a core, and it plays in the process that consumes: the runner and the bots of a match take turns on
    # one core, where waking each other costs a tenth of what it costs across cores.
    worker_pool="solo",
    worker_concurrency=1,
    # A report is a message of its own; keeping results would cost a write a task for nobody.
    task_ignore_result=True,
    result_backend=None,
    # An order stays in the broker until its set is played, and goes back to it when the worker dies.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    # A set waits in the queue for whoever is free, not in the hands of a worker that plays another one.
    worker_prefetch_multiplier=1,
    # The broker may be down when the worker starts, or for as long as it likes.
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        # Longer than any set: a shorter one starts a set again while it is still being played. What a dead worker
        # held is sent again much earlier, when the site sees the lease run out.
        "visibility_timeout": 6 * 3600,
        # Look for such orders every 5 s; the default (10 x 10 s) forgets them for minutes.
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 5,
        # A connection that died without a word is noticed, not waited for.
        "socket_timeout": 30,
        "socket_connect_timeout": 5,
        "health_check_interval": 25,
    },
    # Nothing but plain data, ever: who can write to the broker must not be able to run code here.
    task_serializer="json",
    accept_content=["json"],
    # Nobody watches events or commands workers through the broker.
    worker_send_task_events=False,
    task_send_sent_event=False,
    worker_enable_remote_control=False,
    worker_hijack_root_logger=False,
)
