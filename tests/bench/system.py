"""Matches a minute: sandboxed by a worker, by the whole system and by the demo, beside the same bots played at home.

And what the system spends on each match beside its bots.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bots.bundle import read_bundle
from bots.contest import find_contestant, play_match, sample_files
from bots.protocol import Clock
from engine.games import GAMES
from tests.bench import Row
from tests.bench.cold_start import DONE, ROOT, without_addresses
from tests.bench.ledger import until
from tests.bench.whole_site import Spent, at_play, watch
from tests.factories import a_ladder, a_version, numbers
from tests.ground import rows_of
from tournaments.core.broker import queues
from tournaments.models import Entry, Result, Version
from workers.bundles import Shelf
from workers.match import Kit, report_match
from workers.orders import Competitor, MatchOrder, Order
from workers.sandbox.arena import Arena
from workers.sandbox.limits import Limits

GAME, BOTS = GAMES["zaibatsu"], ("random", "marginal", "blend")
SETS = 8  # for one worker, in turns with home
FEW, MANY = 20, 140  # matches of the whole system: what lies between is without start and end
AT_HOME = 48  # matches on each core
ENTRIES = 2  # of each bot, so that they are not always the same three
AIM = 6.0  # ms of processor time for a match: recorder, dispatcher, database and broker


def run() -> list[Row]:
    return [one_worker(), *rows_of(__name__), demo()]


def measure() -> list[Row]:
    """Measure in a process that has a site of its own: one ladder with these bots, and a worker for each core."""
    cores = sorted(os.sched_getaffinity(0))
    bots = [active(name) for name in BOTS for _ in range(ENTRIES)]
    ladder = a_ladder(players=len(BOTS), sets_wanted=10**6)
    queues.broker().flushdb()
    Entry.objects.bulk_create(Entry(ladder=ladder, bot=version.bot) for version in bots)
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder, at_play(Path(folder), len(cores)) as crew:
        until(lambda: Result.objects.filter(match__set__ladder=ladder).count() >= FEW)
        began = time.perf_counter()
        spent = watch(crew, MANY)
        rate = 60 * spent.matches / (time.perf_counter() - began)
    return [ladder_row(rate, spent, home_on_all(cores)), cost_row(spent)]


def active(name: str) -> Version:
    """A sample bot of an owner of its own, as an upload that passed its check."""
    return a_version(data=sample_files(GAME.name)[name].read_bytes() + f"# {next(numbers)}\n".encode())


def ladder_row(rate: float, spent: Spent, peer: float) -> Row:
    how = f"one ladder, a worker for each of {os.cpu_count()} cores, {spent.matches} matches; then as many at home"
    return Row("matches of quick bots, queued to recorded", rate, "/min", "at home", peer, rate / peer, ">= 2", how)


def cost_row(spent: Spent) -> Row:
    how = f"processor time beside bots and workers, replays played again: {spent} of the broker"
    return Row("cost of a match of quick bots", spent.total, "ms", "the aim", AIM, spent.total / AIM, "<= 1", how)


def one_worker() -> Row:
    """Measure on one core, set by set in turns."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder, on_core(first_core()):
        home, at_home, sandboxed = player_at_home(Path(folder) / "home"), 0.0, 0.0
        with worker(Path(folder) / "cache") as kit:
            for number in range(SETS):
                at_home += seconds(partial(home, number))
                sandboxed += seconds(partial(play_set, number, kit))
    ours, peer = (60 * SETS * len(BOTS) / spent for spent in (sandboxed, at_home))
    how = f"{SETS} sets of {', '.join(BOTS)} on one core, in turns with the same sets by one process"
    return Row("matches by one worker, sandboxed", ours, "/min", "at home", peer, ours / peer, ">= 0.85", how)


def demo() -> Row:
    """`manage.py up` with a worker for each core: all ladders of the demo, some of whose bots search for seconds."""
    cores = sorted(os.sched_getaffinity(0))
    (first, until_first), (last, until_last) = (recorded(matches, len(cores)) for matches in (FEW, MANY))
    ours, peer = 60 * (last - first) / (until_last - until_first), home_on_all(cores)
    how = f"manage.py up on {len(cores)} cores, from match {first} to {last}; at home the quick bots play alone"
    return Row("matches of the demo, queued to recorded", ours, "/min", "at home", peer, ours / peer, "", how)


def player_at_home(store: Path) -> Callable[[int], None]:
    bots = [find_contestant(GAME.name, name, store) for name in BOTS]
    options = GAME.read_options({"players": len(bots)})

    def play_one_set(number: int) -> None:
        for turn in range(len(bots)):
            played = play_match(GAME, options, f"bench {number}/0", [*bots[turn:], *bots[:turn]])
            if played.faults:
                raise RuntimeError(f"a sample bot failed at home: {played.faults}")

    return play_one_set


@contextmanager
def worker(cache: Path) -> Iterator[Kit]:
    """Return what a worker plays with, its bundles already fetched."""
    shelf = Shelf(cache, "", "")
    for made in (cache / "uploads", shelf.unpacked):
        made.mkdir(parents=True)
    for competitor, data in competitors():
        (cache / "uploads" / competitor.bundle).write_bytes(data)
    with Arena.start(shelf.unpacked) as arena:
        yield Kit("bench", shelf, arena)


def competitors() -> Iterator[tuple[Competitor, bytes]]:
    for name in BOTS:
        data = sample_files(GAME.name)[name].read_bytes()
        yield Competitor(name, 1, read_bundle(data).sha256, f"{name}.py"), data


def play_set(number: int, kit: Kit) -> None:
    order = order_of(number)
    for turn in order.matches:
        report = report_match(order, turn, kit)
        if report.outcome != "played" or report.faults:
            raise RuntimeError(f"a sample bot failed in the sandbox: {report.reason or report.faults}")


def order_of(number: int) -> Order:
    seats = range(len(BOTS))
    return Order(
        game=GAME.name,
        rules=GAME.version,
        options={"players": len(BOTS)},
        seed=f"bench {number}/0",
        competitors=[competitor for competitor, _ in competitors()],
        matches=[MatchOrder(turn, 1, [(seat + turn) % len(BOTS) for seat in seats]) for turn in seats],
        clock=Clock(),
        limits=Limits(),
        strikes=3,
    )


def recorded(matches: int, workers: int) -> tuple[int, float]:
    """How many matches `manage.py up` recorded by the time it was satisfied, and in how many seconds."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as data:
        command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", "0", "--data", data]
        options = ["--matches", str(matches), "--workers", str(workers)]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=True, env=without_addresses())
    done_line = next(match for line in done.stdout.splitlines() if (match := DONE.match(line)))
    return int(done_line[1]), float(done_line[2])


def home_on_all(cores: list[int]) -> float:
    """Matches a minute, with one `boardroom play` on each core."""
    play = [sys.executable, "-m", "bots.command", "play", "--cores", "1"]
    command = [*play, GAME.name, *BOTS, "--games", str(AT_HOME), "--json"]
    began = time.perf_counter()
    started = []
    for core in cores:
        with on_core(core):  # which it inherits
            started.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL))
    codes = [process.wait() for process in started]
    if any(codes):
        raise RuntimeError(f"boardroom play ended with {codes}")
    return 60 * AT_HOME * len(cores) / (time.perf_counter() - began)


def first_core() -> int:
    return min(os.sched_getaffinity(0))


@contextmanager
def on_core(core: int) -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def seconds(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
