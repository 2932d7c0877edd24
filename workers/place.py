"""The life of one worker process: what it needs before its first order, and what it clears away at the end."""

import os
import socket
import sys
from typing import Any

from celery.signals import worker_init, worker_ready, worker_shutdown

from bots.process import share_one_core
from workers.bundles import Shelf, own_folder
from workers.drain import obey_signals
from workers.match import Kit
from workers.sandbox import Arena, SandboxError

NAME = f"{socket.gethostname()}/{os.getpid()}"
SECRETS = ("DATABASE_URL", "SECRET_KEY")
opened: list[Kit] = []  # one, from the worker's start to its end


def kit() -> Kit:
    return opened[0]


@worker_init.connect
def _open(**_: Any) -> None:
    """Fail closed: a worker that lacks anything ends here, with the sentence, and takes no order."""
    if held := [name for name in SECRETS if os.environ.get(name)]:
        sys.exit(f"A match worker runs strangers' code and must not know {' or '.join(held)}: start it without.")
    try:
        if core := os.environ.get("WORKER_CORE"):
            share_one_core(int(core))
        opened.append(_kit())
    except (OSError, ValueError, SandboxError) as error:
        sys.exit(f"This match worker cannot start: {error}")


def _kit() -> Kit:
    folder = own_folder(os.environ.get("WORKER_CACHE", ""))
    shelf = Shelf(folder, os.environ.get("SITE_URL", "http://127.0.0.1:8000"), os.environ.get("WORKER_TOKEN", ""))
    shelf.unpacked.mkdir(exist_ok=True)
    return Kit(NAME, shelf, Arena.start(shelf.unpacked, minimum=os.environ.get("MIN_SANDBOX", "landlock")))


@worker_ready.connect
def _ready(**_: Any) -> None:
    """Not before: Celery sets its own handlers while it starts."""
    obey_signals()


@worker_shutdown.connect
def _close(**_: Any) -> None:
    while opened:
        opened.pop().arena.close()
