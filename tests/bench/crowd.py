"""Faults of honest bots on a machine that is much too busy: there must be none.

`manage.py bench crowd` plays some sets, `python3 -m tests.bench.crowd 1000` as many matches as it is told.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench import Row
from tests.bench.system import BOTS, order_of, worker
from workers.match import Kit, report_match

NEIGHBOURS, MATCHES = 16, 30
BUSY = "while True: pass"


def run() -> list[Row]:
    alone, faults_alone = among(0, MATCHES)
    crowded, faults = among(NEIGHBOURS, MATCHES)
    how = f"{MATCHES} matches of {', '.join(BOTS)} with default clocks; {faults + faults_alone} faults, which must be 0"
    return [
        Row(
            f"match among {NEIGHBOURS} busy neighbours",
            crowded,
            "s",
            "without them",
            alone,
            crowded / alone,
            "",
            how,
        ),
        Row("faults of honest bots", faults, "", "matches", MATCHES, faults / MATCHES, "<= 0", how),
    ]


def among(neighbours: int, matches: int) -> tuple[float, int]:
    """Seconds a match, and the faults there were. Tells of each hundred on stderr."""
    faults = 0
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder, ready(Path(folder), neighbours) as kit:
        began = time.monotonic()
        for number in range(1, matches + 1):
            faults += faults_in(number, kit)
            tell(number, faults)
        return (time.monotonic() - began) / matches, faults


@contextmanager
def ready(folder: Path, neighbours: int) -> Iterator[Kit]:
    with worker(folder / "cache") as kit, busy(neighbours):
        yield kit


def tell(number: int, faults: int) -> None:
    if number % 100 == 0:
        print(f"{number} matches, {faults} faults", file=sys.stderr, flush=True)


def faults_in(number: int, kit: Kit) -> int:
    """One match; a void attempt is no fault of a bot, and is played again, as the platform would."""
    order = order_of(number // len(BOTS))
    while (report := report_match(order, order.matches[number % len(BOTS)], kit)).outcome != "played":
        print(f"void: {report.reason}", file=sys.stderr)
    return len(report.faults)


@contextmanager
def busy(neighbours: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(neighbours)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


if __name__ == "__main__":
    seconds, total = among(NEIGHBOURS, int(sys.argv[1]))
    print(f"{total} faults; {seconds:.2f} s a match")
    sys.exit(total > 0)
