"""`manage.py up`: the whole platform on this machine."""

import os
import signal
import socket
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError, OperationalError, connection

from engine.games import GAMES
from tournaments.broker.heartbeats import Heartbeats
from tournaments.ladders.classic_elo import rate
from tournaments.ladders.official_fit import refit
from tournaments.ladders.standings import standings
from tournaments.launcher.data_dir import Data, InUseError
from tournaments.launcher.embedded_server import Server, ServerError
from tournaments.launcher.processes import site_programs, worker_programs
from tournaments.launcher.status import StatusLine
from tournaments.launcher.subprocess_group import ROOT
from tournaments.launcher.supervisor import Supervisor
from tournaments.models import Ladder, Match, Result
from workers.isolation import Memory, keep_on

TICK, REFRESH = 0.1, 0.5  # seconds between two looks at the children, and at the database


def number(low: int, high: int) -> Any:
    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


class Command(BaseCommand):
    help = "Run everything here: database, broker, site, and match workers on the sample bots. Ctrl-C stops it all."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=number(0, 65535), default=8000, help="of the site (8000; 0 takes a free one)"
        )
        parser.add_argument("--data", type=Path, default=ROOT / ".data", help="the folder of all data (.data)")
        parser.add_argument("--workers", type=number(1, 256), default=os.cpu_count(), help="match workers (one a core)")
        parser.add_argument("--matches", type=number(1, 10**9), help="stop with exit code 0 once so many are recorded")
        parser.add_argument("--no-demo", dest="demo", action="store_false", help="no ladders and no sample bots")

    def handle(self, *_: Any, **options: Any) -> None:
        for leave in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(leave, signal.default_int_handler)
        data = Data(options["data"].absolute())
        try:
            with data.held("manage.py up"):
                Platform(data, free_port(options["port"])).run(options)
        except (InUseError, ServerError) as problem:
            raise CommandError(str(problem), returncode=2) from None


def free_port(wanted: int) -> int:
    """The port, if the site can have it; for 0 any that is free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as problem:
            reason = f"Port {wanted} cannot be used ({problem.strerror}). Choose another one: --port 8001."
            raise CommandError(reason, returncode=2) from None
        return int(probe.getsockname()[1])


def ladder_matches() -> int:
    """How many are recorded. The matches that check uploads are not counted: they move no standings."""
    return Result.objects.count() - Result.objects.filter(match__set__checks__isnull=False).count()


class Platform:
    """All that `up` starts, from the first server to the last worker."""

    def __init__(self, data: Data, port: int) -> None:
        self.data, self.port = data, port
        self.address = f"http://127.0.0.1:{port}"
        self.supervisor = Supervisor()
        self.status = StatusLine(f"{self.address}/")
        self.began = time.monotonic()
        self.announced, self.due = False, 0.0  # that the site answers; when the ledger is looked at next
        self.heartbeats = Heartbeats(os.environ["REDIS_URL"], "supervisor")
        self.before = 0  # ladder matches that were recorded earlier
        self.shelf: list[str] = []  # games whose ladders for the sample bots are still to be made

    def run(self, options: Mapping[str, Any]) -> None:
        try:
            self.start(options)
            self.watch(options["matches"])
        except KeyboardInterrupt:
            self.status.say("Stopping: matches that are being played are finished or given back.")
        finally:
            connection.close()
            self.supervisor.stop()
            for server in self.data.servers(os.environ):
                server.tidy()
        self.status.say(f"Stopped. The data is kept in {self.data.folder}.")

    def start(self, options: Mapping[str, Any]) -> None:
        self.status.say("Starting the database, the broker and the match workers ...")
        environment, servers = self.environment(), self.data.servers(os.environ)
        workers = worker_programs(environment | {"SITE_URL": self.address}, self.data.folder, options["workers"])
        self.serve([server for server in servers if server is self.data.valkey])
        self.supervisor.start(workers)  # they boot while the database is made
        self.serve([server for server in servers if server is self.data.postgres])
        try:
            call_command("migrate", verbosity=0)
        except OperationalError as problem:
            raise CommandError(f"The database that DATABASE_URL names fails: {problem}", returncode=2) from None
        if options["demo"]:
            first, *self.shelf = GAMES
            call_command("demo", first, verbosity=0)
        self.before = ladder_matches()
        self.supervisor.start(site_programs(environment, self.data.folder, self.port))

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

    def watch(self, wanted: int | None) -> None:
        """Until interrupted, or until so many matches were recorded since the start."""
        done = Event()
        keep_on("up", lambda: self.look(wanted, done), done, Memory())

    def look(self, wanted: int | None, done: Event) -> float:
        """At all processes, and now and then at the ledger. Returns the seconds until the next look."""
        began = time.monotonic()
        self.supervisor.tend()
        if not self.announced and self.site_answers():
            self.announced = True
            self.status.say(f"Boardroom is at {self.address}/ ({self.age}). Ctrl-C stops it.")
        if self.announced and time.monotonic() >= self.due:
            self.due = time.monotonic() + REFRESH
            recorded = self.report()
            if wanted is not None and recorded is not None and recorded - self.before >= wanted:
                self.finish(recorded - self.before)
                done.set()
        self.heartbeats.round(time.monotonic() - began)
        return TICK

    @property
    def age(self) -> str:
        return f"{time.monotonic() - self.began:.1f} s"

    def site_answers(self) -> bool:
        """Not the port alone, which is open before there is anybody to answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=1)
        with suppress(OSError, HTTPException), closing(connection):
            connection.request("GET", "/healthz")
            return connection.getresponse().status == HTTPStatus.OK
        return False

    def report(self) -> int | None:
        """Show how things are. Returns the number of recorded matches, None while the database is away."""
        recorded, waiting = None, 0
        try:
            recorded = ladder_matches()
            self.show_all(recorded)
            waiting = Match.objects.filter(status__in=[Match.Status.WAITING, Match.Status.LEASED]).count()
        except (DatabaseError, InterfaceError):
            connection.close()
        dying = ", ".join(
            f"{program.name} does not stay up, see {program.log}" for program in self.supervisor.unstable()
        )
        self.status.show(recorded, waiting, self.supervisor.restarts, dying)
        return recorded

    def show_all(self, recorded: int) -> None:
        """The other games, once there is a match to look at: to check all bots first would keep people waiting."""
        if self.shelf and recorded:
            call_command("demo", *self.shelf, verbosity=0)
            self.shelf = []

    def finish(self, recorded: int) -> None:
        self.status.say(f"{recorded} {'match was' if recorded == 1 else 'matches were'} recorded in {self.age}.")
        rate()  # the dispatcher may not have come to the last sets yet
        for ladder in Ladder.objects.filter(ratings__isnull=False).distinct():
            refit(ladder=ladder)
        for ladder in Ladder.objects.order_by("pk"):
            self.status.say(
                f"\n{ladder.title}\n{'rank':>4}  {'bot':<24} {'Elo':>6} {'sets':>5} {'games':>6} {'wins':>6}"
            )
            for line in standings(ladder):
                numbers = f"{line.elo:>6.0f} {line.sets:>5} {line.games:>6} {line.win_pct:>5.1f}%"
                self.status.say(f"{line.rank or '–':>4}  {line.bot:<24} {numbers}")
