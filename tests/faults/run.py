"""The long run: the whole platform under load while everything goes wrong that the plan holds, and the reckoning after.

Faults come alone or up to three upon each other. A fault is over when a match is recorded that was sent after it.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection
from django.db.models import Count

from tests.faults import sound
from tests.faults.book import Book
from tests.faults.crowd import Visitors, settle
from tests.faults.disk import Disk
from tests.faults.plan import Fault, groups
from tests.faults.stage import Stage
from tests.faults.strike import strike
from tournaments.embedded.data import Data
from tournaments.management.commands.up import free_port
from tournaments.models import Attempt, Ladder, Match, MatchSet, Result

T = TypeVar("T")
RECOVERS, RESTS = 90.0, 120.0  # seconds within which it must
EACH = 2  # dispatchers, of which one leads, and recorders
PROGRESS = 25  # faults between two words on how it goes


@dataclass(frozen=True, slots=True)
class Wound:
    fault: Fault
    last: int  # the last attempt that there was before it
    happened: float  # monotonic


def run(options: argparse.Namespace, home: Path, data: Data, disk: Disk | None) -> int:
    stage = Stage(home, data, free_port(0), disk)
    try:
        return _run(options, stage)
    finally:
        connection.close()
        stage.close()


def _run(options: argparse.Namespace, stage: Stage) -> int:
    began, book = time.monotonic(), Book()
    visitors = prepare(stage, options.workers)
    stage.until("the first match", lambda: recorded() > 0, RECOVERS)
    visitors.come()
    for together in groups(options.seed):
        if book.faults >= options.faults:
            break
        suffer(stage, together[: options.faults - book.faults], book)
    stage.until("enough matches", lambda: recorded() >= options.matches, 3600)
    visitors.leave()
    come_to_rest(stage)
    return reckon(options, stage, book, visitors, time.monotonic() - began)


def prepare(stage: Stage, workers: int) -> Visitors:
    for server in stage.servers.values():
        server.start()
    with connection.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET max_wal_size = '128MB'")  # the disk is small
    call_command("migrate", verbosity=0)
    stage.build(workers, EACH)
    visitors = Visitors(stage.site, settle())
    stage.open()
    return visitors


def suffer(stage: Stage, together: Sequence[Fault], book: Book) -> None:
    """Some faults, one upon the other, and how long it takes until a match is recorded that was sent after each."""
    wounds: list[Wound] = []
    before = book.faults
    patient(stage, book.look)
    for fault in together:
        last = patient(stage, latest_attempt)
        happened = strike(stage, fault)
        if happened is None:
            book.not_met[str(fault)] += 1
        else:
            book.happened[str(fault)] += 1
            wounds.append(Wound(fault, last, happened))
    stage.until(f"recovery from {', '.join(map(str, together))}", lambda: healed(wounds, book), RECOVERS)
    if book.faults // PROGRESS > before // PROGRESS:
        print(f"{book.faults} faults, {recorded()} matches recorded", flush=True)


def healed(wounds: list[Wound], book: Book) -> bool:
    """Whether all are; those that are, are entered in the book."""
    for wound in list(wounds):
        if recorded_since(wound.last):
            book.recoveries[wound.fault.kind].append(time.monotonic() - wound.happened)
            wounds.remove(wound)
    return not wounds


def come_to_rest(stage: Stage) -> None:
    """Nothing new is paired, and what there is comes to its end."""
    stage.until("every wound to be dressed", lambda: not stage.wounded(), RESTS)
    patient(stage, lambda: Ladder.objects.update(status=Ladder.Status.PAUSED))
    stage.until("rest", at_rest, RESTS)


def at_rest() -> bool:
    try:
        opened = MatchSet.objects.filter(status=MatchSet.Status.OPEN).exists()
        unrated = MatchSet.objects.filter(status=MatchSet.Status.COMPLETE, number__isnull=False, rated=False)
        return not opened and not unrated.exists()
    except (OperationalError, InterfaceError):
        connection.close()
        return False


def patient(stage: Stage, act: Callable[[], T]) -> T:
    """What `act` says, once the database is there."""
    said: list[T] = []

    def tried() -> bool:
        try:
            said.append(act())
        except (OperationalError, InterfaceError):
            connection.close()
        return bool(said)

    stage.until("the database", tried, RECOVERS)
    return said[0]


def latest_attempt() -> int:
    return Attempt.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def recorded_since(last: int) -> bool:
    try:
        return Attempt.objects.filter(pk__gt=last, outcome=Attempt.Outcome.RECORDED).exists()
    except (OperationalError, InterfaceError):
        connection.close()
        return False


def recorded() -> int:
    try:
        return Result.objects.count()
    except (OperationalError, InterfaceError):
        connection.close()
        return 0


def reckon(options: argparse.Namespace, stage: Stage, book: Book, visitors: Visitors, seconds: float) -> int:
    codes = stage.leave()
    troubles = [f"{name} left with code {code}" for name, code in codes.items() if code] + stage.trouble
    lost, doubled = sound.lost(), sound.doubled()
    troubles += [*sound.wrong(), *sound.changed(book.results), *sound.broken_promises(visitors.promised)]
    held, given_up = Match.objects.count(), Match.objects.filter(status__in=sound.OVER).count()
    in_ledger, plain = recorded(), plain_match()
    outcomes = dict(Attempt.objects.values_list("outcome").annotate(Count("pk")).order_by("outcome"))
    connection.close()
    stage.close()
    troubles += [*sound.orphans(str(stage.home)), *sound.litter(stage.home, stage.data.folder / "bundles")]
    again = (stage.home / "again").read_text().splitlines()
    if options.json:
        options.json.write_text(json.dumps({"plain": plain, "recoveries": book.recoveries}))
    print("\n".join([*book.told(again, visitors), f"attempts: {outcomes}"]))
    print("\n".join(lost + doubled + troubles))
    print(
        f"seed {options.seed}: faults injected {book.faults}, matches held {held}, recorded {in_ledger}, "
        f"given up with a reason {given_up}, lost = {len(lost)}, doubled = {len(doubled)}, "
        f"other troubles = {len(troubles)}, {seconds:.0f} s",
        flush=True,
    )
    return 1 if lost or doubled or troubles else 0


def plain_match() -> float:
    """Seconds from an order to the result, of a match that nothing happened to: the median."""
    straight = Attempt.objects.filter(lease=1, outcome=Attempt.Outcome.RECORDED, match__set__checks=None)
    times = straight.values_list("sent_at", "ended_at")
    return median((ended - sent).total_seconds() for sent, ended in times if ended)
