"""A real Celery worker set up as ours are, whose one task does nothing: `python -m tests.workers.quick_worker URL`.

Once a second it writes down how many messages it allows itself to hold.
"""

import sys
from typing import Any

from celery import Celery
from redis import Redis

from workers import broker
from workers.orders import ORDERS, PLAY

HELD, ALLOWED = broker.held_by("quick"), "allowed"


class Allowed(broker.Regularly):
    def do(self, consumer: Any) -> None:
        counts = consumer.qos.value, consumer.task_consumer.channel.qos.prefetch_count
        redis.rpush(ALLOWED, *counts)


def quick(plain: dict[str, object]) -> None:
    """A message that says where to wait is held until something comes there."""
    if "until" in plain:
        redis.brpop([str(plain["until"])], 30)


if __name__ == "__main__":
    redis = Redis.from_url(sys.argv[1])
    app = Celery("quick", broker=broker.address(sys.argv[1]), fixups=[])
    broker.configure_broker(
        app, task_default_queue=ORDERS, broker_transport_options={**broker.TRANSPORT, **HELD, "visibility_timeout": 600}
    )
    app.steps["consumer"].add(Allowed)
    app.task(name=PLAY)(quick)
    app.Worker(quiet=True, without_gossip=True, without_mingle=True, without_heartbeat=True).start()
