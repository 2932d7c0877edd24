"""The broker, as both Celery apps use it: the match workers' own and the site's.

PostgreSQL is the source of truth about matches to play; the broker only carries messages. Celery's Redis transport can
lose a message when a worker is killed (it pops, and notes that it did, in two steps) and can deliver one twice; leases
heal the first and make the second harmless.
"""

from ssl import SSLCertVerificationError
from typing import Any, Final
from urllib.parse import urlsplit

from celery import Celery
from celery.bootsteps import StartStopStep
from celery.worker.state import reserved_requests
from kombu.transport import TRANSPORT_ALIASES
from redis import AuthenticationError, Redis, RedisError

EVERY_S = 1.0
# Redis addresses use the transport that survives messages that it cannot read.
TRANSPORT_ALIASES.update(redis="workers.transport:Transport", rediss="workers.transport:Transport")


def address(redis_url: str) -> str:
    """Celery's name for the address of a Redis server: it spells unix:///path?db=1 otherwise, and believes anybody's
    certificate unless it is told not to.
    """
    url = redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)
    if url.startswith("rediss://") and "ssl_cert_reqs=" not in url:
        url += f"{'&' if '?' in url else '?'}ssl_cert_reqs=required"
    return url


def greet(redis_url: str) -> None:
    """Raises ValueError where asking again is of no use: a broker of another, or a wrong password. One that is away is
    waited for.
    """
    parts = urlsplit(redis_url)
    where = parts.hostname or parts.path
    try:
        with Redis.from_url(redis_url, socket_timeout=5, socket_connect_timeout=5) as redis:
            redis.ping()
    except AuthenticationError as error:
        why = error if parts.password else "it has none"
        raise ValueError(f"the broker at {where} refuses the name or the password in REDIS_URL: {why}") from None
    except RedisError as error:
        cause = error.__cause__ or error.__context__
        if isinstance(cause, SSLCertVerificationError):
            hint = "SSL_CERT_FILE must name the file of the authority that signed its certificate"
            raise ValueError(
                f"the broker at {where} does not prove who it is ({cause.verify_message}); {hint}"
            ) from None


def held_by(worker: str) -> dict[str, object]:
    """Options that keep this worker's messages, taken and not done, in a place of their own, which no other sees."""
    key = f"unacked:{worker}"
    return {"unacked_key": key, "unacked_index_key": f"{key}:index", "unacked_mutex_key": f"{key}:mutex"}


SETTINGS: Final[dict[str, object]] = {
    # Work is done in the process that consumes, one piece at a time.
    "worker_pool": "solo",
    "worker_concurrency": 1,
    # What comes of a task is a message or a row; keeping results would cost a write a task for nobody.
    "task_ignore_result": True,
    "result_backend": None,
    # A message stays in the broker until it is dealt with, and goes back to it when the worker dies.
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    # It waits in the queue for a free worker, not at a busy one. Their number stays 1 (tests/workers/test_broker.py):
    # with worker_disable_prefetch an acknowledgement that is lost with the broker was not noticed (tests/faults).
    "worker_prefetch_multiplier": 1,
    # The broker may be down at the start, or for as long as it likes.
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    # It refuses to write while its disk is full: no reason to end either.
    "broker_channel_error_retry": True,
    # Nothing but plain data, ever: who can write to the broker must not be able to run code here.
    "task_serializer": "json",
    "accept_content": ["json"],
    # Nobody watches events or commands workers through the broker.
    "worker_send_task_events": False,
    "task_send_sent_event": False,
    "worker_enable_remote_control": False,
    "worker_hijack_root_logger": False,
}
TRANSPORT: Final[dict[str, object]] = {
    # What dead workers held is looked for every 5 s; the default (10 x 10 s) forgets it for minutes.
    "unacked_restore_interval": 1,
    "unacked_restore_throttle": 5,
    # A connection that died without a word is noticed, not waited for.
    "socket_timeout": 30,
    "socket_connect_timeout": 5,
    "health_check_interval": 25,
}


class Regularly(StartStopStep):
    """Does something in the consumer's own loop, every second that it is not at work."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._timer: Any = None

    def start(self, consumer: Any) -> None:
        self._timer = consumer.timer.call_repeatedly(EVERY_S, self.do, (consumer,))

    def stop(self, consumer: Any) -> None:  # noqa: ARG002 - Celery gives it
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def do(self, consumer: Any) -> None:
        raise NotImplementedError


class Ear(Regularly):
    """Hears that a consumer has gone deaf, and lets it connect anew.

    An acknowledgement that is lost with the connection leaves its message counted as held. Kombu then listens no more,
    since nothing may be held besides, and so never hears that the connection has ended.
    """

    def do(self, consumer: Any) -> None:
        _listen(consumer)


def _listen(consumer: Any) -> None:
    """Raises ConnectionError, which Celery answers by connecting anew, if nothing is in hand but nothing may come."""
    if not reserved_requests and not consumer.task_consumer.channel.qos.can_consume():
        raise ConnectionError("An acknowledgement was lost: the broker is asked afresh.")


def configure_broker(app: Celery, **settings: object) -> None:
    app.conf.update(SETTINGS, **settings)
    app.steps["consumer"].add(Ear)
