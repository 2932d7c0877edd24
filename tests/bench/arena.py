"""What the sandbox costs: starting bots, answering through it, the honesty of its clock, memory.

`manage.py bench arena` times some answers, `python3 -m tests.bench.arena 250` as many for each row as it is told.
"""

import os
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import cast

from bots.cpu_time import Meter
from bots.process import Local, Process, share_one_core
from tests.bench import Row
from workers.sandbox.arena import Arena
from workers.sandbox.limits import Limits

ROUNDS, EXCHANGES, ANSWERS, SEATS = 15, 1_000, 40, 8
NEIGHBOURS = (0, 2, 8, 16)
IMPORTS = "import argparse, collections, dataclasses, decimal, itertools, json, logging, random, re, statistics, typing"
ECHO = f"{IMPORTS}\nimport sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)\n"
# Works for as long as it is asked, by its own clock, and says for how long it did.
THINK = """
import sys, time
clock = lambda: time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)
for line in sys.stdin:
    began = clock()
    while clock() - began < float(line): pass
    print(clock() - began, flush=True)
"""
THINK_S, LIMIT_S = 0.05, 0.06
EIGHT_MS = 45  # the aim for eight bots


def run() -> list[Row]:
    with a_store() as store:
        with Arena.start(store, minimum="pure") as arena:
            rows = [*starts(arena), eight(arena), *clocks(arena, ANSWERS), *memory(arena)]
        return [*rows, round_trip(store)]


@contextmanager
def a_store() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder)
        store.chmod(0o755)
        for name, source in {"echo": ECHO, "think": THINK}.items():
            (store / name).mkdir()
            (store / name / "bot.py").write_text(source)
        yield store


def confined(arena: Arena, name: str = "echo") -> Process:
    return cast("Process", arena.spawn(name, "bot.py", Limits()))  # its end has the same fields


def free(store: Path) -> Process:
    return Local(store / "echo", "bot.py")


def cold(store: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(store / "echo" / "bot.py")]


def bubblewrap(store: Path) -> dict[str, list[str]]:
    """A cold start in it, where it is installed."""
    tool = shutil.which("bwrap")
    return {"bubblewrap": [tool, "--unshare-all", "--ro-bind", "/", "/", *cold(store)]} if tool else {}


def starts(arena: Arena) -> Iterator[Row]:
    peers = {"python3 -I -S, unconfined": cold(arena.store), **bubblewrap(arena.store)}
    how = f"to the first answer of a bot that imports the usual modules; {arena.tier}, median of {ROUNDS}, in turns"
    for peer, command in peers.items():
        ours, theirs = in_turns(lambda: answers_of(lambda: confined(arena)), partial(answers_to, command))
        yield Row("start of a bot", ours * 1e3, "ms", peer, theirs * 1e3, ours / theirs, "<= 1.0", how)


def eight(arena: Arena) -> Row:
    peers = {"unconfined": cold(arena.store), **bubblewrap(arena.store)}
    ours, *peer_times = in_turns(
        lambda: answers_of(lambda: confined(arena), SEATS),
        *(partial(answers_to, command, SEATS) for command in peers.values()),
    )
    peer_names = ", ".join(f"{name} {took * 1e3:.0f} ms" for name, took in zip(peers, peer_times, strict=True))
    how = f"until the last has answered, median of {ROUNDS}; in turns with it: {peer_names}"
    return Row(f"{SEATS} bots ready", ours * 1e3, "ms", "the aim", EIGHT_MS, ours * 1e3 / EIGHT_MS, "<= 1.0", how)


def round_trip(store: Path) -> Row:
    """Measure on one core, as a worker keeps its bots; the arena is started there, and its bots stay where it is."""
    cores = os.sched_getaffinity(0)
    share_one_core(0)
    try:
        with Arena.start(store, minimum="pure") as arena, held(confined(arena)) as jailed, held(free(store)) as plain:
            ours, peer = in_turns(lambda: exchanges(jailed), lambda: exchanges(plain))
    finally:
        os.sched_setaffinity(0, cores)
    how = f"a line and its echo, one core, median of {ROUNDS} x {EXCHANGES}, in turns"
    return Row("round trip, confined", ours * 1e6, "us", "unconfined", peer * 1e6, ours / peer, "<= 1.6", how)


