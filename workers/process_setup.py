"""The life of one worker process: what it needs before its first order, and what it cleans up at the end."""

import os
import secrets
import socket
import sys
from functools import partial
from typing import Any

from celery.signals import worker_init, worker_ready, worker_shutdown
from redis import Redis

from bots.process import share_one_core
from workers import broker, priority
from workers.addresses import site_address
from workers.app import REDIS_URL, app
from workers.drain import obey_signals
from workers.examination_orders import EXAMINATIONS
from workers.identity import Identity, identity_of
from workers.match import Kit
from workers.orders import ORDERS, TAG, own_queue, queues_for
from workers.outfit import make_kit, refuse_secrets, worker_offers
from workers.practice_orders import PRACTICES
from workers.process_heartbeats import PRACTISERS, WORKERS, OnlineProcess, ProcessHeartbeats
from workers.sandbox.errors import SandboxError
from workers.subscription import Subscription, hear, subscribe

LIFE = secrets.token_hex(2)  # a container gives its next process the same number
opened: list[Kit] = []  # one, from the worker's start to its end
presence: list[ProcessHeartbeats] = []  # one, while it takes orders

app.steps["consumer"].add(Subscription)


def kit() -> Kit:
    return opened[0]


def worker_identity() -> Identity:
    """The identity of this worker. Raises ValueError, with a sentence, if the environment does not give it well."""
    return identity_of(os.environ, socket.gethostname())


def offers() -> list[str]:
    return worker_offers(kit())


@worker_init.connect
def _open(**_: Any) -> None:
    """Fail closed: a worker that lacks anything ends here, with the sentence, and takes no order."""
    if not os.environ.get("WORKER_PRACTICES"):  # whoever practises waits for the answers
        priority.lower()
    try:
        refuse_secrets(os.environ)
        if core := os.environ.get("WORKER_CORE"):
            share_one_core(int(core))
        broker.greet(REDIS_URL)
        app.conf.broker_transport_options |= broker.held_by(worker_identity().name)
        opened.append(_kit())
    except (OSError, ValueError, SandboxError) as error:
        sys.exit(f"This match worker cannot start: {error}")
    _listen()


def _listen() -> None:
    """Listen to the queues of those orders that this worker plays: sets, or the turns of practices."""
    able, worker, stem = offers(), kit().worker, PRACTICES if os.environ.get("WORKER_PRACTICES") else ORDERS
    own_queues = [own_queue(worker)] if stem == ORDERS else []
    read, examine = partial(queues_for, able, stem=stem), partial(queues_for, able, stem=EXAMINATIONS)
    subscribe(lambda used: [*read(used), *own_queues, *(examine(used) if own_queues else ())])
    if ORDERS not in read():
        app.amqp.queues.deselect([ORDERS])


def _kit() -> Kit:
    me, live = worker_identity(), Redis.from_url(REDIS_URL, socket_timeout=1, socket_connect_timeout=1)
    return make_kit(f"{me.name}/{os.getpid()}-{LIFE}", site_address(os.environ.get("SITE_URL", "")), me.token, live)


@worker_ready.connect
def _ready(**_: Any) -> None:
    """Handle signals and begin heartbeats; not earlier, for Celery sets its own handlers while it starts."""
    obey_signals()
    key = PRACTISERS if os.environ.get("WORKER_PRACTICES") else WORKERS
    presence.append(ProcessHeartbeats(REDIS_URL, OnlineProcess.of(kit().worker, TAG, offers()), hear, key))


@worker_shutdown.connect
def _close(**_: Any) -> None:
    while presence:
        presence.pop().end()
    while opened:
        opened.pop().arena.close()
