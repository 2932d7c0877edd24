"""Every message of a match worker delivered twice: at once, late, from two sockets together, after a lost reply."""

import os
import random
from collections.abc import Callable
from pathlib import Path
from threading import Thread, Timer
from typing import Any

from kombu.exceptions import OperationalError

from workers.app import app
from workers.orders import RECORD_SET

LATEST = 10.0  # seconds: longer than any lease of these runs


def deliver_twice(folder: Path) -> None:
    send, dice, list_file = app.send_task, random.Random(os.getpid()), folder / "again"

    def publish(name: str, args: Any, **options: Any) -> object:
        if name != RECORD_SET:
            return send(name, args, **options)
        delivery = dice.choices(list(WAYS), weights=(5, 4, 4, 1))[0]
        with list_file.open("a") as book:
            book.write(f"{delivery}\n")
        return WAYS[delivery](lambda: send(name, args, **options), dice)

    app.send_task = publish  # type: ignore[method-assign, assignment]


def _at_once(send: Callable[[], object], dice: random.Random) -> object:
    send()
    return send()


def _late(send: Callable[[], object], dice: random.Random) -> object:
    timer = Timer(dice.uniform(0, LATEST), send)
    timer.daemon = True
    timer.start()
    return send()


def _from_two_sockets(send: Callable[[], object], dice: random.Random) -> object:
    """Send by two threads, each of which takes a connection of its own out of Celery's pool."""
    other = Thread(target=send, daemon=True)
    other.start()
    result = send()
    other.join()
    return result


def _after_a_lost_reply(send: Callable[[], object], dice: random.Random) -> object:
    send()
    raise OperationalError("the reply of the broker was lost")


WAYS: dict[str, Callable[[Callable[[], object], random.Random], object]] = {
    "at once": _at_once,
    "late": _late,
    "from two sockets": _from_two_sockets,
    "after a lost reply": _after_a_lost_reply,
}
