"""The long run: the whole platform under load while everything goes wrong that the plan holds.

Faults come alone or up to three upon each other. A fault is over when a match is recorded that was sent after it.
Poison is given among them, and goes on working while the next faults come. `final_check` says what is left in the end.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection
from django.db.models import Q

from tests.faults.asking import latest_attempt, patient, recorded, recorded_since
from tests.faults.book import Book
from tests.faults.crowd import WATCHED, Visitors, a_ladder, enter_bot, settle
from tests.faults.disk import Disk
from tests.faults.final_check import FinalCheck
from tests.faults.plan import POISON, Fault, groups
from tests.faults.poison.bystanders import Bystanders
from tests.faults.poison.giving import Giving
from tests.faults.poison.greedy import GREEDY
from tests.faults.poison.known import KNOWN
from tests.faults.poison.lines import SlowReaders
from tests.faults.poison.waits import KINDS
from tests.faults.stage import Stage
from tests.faults.strike import strike
from tests.faults.web_memory import WebMemory
from tournaments.core.broker.available_workers import CHOSEN
from tournaments.ledger.dispatch.fair_share import AGAIN
from tournaments.ledger.dispatch.leases import cancel
from tournaments.models import Ladder, MatchSet
from tournaments.ops.launcher.data_dir import Data
from tournaments.ops.launcher.first_processes import free_port

RECOVERS, HEALS = 90.0, 120.0  # seconds within which it must
RESTS = 300.0  # seconds in which everything that was begun is over
WORKS = 330.0  # seconds within which poison has had its effect, or has been given often enough
EACH = 2  # dispatchers, of which one leads, and recorders
WATCHED_BOTS = 3  # of the longer game
PROGRESS = 25  # faults between two words on how it goes


@dataclass(frozen=True, slots=True)
class Wound:
    fault: Fault
    last: int  # the last attempt that there was before it
    happened: float  # monotonic


@dataclass(slots=True)
class Run:
    options: argparse.Namespace
    stage: Stage
    book: Book = field(default_factory=Book)
    visitors: Visitors = field(init=False)
    bystanders: Bystanders = field(init=False)
    giving: Giving = field(init=False)
    memory: WebMemory = field(init=False)

    def __post_init__(self) -> None:
        self.giving = Giving(self.stage, KNOWN)
        self.memory = WebMemory(self.stage.web_sessions)
        self.stage.also.append(self.memory.look)

    def go(self) -> int:
        began = time.monotonic()
        self.prepare()
        self.stage.until("the first match", lambda: recorded() > 0, RECOVERS)
        self.visitors.come()
        self.stage.until("the first match to watch", self.bystanders.can_watch, RECOVERS)
        self.bystanders.come()
        self.giving.begin()
        for together in groups(self.options.seed, self.options.poison, self.options.only):
            if self.book.faults >= self.options.faults:
                break
            self.suffer(together[: self.options.faults - self.book.faults])
        self.stage.until("enough matches", lambda: recorded() >= self.options.matches, 3600)
        self.every_poison_works()
        self.giving.end()
        self.everybody_moves()
        self.bystanders.leave()
        self.visitors.leave()
        self.come_to_rest()
        check = FinalCheck(
            self.options, self.stage, self.book, self.visitors, self.bystanders, self.giving, self.memory
        )
        return check.report(time.monotonic() - began)

    def prepare(self) -> None:
        for server in self.stage.servers.values():
            server.start()
        with connection.cursor() as cursor:
            cursor.execute("ALTER SYSTEM SET max_wal_size = '128MB'")  # the disk is small
        call_command("migrate", verbosity=0)
        self.stage.build(self.options.workers, EACH)
        self.visitors = Visitors(self.stage.site, settle())
        watched = a_ladder(WATCHED)
        for number in range(WATCHED_BOTS):
            enter_bot(watched, number)
        self.bystanders = Bystanders(self.stage.port, watched)
        if self.options.poison:
            SlowReaders.prepare()
        self.stage.open()

    def suffer(self, together: Sequence[Fault]) -> None:
        """Some faults, one upon the other, and how long it takes until a match is recorded that was sent after each."""
        wounds: list[Wound] = []
        before = self.book.faults
        patient(self.stage, self.book.look)
        for fault in together:
            last = patient(self.stage, latest_attempt)
            happened = self.giving.give(fault) if fault.kind == POISON else strike(self.stage, fault)
            if happened is None:
                self.book.not_met[str(fault)] += 1
            else:
                self.book.enter(fault)
                wounds.append(Wound(fault, last, happened))
        what = f"recovery from {', '.join(map(str, together))}"
        self.stage.until(what, lambda: healed(wounds, self.book), RECOVERS)
        if self.book.faults // PROGRESS > before // PROGRESS:
            self.say()

    def every_poison_works(self) -> None:
        try:
            self.stage.until("every poison to have had its effect", lambda: not self.giving.open, WORKS)
        except AssertionError:
            still = ", ".join(f"{dose.name} ({dose.doubt})" for dose in self.giving.open)
            self.stage.trouble.append(f"poison had no effect in {WORKS:g} s: {still}")

    def everybody_moves(self) -> None:
        """Check that everybody else's goes on, when all poison is out of the way at the latest."""
        since, still = time.time(), list(KINDS)

        def moves() -> bool:
            still[:] = patient(self.stage, lambda: self.bystanders.still(since))
            return not still

        try:
            self.stage.until("everybody else", moves, RECOVERS)
        except AssertionError:
            self.stage.trouble.append(
                f"nothing moves any more for anybody else, {RECOVERS:g} s after the last poison: {', '.join(still)}"
            )

    def say(self) -> None:
        figures = patient(self.stage, self.bystanders.so_far).figures()
        longest = ", ".join(f"{kind} {seen.longest:.1f} (from {seen.since:.0f} s)" for kind, seen in figures.items())
        text = (
            f"{self.book.faults} faults, {recorded()} matches recorded; nobody else's moved for at most, s: {longest}"
        )
        print(text, flush=True)

    def come_to_rest(self) -> None:
        """Nothing new is paired, and what there is comes to its end."""
        self.stage.until("every wound to be dressed", lambda: not self.stage.wounded(), HEALS)
        patient(self.stage, lambda: Ladder.objects.update(status=Ladder.Status.PAUSED))
        patient(self.stage, end_greedy_checks)
        try:
            self.stage.until("rest", at_rest, RESTS)
        except AssertionError:
            left = MatchSet.objects.filter(status=MatchSet.Status.OPEN).count()
            self.stage.trouble.append(f"no rest within {RESTS:g} s: {left} sets are open")


