"""`manage.py up`: the whole platform on this machine. Its first processes run by now (`launcher.first_processes`)."""

import os
import time
from argparse import ArgumentParser
from collections.abc import Mapping
from contextlib import closing, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from threading import Event
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError, OperationalError, connection

from engine.games import GAMES
from tournaments.core.broker.heartbeats import Heartbeats
from tournaments.core.schema_release import schema_tables
from tournaments.models import Bot, Match, Result, Version
from tournaments.ops.launcher.first_processes import FirstProcesses, begun
from tournaments.ops.launcher.processes import clockwork_programs
from tournaments.ops.launcher.subprocess_group import Program
from tournaments.ops.launcher.up_options import add_options
from workers.isolation import Memory, keep_on

TICK, REFRESH = 0.1, 0.5  # seconds between two looks at the children, and at the database, while somebody waits
LATER_TICK, LATER_REFRESH = 1.0, 5.0  # the same once all is started
RUNGS = 12  # of a game's field
LATER = 10.0  # seconds after the first page, at which the other workers start though no match is recorded


class Command(BaseCommand):
    help = "Run everything here: database, broker, site, and match workers on the sample bots. Ctrl-C stops it all."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_options(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        for first in begun:
            Platform(first).run(options)


def demo_steps() -> list[int]:
    """Return with how many of the field's rungs the demo is made, one after the other.

    So bots of people do not wait behind sixty checks; where it has been made before, all are made at once.
    """
    made = Bot.objects.filter(owner__username__startswith="field-").exists()
    return [RUNGS] if made else [*range(RUNGS + 1)]


def checks_wait() -> bool:
    return Version.objects.filter(status=Version.Status.CHECKING).exists()


def ladder_matches() -> int:
    """How many are recorded. The matches that check uploads are not counted: they move no standings."""
    return Result.objects.count() - Result.objects.filter(match__set__checks__isnull=False).count()


class Platform:
    """All that `up` starts after the first processes, from the tables to the last worker."""

    def __init__(self, first: FirstProcesses) -> None:
        self.first, self.status, self.supervisor = first, first.status, first.supervisor
        self.announced, self.due = False, 0.0  # that the site answers; when the ledger is looked at next
        self.heartbeats = Heartbeats(os.environ["REDIS_URL"], "supervisor")
        self.before = 0  # ladder matches that were recorded earlier
        self.later: list[Program] = []  # workers that the first match does not need
        self.later_at = 0.0  # when they are started, should there be no match
        self.shelf: list[int] = []  # what of the demo is still to be made: so many rungs of every game's field

    def run(self, options: Mapping[str, Any]) -> None:
        try:
            self.migrate()
            self.supervisor.start(clockwork_programs(self.first.environment(), self.first.data.folder))
            self.watch(options)
        finally:
            connection.close()

    def migrate(self) -> None:
        try:
            if schema_tables().missing:
                call_command("migrate", verbosity=0, skip_checks=True)
            self.before = ladder_matches()
        except OperationalError as problem:
            raise CommandError(f"The database that DATABASE_URL names fails: {problem}", returncode=2) from None

    def announce(self, options: Mapping[str, Any]) -> None:
        """The site answers. Ladders come now: they would have kept people waiting for the first page."""
        self.announced = True
        self.first.dismiss_doorkeeper()
        self.status.say(f"Boardroom is at {self.first.address}/ ({self.first.age}). Ctrl-C stops it.")
        self.later = self.first.match_workers()[1:]
        self.later_at = time.monotonic() + LATER
        if options["demo"]:
            self.shelf = demo_steps()
            call_command("demo", next(iter(GAMES)), rungs=0, verbosity=0)

    def watch(self, options: Mapping[str, Any]) -> None:
        """Watch until interrupted, or until so many matches were recorded since the start."""
        done = Event()
        keep_on("up", lambda: self.look(options, done), done, Memory())

    def look(self, options: Mapping[str, Any], done: Event) -> float:
        """Look at all processes, and now and then at the ledger. Returns the seconds until the next look."""
        began = time.monotonic()
        if self.first.asked_to_leave:
            raise KeyboardInterrupt
        self.supervisor.tend()
        if not self.announced and self.site_answers():
            self.announce(options)
        if self.announced and time.monotonic() >= self.due:
            self.due = time.monotonic() + (REFRESH if self.awaited(options) else LATER_REFRESH)
            self.follow(self.report(), options["matches"], done)
        self.heartbeats.round(time.monotonic() - began)
        return TICK if self.awaited(options) else LATER_TICK

    def awaited(self, options: Mapping[str, Any]) -> bool:
        """Whether something is still to be started, or a number of matches is waited for."""
        games_wait = bool(self.shelf and not self.shelf[0])
        return not self.announced or bool(self.later) or games_wait or options["matches"] is not None

    def follow(self, recorded: int | None, most: int | None, done: Event) -> None:
        """Do what the number of recorded matches leads to: end, or start the rest."""
        if recorded is None:
            return
        if most is not None and recorded - self.before >= most:
            self.finish(recorded - self.before)
            done.set()
        else:
            self.start_the_rest(recorded)

    def site_answers(self) -> bool:
        """Return whether the site answers: the port is open before there is anybody to answer."""
        connection = HTTPConnection("127.0.0.1", self.first.port, timeout=1)
        with suppress(OSError, HTTPException), closing(connection):
            connection.request("GET", "/healthz")
            return connection.getresponse().status == HTTPStatus.OK
        return False

    def report(self) -> int | None:
        """Show how things are. Returns the number of recorded matches, None while the database is away."""
        recorded, waiting = None, 0
        try:
            recorded = ladder_matches()
            waiting = Match.objects.filter(status__in=[Match.Status.WAITING, Match.Status.LEASED]).count()
        except (DatabaseError, InterfaceError):
            connection.close()
        dying = ", ".join(
            f"{program.name} does not stay up, see {program.log}" for program in self.supervisor.unstable()
        )
        self.status.show(recorded, waiting, self.supervisor.restarts, dying)
        return recorded

    def start_the_rest(self, recorded: int) -> None:
        """The other workers and games, once there is a match to look at: all at once would keep people waiting."""
        if recorded > self.before or time.monotonic() > self.later_at:
            self.supervisor.start(self.later)
            self.later = []
        if self.shelf and recorded and (not self.shelf[0] or not checks_wait()):
            call_command("demo", rungs=self.shelf.pop(0), verbosity=0)

    def finish(self, recorded: int) -> None:
        self.status.say(f"{recorded} {'match was' if recorded == 1 else 'matches were'} recorded in {self.first.age}.")
        for line in import_module("tournaments.ops.final_standings").final_standings():
            self.status.say(line)
