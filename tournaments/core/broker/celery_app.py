"""The site's Celery app: the recorder consumes the queue of reports, the dispatcher fills those of orders."""

import os
import socket
from typing import Any

from celery import Celery
from celery.bootsteps import StartStopStep
from celery.signals import setup_logging, worker_ready, worker_shutdown
from django.conf import settings
from django.utils.module_loading import import_string
from kombu import Queue

from tournaments.core.broker.heartbeats import EVERY, Heartbeats
from workers import broker, logs
from workers.orders import REPORTS, SET_REPORTS, TAG
from workers.process_heartbeats import RECORDERS, OnlineProcess, ProcessHeartbeats

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they import every page and API view, which a recorder never shows

# Of this release, the only ones whose replays it can verify: those that come one by one, from workers of before, too.
QUEUES = (REPORTS, SET_REPORTS)
app = Celery("tournaments", broker=broker.address(settings.REDIS_URL), include=["tournaments.ledger.recording.tasks"])
broker.configure_broker(
    app,
    task_default_queue=REPORTS,
    task_queues=[Queue(name) for name in QUEUES],
    broker_transport_options={
        **broker.TRANSPORT,
        # What a dead recorder held reaches another one before the lease runs out; twice is harmless. The match workers
        # hold their orders much longer, on the same broker, so these keys are our own.
        "visibility_timeout": 15,
        "unacked_key": "reports.unacked",
        "unacked_index_key": "reports.unacked_index",
        "unacked_mutex_key": "reports.unacked_mutex",
    },
    CELERY_DB_REUSE_MAX=1000,  # tasks on one database connection; without it every report opens its own
)
# The modules `tasks` of features, once Django is loaded.
app.autodiscover_tasks(
    lambda: [f"tournaments.features.{feature.name}" for feature in import_string("tournaments.features.FEATURES")]
)
presence: list[ProcessHeartbeats] = []  # one, while this process records


@worker_ready.connect
def _ready(**_: Any) -> None:
    process = OnlineProcess.of(f"{socket.gethostname()}/{os.getpid()}", TAG)
    presence.append(ProcessHeartbeats(settings.REDIS_URL, process, key=RECORDERS))


@worker_shutdown.connect
def _close(**_: Any) -> None:
    while presence:
        presence.pop().end()


class RecorderHeartbeat(StartStopStep):
    """Heartbeats between two reports: a recorder that hangs in one sends none."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._heartbeats = Heartbeats(settings.REDIS_URL, "recorder")
        self._timer: Any = None

    def start(self, consumer: Any) -> None:
        self._heartbeats.send()
        self._timer = consumer.timer.call_repeatedly(EVERY, self._heartbeats.send)

    def stop(self, consumer: Any) -> None:  # noqa: ARG002  Celery gives it
        if self._timer:
            self._timer.cancel()
            self._timer = None


app.steps["consumer"].add(RecorderHeartbeat)
setup_logging.connect(logs.configure)
