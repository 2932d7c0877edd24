"""The Celery app of match workers. It has only the broker: no database, no Django, no results.

One process a core: the runner and the bots of a match take turns on that core, where waking each other costs a tenth
of what it costs across cores.
"""

import os
import sys

from celery import Celery
from celery.signals import setup_logging

from workers import broker, logs
from workers.addresses import BadSetting, redis_address
from workers.orders import ORDERS

try:
    REDIS_URL = redis_address(os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0")
except BadSetting as error:
    sys.exit(f"This match worker cannot start: {error}")

TASKS = ["workers.tasks", "workers.turn_tasks"]
# No fixups: Celery's only one would load Django, and with it the site, where the environment names its settings.
app = Celery("workers", broker=broker.address(REDIS_URL), include=TASKS, fixups=[])
broker.configure_broker(
    app,
    task_default_queue=ORDERS,
    # Longer than any set: a shorter one starts a set again while it is still being played. What a dead worker held is
    # sent again much earlier, when the site sees the lease run out.
    broker_transport_options={
        **broker.TRANSPORT,
        "visibility_timeout": 6 * 3600,
        "queue_order_strategy": "workers.queue_order:MatchesFirst",
    },
)
setup_logging.connect(logs.configure)
