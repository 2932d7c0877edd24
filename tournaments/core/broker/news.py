"""Whether anything has happened since the last check, with two short queries.

The write-ahead log of PostgreSQL grows with whatever anybody commits, and the broker knows who came and whether it lost
what it held. Silence proves nothing for long: leases run out and events begin by the clock alone, and a commit is seen
in the log a moment before its rows are.
"""

from tournaments.core.broker import queues
from tournaments.models.prepared_statements import run_prepared

WRITTEN = "SELECT pg_current_wal_insert_lsn()"


class News:
    def __init__(self) -> None:
        self._seen: object = None
        self._here: list[int] = []
        self._calm_looks = 0

    def look(self, *, calm: bool = False) -> bool:
        """Whether there are any. Where it has been `calm` the broker is asked every second time. Raises the errors of a
        server that is away."""
        self._calm_looks = self._calm_looks + 1 if calm else 0
        if self._calm_looks % 2 == 0:
            self._here = queues.who_is_here()
        seen, self._seen = self._seen, (_written(), self._here)
        return seen != self._seen


def _written() -> str:
    [(written,)] = run_prepared(WRITTEN, [])
    return str(written)
