"""What `up` starts before Django is loaded here: both servers, and the web server, which takes longest to load.

So the first page is there as soon as it can be. `tournaments.management.commands.up` goes on from here.
"""

import os
import signal
import socket
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tournaments.launcher.data_dir import Data
from tournaments.launcher.embedded_server import Server, ServerError
from tournaments.launcher.processes import web_program
from tournaments.launcher.status import StatusLine
from tournaments.launcher.supervisor import Supervisor
from tournaments.launcher.up_options import add_options


class FirstProcesses:
    """They run, and are stopped with all that is added to the supervisor."""

    def __init__(self, data: Data, port: int, *, demo: bool) -> None:
        self.data, self.port, self.demo = data, port, demo
        self.address = f"http://127.0.0.1:{port}"
        self.supervisor = Supervisor()
        self.status = StatusLine(f"{self.address}/")
        self.began = time.monotonic()
        self.asked_to_leave = False

    def obey_signals(self) -> None:
        """Of a shell's background job Ctrl-C is not heard, as ever."""
        heard = [signal.SIGINT] if signal.getsignal(signal.SIGINT) is signal.default_int_handler else []
        for number in (signal.SIGTERM, signal.SIGHUP, *heard):
            signal.signal(number, self._leave)

    def _leave(self, *_: object) -> None:
        """Python drops what is raised while a child is being forked, so it is noted too."""
        self.asked_to_leave = True
        raise KeyboardInterrupt

    @property
    def age(self) -> str:
        return f"{time.monotonic() - self.began:.1f} s"

    def start(self) -> None:
        self.status.say("Starting the database, the broker and the site ...")
        servers = self.data.servers(os.environ)
        self.serve([server for server in servers if server is self.data.valkey])
        samples = {"SAMPLES_COMING": "1"} if self.demo else {}  # the page is there before they are
        self.supervisor.start([web_program(self.environment() | samples, self.data.folder, self.port)])
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
        return {"SITE_URL": self.address, **os.environ, "ALLOWED_HOSTS": ",".join(hosts)}

    def stop(self) -> None:
        self.supervisor.stop()
        for server in self.data.servers(os.environ):
            server.tidy()


begun: list[FirstProcesses] = []  # those of this process: one, while `up` runs


@contextmanager
def first_processes(arguments: Sequence[str], data: Data) -> Iterator[None]:
    """Until the block ends, or Ctrl-C. Raises ServerError, InUseError."""
    parser = ArgumentParser(prog="manage.py up", allow_abbrev=False)
    add_options(parser)
    options = parser.parse_known_args(arguments)[0]
    with data.held("manage.py up"):
        one = FirstProcesses(data, free_port(options.port), demo=options.demo)
        begun.append(one)
        one.obey_signals()
        try:
            one.start()
            yield
        except KeyboardInterrupt:
            one.status.say("Stopping: matches that are being played are finished or given back.")
        finally:
            one.stop()
            begun.clear()
        one.status.say(f"Stopped. The data is kept in {data.folder}.")


def free_port(wanted: int) -> int:
    """The port, if the site can have it; for 0 any that is free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as problem:
            reason = f"Port {wanted} cannot be used ({problem.strerror}). Choose another one: --port 8001."
            raise ServerError(reason) from None
        return int(probe.getsockname()[1])
