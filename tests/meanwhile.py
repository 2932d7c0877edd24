"""Another connection acts between two queries of the one that is tested."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from django.db import connection

LOOK = 0.005  # seconds between two looks whether the other connection waits


class Meanwhile:
    """An act of another connection. It begins after a query of this one, which goes on when the act has ended or waits
    for a lock that this one holds."""

    def __init__(self, act: Callable[[], object], after: int | str) -> None:
        self._act, self._after, self._queries = act, after, 0
        self._pool, self._pids = ThreadPoolExecutor(1), SimpleQueue[int]()
        self._future: Future[object] | None = None

    @property
    def began(self) -> bool:
        return self._future is not None

    def outcome(self) -> object:
        """Return what the act returned, once it has ended. Raises what it raised."""
        return self._future.result() if self._future else None

    def __call__(self, execute: Callable[..., Any], *query: Any) -> Any:
        result = execute(*query)
        self._queries += 1
        if not self.began and self._is_time(str(query[0])):
            self._begin()
        return result

    def _is_time(self, sql: str) -> bool:
        return self._after in sql if isinstance(self._after, str) else self._after == self._queries

    def _begin(self) -> None:
        self._future = self._pool.submit(self._alone)
        pid = self._pids.get()
        while wait([self._future], timeout=LOOK).not_done and not _waits(pid):
            pass

    def _alone(self) -> object:
        try:
            connection.ensure_connection()
            self._pids.put(session())
            return self._act()
        finally:
            connection.close()


@contextmanager
def meanwhile(act: Callable[[], object], *, after: int | str) -> Iterator[Meanwhile]:
    """The act begins after so many queries of this connection, or after the first that contains a text; when the block
    is left it has ended."""
    other = Meanwhile(act, after)
    with other._pool, connection.execute_wrapper(other):
        yield other


def session() -> int:
    """The number of this connection's session, from the server: a pooler makes up those that the library knows."""
    return int(connection.connection.execute("SELECT pg_backend_pid()").fetchone()[0])


def _waits(pid: int) -> bool:
    """Past Django, which counts queries."""
    return bool(connection.connection.execute("SELECT pg_blocking_pids(%s)", [pid]).fetchone()[0])
