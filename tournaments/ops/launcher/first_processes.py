"""What `up` starts first: the broker, the web server and the database, so that the first page is there soon.

The web server and the first worker load while the database's folder is made.
`tournaments.management.commands.up` goes on from here.
"""

import os
import runpy
import signal
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from subprocess import TimeoutExpired

from engine import outside
from tournaments.ops.launcher.data_dir import Data
from tournaments.ops.launcher.embedded_server import Server, ServerError
from tournaments.ops.launcher.processes import doorkeeper_program, web_program, worker_programs
from tournaments.ops.launcher.sites import named_database, note_site
from tournaments.ops.launcher.status import StatusLine
from tournaments.ops.launcher.subprocess_group import SPAWNING, Process, Program, end_group, spawn_program
from tournaments.ops.launcher.supervisor import Supervisor
from tournaments.ops.launcher.up_options import add_options

LEAVES_WITHIN = 5.0  # seconds


class FirstProcesses:
    """They run, and are stopped with all that is added to the supervisor."""

    def __init__(self, data: Data, port: int, workers: int, *, demo: bool) -> None:
        self.data, self.port, self.workers, self.demo = data, port, workers, demo
        self.address = f"http://127.0.0.1:{port}"
        self.supervisor = Supervisor()
        self.status = StatusLine(f"{self.address}/")
        self.began = time.monotonic()
        self.asked_to_leave = False
        self.doorkeeper: Process | None = None

    def obey_signals(self) -> None:
        """Leave at SIGTERM, SIGHUP and Ctrl-C, which a shell's background job ignores, as ever."""
        heard = [signal.SIGINT] if signal.getsignal(signal.SIGINT) is signal.default_int_handler else []
        for number in (signal.SIGTERM, signal.SIGHUP, *heard):
            signal.signal(number, self._leave)

    def _leave(self, *_: object) -> None:
        """Note the wish, and leave at once but while a program is being started: there Python drops what is raised."""
        self.asked_to_leave = True
        if not SPAWNING.is_set():
            raise KeyboardInterrupt

    @property
    def age(self) -> str:
        return f"{time.monotonic() - self.began:.1f} s"

    def start(self) -> None:
        self.status.say(named_database(self.data, os.environ))
        self.status.say("Starting the database, the broker and the site ...")
        samples = {"SAMPLES_COMING": "1"} if self.demo else {}  # the page is there before they are
        os.environ.update(self.environment() | samples)  # settings are read from it when Django is loaded
        note_site(self.data)
        if sys.platform == "linux":  # elsewhere the kernel may give all connections to one of two that share a port
            self.doorkeeper = spawn_program(doorkeeper_program(dict(os.environ), self.data.folder, self.port))
        servers = self.data.servers(os.environ)
        self.serve([server for server in servers if server is self.data.valkey])
        web = web_program(dict(os.environ), self.data.folder, self.port)
        self.supervisor.start([web, *self.match_workers()[:1]])  # the others, once there is something to look at
        self.serve([server for server in servers if server is self.data.postgres])

    def serve(self, servers: Sequence[Server]) -> None:
        for server in servers:
            try:
                server.start(self.status.say)
            finally:
                if server.process:
                    self.supervisor.adopt(server.program, server.process)

    def environment(self) -> dict[str, str]:
        """The environment of the site's processes. Our workers fetch bundles from 127.0.0.1, always allowed."""
        hosts = [*filter(None, os.environ.get("ALLOWED_HOSTS", "localhost").split(",")), "127.0.0.1"]
        address = os.environ.get("SITE_URL") or self.address
        return {**os.environ, "SITE_URL": address, "ALLOWED_HOSTS": ",".join(hosts)}

    def match_workers(self) -> list[Program]:
        """They reach the site without a proxy, whatever address it has for people."""
        return worker_programs(self.environment() | {"SITE_URL": self.address}, self.data.folder, self.workers)

    def dismiss_doorkeeper(self) -> None:
        """It leaves by itself when the web server answers."""
        if self.doorkeeper:
            end_child(self.doorkeeper)
            self.doorkeeper = None

    def stop(self) -> None:
        self.dismiss_doorkeeper()
        self.supervisor.stop()
        for server in self.data.servers(os.environ):
            server.tidy()


def end_child(child: Process) -> None:
    child.send_signal(signal.SIGTERM)
    with suppress(TimeoutExpired):
        child.wait(LEAVES_WITHIN)
    end_group(child)


def check_settings() -> None:
    """Refuse a bad setting before anything is made or started: run the settings, and forget what came of it.

    They are loaded with Django, when the environment is complete. Raises BadSetting, BadGame.
    """
    runpy.run_module("tournaments.settings")
    if os.environ.get(outside.VARIABLE):
        import_module("engine.games")


begun: list[FirstProcesses] = []  # those of this process: one, while `up` runs


@contextmanager
def first_processes(arguments: Sequence[str], data: Data) -> Iterator[None]:
    """Run the first processes until the block ends, or Ctrl-C.

    What is refused is refused before the folder is made. Raises ServerError, InUseError, BadSetting, BadGame;
    KeyboardInterrupt while starting.
    """
    parser = ArgumentParser(prog="manage.py up", allow_abbrev=False)
    add_options(parser)
    options = parser.parse_args(arguments)
    check_settings()
    data.check()
    if data.user():
        raise data.in_use()
    port = free_port(options.port)
    if os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL"):
        import_module("tournaments.ops.launcher.server_faults").refuse_servers(os.environ)
    data.complete(os.environ)
    with data.held("manage.py up"):
        first = FirstProcesses(data, port, options.workers, demo=options.demo)
        begun.append(first)
        first.obey_signals()
        has_started = False
        try:
            first.start()
            if first.asked_to_leave:  # while a program was being started
                raise KeyboardInterrupt
            has_started = True
            yield
        except KeyboardInterrupt:
            first.status.say("Stopping: matches that are being played are finished or given back.")
            if not has_started:
                raise
        finally:
            first.stop()
            begun.clear()
            first.status.say(f"Stopped. The data is kept in {data.folder}.")


def free_port(port: int) -> int:
    """Return the port, if the site can have it; for 0 any that is free. Raises ServerError."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as problem:
            reason = f"Port {port} cannot be used ({problem.strerror}). Choose another one: --port 8001."
            raise ServerError(reason) from None
        return int(probe.getsockname()[1])
