"""Waiting for what other processes do. A look costs time of a processor that they need: the longer, the rarer."""

import time
from collections.abc import Iterator
from threading import Event

SHORTEST, LONGEST, PART = 0.01, 0.25, 0.05  # seconds between two looks, and what part of the time waited so far


def looks(seconds: float) -> Iterator[float]:
    """The seconds waited so far, whenever it is time for a look, until so many are over."""
    began, pause = time.monotonic(), Event()
    while (waited := time.monotonic() - began) < seconds:
        yield waited
        pause.wait(min(LONGEST, max(SHORTEST, PART * waited)))
