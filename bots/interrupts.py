"""Signals that end a process, held back while it starts or ends others: in between it would leave some behind."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

ENDS = (signal.SIGINT, signal.SIGTERM)
_holding: list[bool] = []


@contextmanager
def held() -> Iterator[None]:
    """Hold back signals, and answer them at the end. Only the main thread hears signals; in others this does nothing,
    nor within another."""
    if threading.current_thread() is not threading.main_thread() or _holding:
        yield
        return
    heard: list[int] = []
    before: dict[signal.Signals, Any] = {}
    try:
        _holding.append(True)
        for end in ENDS:  # one that is on its way already ends this here
            before[end] = signal.signal(end, lambda number, _: heard.append(number))
        yield
    finally:
        for end, handler in before.items():
            signal.signal(end, handler)
        _holding.clear()
        if heard:
            signal.raise_signal(heard[0])
