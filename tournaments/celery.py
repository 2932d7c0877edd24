"""The site's Celery app: its recorder takes reports from the queue, its dispatcher puts orders into the other one.

PostgreSQL holds the truth; the broker is only the bell, and may lose or repeat what it is given.
"""

import os

from celery import Celery
from django.conf import settings

from workers.orders import REPORTS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they import every page and API view, which a recorder never shows

app = Celery("tournaments", broker=settings.BROKER_URL, include=["tournaments.tasks"])
app.conf.update(
    task_default_queue=REPORTS,
    # A report's outcome is in the database; keeping it in Redis too would cost a write for nobody.
    task_ignore_result=True,
    # A report stays in the broker until it is recorded, and goes back to it when the recorder dies.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    worker_pool="solo",
    # The broker may be down when the recorder starts, or for as long as it likes.
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        # What a dead recorder held reaches another one before the lease runs out; twice is harmless. The match workers
        # hold their orders much longer, on the same broker: hence keys of our own.
        "visibility_timeout": 15,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 5,
        "unacked_key": "reports.unacked",
        "unacked_index_key": "reports.unacked_index",
        "unacked_mutex_key": "reports.unacked_mutex",
        "socket_timeout": 30,
        "socket_connect_timeout": 5,
        "health_check_interval": 25,
    },
    # Nothing but plain data: who can write to the broker must not be able to run code here.
    task_serializer="json",
    accept_content=["json"],
    worker_send_task_events=False,
    task_send_sent_event=False,
    worker_enable_remote_control=False,
    worker_hijack_root_logger=False,
    CELERY_DB_REUSE_MAX=1000,  # tasks on one database connection; without it every report opens its own
)
