"""The life of one worker process: what it needs before its first order, and what it cleans up at the end."""

import logging
import os
import secrets
import socket
import sys
from functools import partial
from pathlib import Path
from typing import Any

from celery.signals import worker_init, worker_ready, worker_shutdown
from redis import Redis

from bots.process import share_one_core
from workers import bot_runner, broker, capacity, languages, priority
from workers.addresses import site_address
from workers.app import REDIS_URL, app
from workers.bot_runner import Bare, BotRunner
from workers.bundles import Shelf, own_folder
from workers.drain import obey_signals
from workers.examination_orders import EXAMINATIONS
from workers.identity import Identity, identity_of, space_of
from workers.match import Kit
from workers.orders import ORDERS, TAG, key_of, own_queue, queues_for
from workers.practice_orders import PRACTICES
from workers.process_heartbeats import PRACTISERS, WORKERS, OnlineProcess, ProcessHeartbeats
from workers.sandbox.errors import SandboxError
from workers.sandbox.far import connect
from workers.sandbox.wasm import TIER, pack
from workers.settings_numbers import whole_number
from workers.subscription import Subscription, hear, subscribe

SECRETS = ("DATABASE_URL", "SECRET_KEY", "SECRET_KEY_FALLBACKS")
CACHE_MB = 1024  # of bundles, for all workers of a machine
LIFE = secrets.token_hex(2)  # a container gives its next process the same number
opened: list[Kit] = []  # one, from the worker's start to its end
presence: list[ProcessHeartbeats] = []  # one, while it takes orders

log = logging.getLogger(__name__)

app.steps["consumer"].add(Subscription)


def kit() -> Kit:
    return opened[0]


def worker_identity() -> Identity:
    """The identity of this worker. Raises ValueError, with a sentence, if the environment does not give it well."""
    return identity_of(os.environ, socket.gethostname())


def offers() -> list[str]:
    """The offers of this worker: its languages, the deterministic division where that is built, and what its
    machine has."""
    has = [*kit().tools, *capacity.offered(capacity.this_machine())]
    try:
        pack.find_pack()
    except SandboxError as reason:
        log.info("no deterministic division: %s", reason)
        return has
    return [*has, TIER]


@worker_init.connect
def _open(**_: Any) -> None:
    """Fail closed: a worker that lacks anything ends here, with the sentence, and takes no order."""
    if held := [name for name in SECRETS if os.environ.get(name)]:
        sys.exit(f"A match worker runs strangers' code and must not know {' or '.join(held)}: start it without.")
    if not os.environ.get("WORKER_PRACTICES"):  # whoever practises waits for the answers
        priority.lower()
    try:
        if core := os.environ.get("WORKER_CORE"):
            share_one_core(int(core))
        broker.greet(REDIS_URL)
        app.conf.broker_transport_options |= broker.held_by(worker_identity().name)
        opened.append(_kit())
    except (OSError, ValueError, SandboxError) as error:
        sys.exit(f"This match worker cannot start: {error}")
    log.info("bots in %s", ", ".join(tool.version for tool in kit().tools.values()))
    _listen()


def _listen() -> None:
    """Listen to the queues of those orders that this worker plays: sets, or the turns of practices."""
    able, worker, stem = offers(), kit().worker, PRACTICES if os.environ.get("WORKER_PRACTICES") else ORDERS
    own_queues = [own_queue(worker)] if stem == ORDERS else []
    read = partial(queues_for, able, stem=key_of(space_of(worker), stem))
    examine = partial(queues_for, able, stem=key_of(space_of(worker), EXAMINATIONS))
    subscribe(lambda used: [*read(used), *own_queues, *(examine(used) if own_queues else ())], space_of(worker))
    if ORDERS not in read():
        app.amqp.queues.deselect([ORDERS])


def _kit() -> Kit:
    me = worker_identity()
    shelf = Shelf(
        own_folder(os.environ.get("WORKER_CACHE", "")),
        site_address(os.environ.get("SITE_URL", "")),
        me.token,
        whole_number(os.environ, "WORKER_CACHE_MB", CACHE_MB, 10**6) << 20,
    )
    shelf.unpacked.mkdir(exist_ok=True)
    arena = _bot_runner(shelf.unpacked)
    log.info("sandbox: %s with %s", arena.tier, " and ".join(arena.extras) or "nothing besides")
    return Kit(
        f"{me.name}/{os.getpid()}-{LIFE}",
        shelf,
        arena,
        arena.tools if isinstance(arena, Bare) else languages.find_tools(arena),
        live=Redis.from_url(REDIS_URL, socket_timeout=1, socket_connect_timeout=1),
    )


def _bot_runner(store: Path) -> BotRunner:
    """The worker's own sandbox, or the arena that serves at ARENA_SOCKET."""
    minimum, tier = (os.environ.get(name, "") for name in ("MIN_SANDBOX", "SANDBOX"))
    if served := os.environ.get("ARENA_SOCKET"):
        if tier:
            raise ValueError("SANDBOX asks for a tier of this worker's own, and ARENA_SOCKET for another's; unset one")
        return connect(served, store, minimum=minimum or bot_runner.LEAST)
    return bot_runner.find_runner(store, minimum=minimum, tier=tier)


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
