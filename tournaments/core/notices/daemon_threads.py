"""Calls that may take long, each in a daemon thread, which does not keep the process from ending."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def run_in_daemon_thread(act: Callable[[], T]) -> "Future[T]":
    future: Future[T] = Future()
    Thread(target=_do, args=(act, future), name="notices", daemon=True).start()
    return future


def _do(act: Callable[[], T], future: "Future[T]") -> None:
    try:
        found = act()
    except Exception as error:  # noqa: BLE001  the future passes it on
        future.set_exception(error)
    else:
        future.set_result(found)
