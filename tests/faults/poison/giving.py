"""Poison given when it is due, watched until it has had its effect, and taken away when its time is over.

In a thread of its own: poison asks the site with much patience, and whoever wakes or restarts what the site waits for
must not wait for that answer.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException
from threading import Event, Thread
from typing import ClassVar, Protocol

from django.db import InterfaceError, OperationalError, connection
from redis import RedisError

from tests.faults.plan import Fault
from tests.faults.stage import Stage

LOOKS = 0.25  # seconds between two
TIMES = 30  # that one is given at most: ordinary faults swallow some, and quick matches are over before it is read


class NotNow(Exception):
    """There is nothing to poison at the moment."""


class Poison(Protocol):
    LASTS: ClassVar[float]  # seconds, at least
    WITHIN: ClassVar[float]  # seconds, its effect must show; else it is given again

    def give(self) -> None:
        """May be called again, after `clear`. Raises NotNow."""

    def worked(self) -> bool:
        """Whether the platform has met it, and noticed what it is."""

    def clear(self) -> None: ...


AWAY = (NotNow, OSError, HTTPException, RedisError, OperationalError, InterfaceError)


@dataclass(slots=True)
class Dose:
    name: str
    poison: Poison
    times: int = 0
    given: float | None = None
    worked: bool = False
    doubt: str = ""  # why that could not be known, the last time

    def look(self) -> bool:
        """Whether it is over."""
        if self.given is None:
            self._give()
            return False
        self.worked = self.worked or self._has_worked()
        passed = time.monotonic() - self.given
        if passed < (self.poison.LASTS if self.worked else self.poison.WITHIN):
            return False
        self.poison.clear()
        self.given = None
        return self.worked or self.times >= TIMES

    def _has_worked(self) -> bool:
        """It may last, but not for ever, that this cannot be known."""
        try:
            return self.poison.worked()
        except AWAY as reason:
            connection.close()
            self.doubt = str(reason)
            return False

    def _give(self) -> None:
        self.poison.give()
        self.times, self.given = self.times + 1, time.monotonic()


@dataclass(slots=True)
class Giving:
    stage: Stage
    known: dict[str, Callable[[Stage, int], Poison]]
    open: list[Dose] = field(default_factory=list)
    worked: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)
    timeline: list[tuple[float, str]] = field(default_factory=list)  # by the time of day
    _ended: Event = field(default_factory=Event)
    _thread: Thread = field(init=False)

    def __post_init__(self) -> None:
        self._thread = Thread(target=self._keep_looking, name="poison", daemon=True)

    def begin(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Look no more. What is still open stays so."""
        self._ended.set()
        self._thread.join()

    def give(self, fault: Fault) -> float:
        """Return when the poison was handed to the thread that gives it (monotonic)."""
        self.open.append(Dose(fault.where, self.known[fault.where](self.stage, fault.number)))
        return time.monotonic()

    def _keep_looking(self) -> None:
        while not self._ended.wait(LOOKS):
            self._look()
        connection.close()

    def _look(self) -> None:
        for dose in list(self.open):
            if self._over(dose):
                self.open.remove(dose)
                name = dose.name if dose.worked or not dose.doubt else f"{dose.name} ({dose.doubt})"
                (self.worked if dose.worked else self.silent)[name] += 1

    def _over(self, dose: Dose) -> bool:
        given = dose.times
        try:
            return dose.look()
        except AWAY as reason:
            if not isinstance(reason, NotNow):
                connection.close()
            return False
        finally:
            if dose.times > given:
                self.timeline.append((time.time(), dose.name))

    def lines(self) -> list[str]:
        return [f"{times:>4} times {name} had its effect" for name, times in sorted(self.worked.items())]

    def troubles(self) -> list[str]:
        return [f"{name} had no effect, {times} times" for name, times in sorted(self.silent.items())]
