"""PostgreSQL on a copy of this machine's ready cluster: seconds less than initdb and all migrations."""

import shutil
from pathlib import Path

from tournaments.ops.launcher import unprivileged
from tournaments.ops.launcher.postgres import LOG_ZONE, NAME, Postgres
from tournaments.ops.launcher.ready_cluster import MIGRATED, NONE, copy, ready_cluster

# In the cluster alone, without a socket. No log has the statement with the password, even should it fail.
SINGLE = ("--single", "-F", "-c", "log_min_error_statement=panic", "-c", f"log_timezone={LOG_ZONE}")


class CopiedPostgres(Postgres):
    """Where nothing can be copied it is made as any other. The copy has its own password and its owner's folder."""

    def __init__(self, folder: Path, log: Path, *, durable: bool = True) -> None:
        super().__init__(folder, log, durable=durable)
        self.empty = False  # whether a new one's database has no table yet

    def _initialise(self) -> None:
        shutil.rmtree(self.partial, ignore_errors=True)
        try:
            with ready_cluster(self.binaries) as cluster:
                copy(cluster, self.partial)
        except NONE:
            super()._initialise()
        else:
            self._make_own()

    def _make_own(self) -> None:
        if unprivileged.needs_open_folders():
            self._give_all()
        change = f"ALTER ROLE {NAME} PASSWORD '{self.password}'\n"
        self._run("postgres", *SINGLE, "-D", self.partial, "postgres", stdin=change)
        if self.durable:
            self._run("initdb", "--sync-only", "-D", self.partial)
        self.partial.rename(self.cluster)

    def _give_all(self) -> None:
        for path in (self.partial, *self.partial.rglob("*")):
            unprivileged.give_to_nobody(path)

    def _make_database(self) -> None:
        with self.maintenance() as connection:
            databases = {name for (name,) in connection.execute("SELECT datname FROM pg_database")}
            if NAME not in databases and MIGRATED in databases and not self.empty:
                connection.execute(f"ALTER DATABASE {MIGRATED} RENAME TO {NAME}")
            elif MIGRATED in databases:
                connection.execute(f"DROP DATABASE {MIGRATED}")
        super()._make_database()
