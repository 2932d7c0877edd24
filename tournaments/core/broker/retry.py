"""Retrying while servers are unavailable: the database and the broker may restart at any moment."""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError

T = TypeVar("T")
AWAY = (OperationalError, InterfaceError, BrokerError, RedisError)
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0  # seconds

log = logging.getLogger(__name__)


def retry_while_unavailable(act: Callable[[], T], pause: Callable[[float], object] = time.sleep) -> T:
    """The result of `act`, retried with back-off until the servers it needs are there. It must be safe to repeat."""
    seconds = FIRST_PAUSE
    while True:
        began = time.monotonic()
        try:
            return act()
        except AWAY as error:
            if time.monotonic() - began > LONGEST_PAUSE:  # it worked for a while
                seconds = FIRST_PAUSE
            log.warning("a server is away, trying again in %.1f s: %s", seconds, " ".join(str(error).split()))
            connection.close()  # a broken connection would fail for ever
        pause(seconds)
        seconds = min(2 * seconds, LONGEST_PAUSE)
