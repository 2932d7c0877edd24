"""A background thread while a worker plays, as a context manager: it starts and ends with the block."""

from abc import ABC, abstractmethod
from threading import Event, Thread
from typing import Self


class BackgroundThread(ABC):
    """`_run` goes on until `_stopped` is set."""

    def __init__(self, name: str) -> None:
        self._stopped = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def _run(self) -> None: ...

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()