def run(options: argparse.Namespace, home: Path, data: Data, disk: Disk | None) -> int:
    stage = Stage(home, data, free_port(0), disk)
    try:
        return Run(options, stage).go()
    finally:
        connection.close()
        stage.close()


def healed(wounds: list[Wound], book: Book) -> bool:
    """Whether all are; those that are, are entered in the book."""
    for wound in list(wounds):
        if recorded_since(wound.last):
            book.recoveries[wound.fault.kind].append(time.monotonic() - wound.happened)
            wounds.remove(wound)
    return not wounds


def end_greedy_checks() -> None:
    """Cancel what greedy people still wait for: their checks take turns and last a minute each, by design."""
    waiting = MatchSet.objects.filter(status=MatchSet.Status.OPEN, checks__bot__owner__username__startswith=GREEDY)
    for match_set in waiting.order_by("pk"):
        cancel(match_set=match_set, reason="the run is over")


def at_rest() -> bool:
    """Return whether every set is over and rated, but for spot checks that no other worker can play."""
    try:
        nobody_else = Q(line=AGAIN, needs=CHOSEN)  # a spot check for which there is no other worker
        opened = MatchSet.objects.filter(status=MatchSet.Status.OPEN).exclude(nobody_else).exists()
        unrated = MatchSet.objects.filter(status=MatchSet.Status.COMPLETE, number__isnull=False, rated=False)
        return not opened and not unrated.exists()
    except (OperationalError, InterfaceError):
        connection.close()
        return False
