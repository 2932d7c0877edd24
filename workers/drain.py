"""Drain: the first SIGTERM or SIGINT ends the worker after the match in hand, the second at once.

And rest: a worker that its site has drained or blocked finishes the match in hand, gives back the others, and takes no
more until the site allows it again. It keeps running: a supervisor would restart it over and over.
"""

import logging
import os
import signal

from celery.platforms import EX_FAILURE, EX_OK
from celery.worker import state

log = logging.getLogger(__name__)
_resting: list[str] = []  # why, while it does


def reason_to_stop() -> str:
    """Why this worker begins nothing more, or "": what it has not begun it gives back."""
    return "the worker is leaving" if leaving() else rest_reason()


def leaving() -> bool:
    return state.should_stop is not None


def stop_worker(*, failed: bool = False) -> None:
    """Celery's loop reads this as soon as the task in hand returns."""
    state.should_stop = EX_FAILURE if failed else EX_OK  # type: ignore[assignment]  # the stubs say None


def rest(reason: str) -> None:
    """Begin to rest for this reason, or with "" end it."""
    if reason == rest_reason():
        return
    log.warning("%s", f"resting: {reason}" if reason else "welcome again")
    _resting[:] = [reason] if reason else []


def rest_reason() -> str:
    """Why this worker rests, or ""."""
    return "".join(_resting[:1])


def obey_signals() -> None:
    """Celery's own handlers make a SIGINT end the worker with an error; ours treat both signals alike."""
    signal.signal(signal.SIGTERM, _obey)
    signal.signal(signal.SIGINT, _obey)


def _obey(*_: object) -> None:
    if leaving():
        os._exit(EX_FAILURE)  # the sandbox sees that this process is gone, and every bot dies with it
    stop_worker()
