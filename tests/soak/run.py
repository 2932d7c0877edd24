"""The course of a soak: the site starts, is settled, is used and measured, and stops."""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.db import connection

from tests.faults.crowd import a_ladder, enter_bot
from tests.soak import ADDRESSES, crowded, deadline, overload
from tests.soak.measure import Sample, report, sample
from tests.soak.visitors import Visitors

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("zaibatsu", "network")  # the two whose matches are the shortest
BOTS, EVERY_S = 6, 10.0  # of each game; between two samples
SITE = re.compile(r"Boardroom is at (\S+)")


def run(options: argparse.Namespace, data: Path) -> int:
    with a_site(data) as (process, address):
        settle()
        if options.deadline:
            return deadline.run(address, options.deadline, options.minutes)
        if options.sites:
            return crowded.run(address, data, options.sites, options.minutes, a_site)
        if options.overload:
            return overload.run(process.pid, data, options.minutes)
        visitors = Visitors(address, options.visitors)
        visitors.come()
        samples = list(taken(process.pid, data, 60 * options.minutes))
        visitors.leave()
        print("\n".join(report(samples, visitors.answers)))
    return 0 if process.returncode in (0, -signal.SIGTERM) else 1


@contextmanager
def a_site(data: Path, *, demo: bool = False) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`manage.py up`, and its address. `demo`: with all that it plays, and servers of its own."""
    command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", "0", "--data", str(data)]
    environment = {name: value for name, value in os.environ.items() if not demo or name not in ADDRESSES}
    with subprocess.Popen(
        command if demo else [*command, "--no-demo"], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        address = next(match[1] for line in process.stdout or () if (match := SITE.search(line)))
        try:
            yield process, address.rstrip("/")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def settle() -> None:
    """Ladders that are never satisfied."""
    call_command("migrate", verbosity=0)
    for game in GAMES:
        ladder = a_ladder(game)
        for number in range(BOTS):
            enter_bot(ladder, number)


def taken(pid: int, data: Path, seconds: float) -> Iterator[Sample]:
    began = time.monotonic()
    while (spent := time.monotonic() - began) < seconds:
        latest = sample(pid, data, spent)
        print(f"{spent:6.0f} s  {latest.matches:6} matches  {latest.memory_mb():7.1f} MB", file=sys.stderr, flush=True)
        yield latest
        connection.close()
        time.sleep(EVERY_S)
