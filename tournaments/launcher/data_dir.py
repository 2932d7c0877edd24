"""The data folder of a machine that runs everything itself: servers, secrets, logs, and a lock."""

import fcntl
import os
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tournaments.launcher.copied_postgres import CopiedPostgres
from tournaments.launcher.embedded_server import Server, ServerError, secret
from tournaments.launcher.unprivileged import is_root
from tournaments.launcher.valkey import Valkey


class InUseError(Exception):
    """Another command uses the data folder; the message names its process."""


@dataclass(frozen=True)
class Data:
    """The folder. Its content is made on first use."""

    folder: Path

    @cached_property
    def postgres(self) -> CopiedPostgres:
        return CopiedPostgres(self.folder / "postgres", self.log("postgres"))

    @cached_property
    def valkey(self) -> Valkey:
        return Valkey(self.folder / "valkey", self.log("valkey"))

    def log(self, name: str) -> Path:
        return self.folder / "logs" / f"{name}.log"

    def complete(self, environment: MutableMapping[str, str]) -> None:
        """Add what the settings need and the environment lacks: addresses of the built-in servers, and secrets."""
        self.make()
        known: dict[str, Callable[[], str]] = {
            "DATABASE_URL": lambda: self.postgres.url,
            "REDIS_URL": lambda: self.valkey.url,
            "SECRET_KEY": lambda: secret(self.folder / "secrets" / "SECRET_KEY"),
            "WORKER_TOKEN": lambda: secret(self.folder / "secrets" / "WORKER_TOKEN"),
            "DUMPS": lambda: str(self.folder / "dumps"),
        }
        for name, value in known.items():
            if not environment.get(name):
                environment[name] = value()

    def servers(self, environment: MutableMapping[str, str]) -> list[Server]:
        """The built-in servers that this environment names."""
        servers: list[Server] = []
        if self.postgres.url == environment["DATABASE_URL"]:
            servers.append(self.postgres)
        if self.valkey.url == environment["REDIS_URL"]:
            servers.append(self.valkey)
        return servers

    def make(self) -> None:
        """Closed to others; as root it can be passed through, because PostgreSQL may have to run as nobody."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o711 if is_root() else 0o700)
            for name in ("logs", "secrets"):
                (self.folder / name).mkdir(mode=0o700, exist_ok=True)
        except OSError as problem:
            reason = f"{self.folder} cannot be the data folder ({problem.strerror}). Name another one: --data DIR."
            raise ServerError(reason) from None

    @contextmanager
    def held(self, by: str) -> Iterator[None]:
        """Use the folder alone until the block ends, or the process. Raises InUseError."""
        with (self.folder / "in-use").open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                raise InUseError(f"{self.folder} is in use by {lock.read().strip() or 'another command'}.") from None
            lock.truncate(0)
            lock.write(f"{by} (process {os.getpid()})\n")
            lock.flush()
            yield
