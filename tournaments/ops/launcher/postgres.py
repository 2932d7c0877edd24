"""PostgreSQL from its wheel: the database when the environment names none."""

import hashlib
import os
import shutil
import signal
import subprocess
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg.conninfo import make_conninfo

from tournaments.ops.launcher import unprivileged
from tournaments.ops.launcher.embedded_server import Server, ServerError, make_private, secret_in_file
from tournaments.ops.launcher.postgres_binaries import OPEN_TO_ALL, binaries_major, find_binaries, reachable_binaries
from tournaments.ops.launcher.server_start import Say, complain, log_tail
from tournaments.ops.launcher.subprocess_group import LAST, Program, open_log

NAME = "boardroom"  # of the database and of its owner
LOCALE = ("--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8")  # as in docker-compose.yml
INITDB = ("--username", NAME, "--auth", "scram-sha-256", "--encoding", "UTF8", *LOCALE, "--no-instructions")
LOG_ZONE = "<+00:00>0"  # UTC, as all our logs, under a name that is its offset: a line of the log shows the name
SETTINGS = {"listen_addresses": "", "shared_buffers": "64MB", "max_connections": "80", "log_timezone": LOG_ZONE}
NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


class Postgres(Server):
    """A private PostgreSQL. With `durable=False` it is fast and may lose all data when the machine stops: for tests."""

    def __init__(self, folder: Path, log: Path, *, durable: bool = True) -> None:
        super().__init__(cluster_folder(folder.absolute()), log)
        self.durable = durable
        self.cluster = self.folder / "cluster"

    @property
    def url(self) -> str:
        return f"postgresql://{NAME}:{self.password}@/{NAME}?host={quote(str(self.sockets))}"

    @cached_property
    def password(self) -> str:
        """Made with the folder, and kept in it. Match workers never get it."""
        self._own(self.folder)
        path = self.folder / "password"
        made = secret_in_file(path)
        self._give(path)  # initdb reads it
        return made

    @cached_property
    def binaries(self) -> Path:
        return reachable_binaries() if unprivileged.needs_open_folders() else find_binaries()

    @property
    def program(self) -> Program:
        settings = SETTINGS | {"unix_socket_directories": str(self.sockets)} | ({} if self.durable else NOT_DURABLE)
        flags = (part for name, value in settings.items() for part in ("-c", f"{name}={value}"))
        return Program(
            "postgres",
            (self.binaries / "postgres", "-D", self.cluster, *flags),
            dict(os.environ),
            self.log,
            stop_signal=signal.SIGINT,  # "fast": open transactions are rolled back
            orphan_signal=signal.SIGINT,
            refuses_root=True,
            stop_order=LAST,
        )

    def answers(self) -> bool:
        where = make_conninfo(host=str(self.sockets), user=NAME, dbname="postgres", connect_timeout=5)
        return psycopg.pq.PGconn.ping(where.encode()) == psycopg.pq.Ping.OK

    def prepare(self) -> None:
        for folder in (self.folder, self.sockets):
            self._own(folder)
        if not self.cluster.exists():
            self._initialise()
        made_by, installed = (self.cluster / "PG_VERSION").read_text().strip(), binaries_major(self.binaries)
        if made_by != str(installed):
            raise ServerError(
                f"{self.cluster} was made by PostgreSQL {made_by}, and this is {installed}. "
                "docs/recover.md says how to carry the data over."
            )

    def start(self, say: Say = complain) -> None:
        super().start(say)
        try:
            self._make_database()
        except psycopg.OperationalError as problem:
            raise ServerError(f"postgres runs, but cannot be used: {' '.join(str(problem).split())}") from None

    def _make_database(self) -> None:
        with self.maintenance() as connection:
            if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [NAME]).rowcount:
                connection.execute(f"CREATE DATABASE {NAME}")

    def maintenance(self) -> psycopg.Connection[tuple[object, ...]]:
        """A connection that can make, rename and drop databases."""
        return psycopg.connect(
            host=str(self.sockets), user=NAME, password=self.password, dbname="postgres", autocommit=True
        )

    @property
    def partial(self) -> Path:
        """Folder in which the cluster is made. Interrupted, it leaves a partial one, never one that looks complete."""
        return self.folder / "cluster.partial"

    def _initialise(self) -> None:
        shutil.rmtree(self.partial, ignore_errors=True)
        _ = self.password
        quick = () if self.durable else ("--no-sync",)
        self._run("initdb", "-D", self.partial, *INITDB, "--pwfile", self.folder / "password", *quick)
        self.partial.rename(self.cluster)

    def _run(self, program: str, *arguments: str | Path, stdin: str = "") -> None:
        """Run one of PostgreSQL's programs to its end; `stdin` is what it reads. Raises ServerError."""
        with open_log(self.log) as log:
            done = subprocess.run(
                [self.binaries / program, *arguments],
                check=False,
                input=stdin.encode(),
                stdout=log,
                stderr=log,
                preexec_fn=unprivileged.become_nobody if unprivileged.is_root() else None,
            )
        if done.returncode:
            raise ServerError(f"PostgreSQL could not make {self.cluster}. Its log is {self.log}:\n{log_tail(self.log)}")

    def _own(self, folder: Path) -> None:
        fresh = not folder.exists()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if fresh:
            self._give(folder)
        make_private(folder, unprivileged.uid() if unprivileged.needs_open_folders() else os.geteuid())

    @staticmethod
    def _give(path: Path) -> None:
        if unprivileged.needs_open_folders():
            unprivileged.give_to_nobody(path)


def cluster_folder(folder: Path) -> Path:
    """The folder itself, unless the user `nobody` needs to reach it and cannot: then one in /var/tmp."""
    if not unprivileged.needs_open_folders() or unprivileged.reaches(folder):
        return folder
    return OPEN_TO_ALL / f"boardroom-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]}"
