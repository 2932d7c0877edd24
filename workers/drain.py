"""Leaving in good order: the first SIGTERM or SIGINT ends the worker after the match in hand, the second at once."""

import os
import signal

from celery.platforms import EX_FAILURE, EX_OK
from celery.worker import state


def leaving() -> bool:
    """Whether this worker is about to go: what it has not begun it gives back."""
    return state.should_stop is not None


def leave(*, failed: bool = False) -> None:
    """Celery's loop reads this as soon as the task in hand returns."""
    state.should_stop = EX_FAILURE if failed else EX_OK  # type: ignore[assignment]  # the stubs say None


def obey_signals() -> None:
    """Celery's own handlers make a SIGINT end the worker with an error; ours treat both signals alike."""
    signal.signal(signal.SIGTERM, _obey)
    signal.signal(signal.SIGINT, _obey)


def _obey(*_: object) -> None:
    if leaving():
        os._exit(EX_FAILURE)  # the sandbox sees that this process is gone, and every bot dies with it
    leave()