def clocks(arena: Arena, answers: int) -> Iterator[Row]:
    """The clock from outside beside the bot's own, while others want the cores too; so many answers for each row."""
    false = 0
    for neighbours in NEIGHBOURS:
        with busy(neighbours), held(confined(arena, "think")) as bot:
            seen, reported = measure(bot, answers)
        false += sum(used > LIMIT_S for used in seen)
        name = f"CPU of an answer, {neighbours} busy neighbours"
        how = f"median of {answers} answers of 50 ms; the longest by our clock: {max(seen) * 1e3:.1f} ms"
        ours, own_clock = statistics.median(seen), statistics.median(reported)
        yield Row(name, ours * 1e3, "ms", "the bot's own clock", own_clock * 1e3, ours / own_clock, "<= 1.05", how)
    questions = answers * len(NEIGHBOURS)
    how = f"answers of 50 ms above a limit of {LIMIT_S * 1e3:g} ms, in all rows of neighbours; must be 0"
    yield Row("false time-outs", false, "", "answers", questions, false / questions, "<= 0", how)


def measure(bot: Process, answers: int) -> tuple[list[float], list[float]]:
    """CPU seconds of each answer by our clock, and by the bot's."""
    seen, reported = [], []
    exchange(bot, b"0\n")
    meter = Meter(bot)
    for _ in range(answers):
        meter.begin()
        reported.append(float(exchange(bot, f"{THINK_S}\n".encode())))
        seen.append(meter.used_s())
    return seen, reported


def memory(arena: Arena) -> Iterator[Row]:
    with ExitStack() as stack:
        bots = [stack.enter_context(held(confined(arena))) for _ in range(SEATS)]
        plain = stack.enter_context(held(free(arena.store)))
        for bot in (*bots, plain):
            exchange(bot, b"x\n")
        if os.geteuid() == 0:  # nobody else may look at a confined bot's pages
            ours = statistics.median(map(private_mb, bots))
            how = f"its private pages, median of {SEATS} alive together; an unconfined one: {private_mb(plain):.1f} MB"
            yield Row("memory of a bot", ours, "MB", "the aim", 4, ours / 4, "<= 1.0", how)


def private_mb(process: Process) -> float:
    rows = (line.split() for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines())
    return sum(int(row[1]) for row in rows if row[0] in ("Private_Clean:", "Private_Dirty:")) / 1024


def in_turns(*sides: Callable[[], float]) -> list[float]:
    """The median of each, measured in turns, so that noise meets them alike."""
    times = [[side() for side in sides] for _ in range(ROUNDS)]
    return [statistics.median(taken) for taken in zip(*times, strict=True)]


def answers_of(start: Callable[[], Process], number: int = 1) -> float:
    """Seconds until all of so many have started and answered."""
    with ExitStack() as stack:
        began = time.perf_counter()
        bots = [stack.enter_context(held(start())) for _ in range(number)]
        for bot in bots:
            os.write(bot.stdin, b"x\n")
        for bot in bots:
            hear(bot)
        return time.perf_counter() - began


def answers_to(command: list[str], number: int = 1) -> float:
    """The same of plain processes."""
    with ExitStack() as stack:
        began = time.perf_counter()
        started = [
            stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}))
            for _ in range(number)
        ]
        for process in started:
            assert process.stdin
            process.stdin.write(b"x\n")
            process.stdin.flush()
        for process in started:
            assert process.stdout
            process.stdout.readline()
        return time.perf_counter() - began


def exchanges(bot: Process) -> float:
    """Seconds for one, over many."""
    began = time.perf_counter()
    for _ in range(EXCHANGES):
        exchange(bot, b"x\n")
    return (time.perf_counter() - began) / EXCHANGES


def exchange(bot: Process, line: bytes) -> bytes:
    os.write(bot.stdin, line)
    return hear(bot)


def hear(bot: Process) -> bytes:
    select.select([bot.stdout], [], [])
    return os.read(bot.stdout, 65536)


@contextmanager
def held(bot: Process) -> Iterator[Process]:
    try:
        yield bot
    finally:
        bot.kill()
        bot.wait()


@contextmanager
def busy(number: int) -> Iterator[None]:
    neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()


if __name__ == "__main__":
    with a_store() as store, Arena.start(store, minimum="pure") as arena:
        for row in clocks(arena, int(sys.argv[1])):
            print(f"{row.name}: {row.ours:g} {row.unit}; {row.peer_name}: {row.peer:g}; {row.how}", flush=True)
