"""The data folder of a machine that runs everything itself: servers, secrets, logs, and a lock."""

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tournaments.ops.launcher.copied_postgres import CopiedPostgres
from tournaments.ops.launcher.embedded_server import Server, ServerError, secret_in_file
from tournaments.ops.launcher.unprivileged import is_root
from tournaments.ops.launcher.valkey import Valkey


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
        defaults: dict[str, Callable[[], str]] = {
            "DATABASE_URL": lambda: self.postgres.url,
            "REDIS_URL": lambda: self.valkey.url,
            "SECRET_KEY": lambda: secret_in_file(self.folder / "secrets" / "SECRET_KEY"),
            "WORKER_TOKEN": lambda: secret_in_file(self.folder / "secrets" / "WORKER_TOKEN"),
            "DUMPS": lambda: str(self.folder / "dumps"),
        }
        with self._refused():  # such as a full disk, or secrets of another user
            for name, value in defaults.items():
                if not environment.get(name):
                    environment[name] = value()

    def has_site(self, environment: Mapping[str, str]) -> bool:
        """Whether `up` or `restore` has been here, or is. Nothing is made."""
        if environment.get("DATABASE_URL") or self.memory().get("database"):
            return any(path.exists() for path in (self.folder / "site.json", self.valkey.folder))
        return self.postgres.cluster.exists()

    def own_database(self) -> str:
        """Return the address of the built-in PostgreSQL, empty if there is none here."""
        return self.postgres.url if (self.postgres.folder / "password").exists() else ""

    def remember(self, address: str, database: str) -> None:
        """Note where the site in the folder runs, and on which database if it is not the built-in one."""
        fresh = self.folder / "site.json.new"
        fresh.write_text(json.dumps({"address": address, "database": database}) + "\n")
        fresh.rename(self.folder / "site.json")

    def memory(self) -> dict[str, str]:
        """Return what `up` noted last: `address` and `database`."""
        with suppress(OSError, ValueError):
            return dict(json.loads((self.folder / "site.json").read_text()))
        return {}

    def user(self) -> str:
        """Return which command uses the folder now, such as `manage.py up (process 12)`; empty if none does."""
        with suppress(OSError), (self.folder / "in-use").open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return lock.read().strip() or "another command"
        return ""

    def in_use(self) -> InUseError:
        return InUseError(f"{self.folder} is in use by {self.user()}.")

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
        with self._refused():
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o711 if is_root() else 0o700)
            for name in ("logs", "secrets"):
                (self.folder / name).mkdir(mode=0o700, exist_ok=True)

    def check(self) -> None:
        """Refuse what is there and cannot be the data folder. Nothing is made. Raises ServerError."""
        with self._refused(), suppress(FileNotFoundError):
            (self.folder / "in-use").open("r+").close()

    @contextmanager
    def _refused(self) -> Iterator[None]:
        try:
            yield
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
                raise self.in_use() from None
            lock.truncate(0)
            lock.write(f"{by} (process {os.getpid()})\n")
            lock.flush()
            yield
