"""What the table of processes adds to a question and its answer, beside the bare pipes to the same kind of process; and
what it costs a match that bots are stopped while they are not asked."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from bots.process import Local, Process, share_one_core
from bots.protocol import Asked, Clock, encode
from bots.table import ProcessTable
from engine import referee
from engine.games.zaibatsu import ZAIBATSU, Options, ToBid
from engine.referee import Prompt
from tests.bench import Row
from workers.sandbox.arena import Arena
from workers.sandbox.box import Box
from workers.sandbox.limits import Limits

ROUNDS, EXCHANGES, MATCHES = 9, 1_000, 25
OPTIONS = Options(players=3)
ENDLESS = Clock(answer_ms=10_000, bank_ms=600_000, start_ms=10_000)
PLAIN = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"t": "ready"} if asked["t"] == "hello" else {"action": {"t": "bid", "amount": asked["ask"]["low"]}}
    print(json.dumps(answer), flush=True)
"""
SDK = "from bots.sdk import play\nplay(lambda view, question: question.default())\n"


def run() -> list[Row]:
    cores = os.sched_getaffinity(0)
    share_one_core(0)
    try:
        rows = [measure("plain JSON bot", PLAIN, "<= 1.6"), measure("bot with the SDK", SDK, "<= 1.6")]
        return [*rows, stopping()]
    finally:
        os.sched_setaffinity(0, cores)


def measure(kind: str, source: str, aim: str) -> Row:
    """Measure both sides in turns with a process each, so that noise meets them alike."""
    prompt = middle_of_a_match()
    question = encode(Asked(1, prompt.question, prompt.view, prompt.events, 30_000))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bot.py").write_text(source)
        bare, ours = Local(Path(folder), "bot.py"), Local(Path(folder), "bot.py")
        with ProcessTable([ours], ZAIBATSU, OPTIONS, ENDLESS) as table:
            table.start()
            greet(bare)
            pairs = [
                (timed(lambda: table.ask({0: prompt})), timed(lambda: exchange(bare, question))) for _ in range(ROUNDS)
            ]
        bare.kill()
        bare.wait()
    ratio = statistics.median(mine / floor for mine, floor in pairs)
    mine, floor = (statistics.median(side) for side in zip(*pairs, strict=True))
    how = f"one question of {len(question)} bytes and its answer, one core, median of {ROUNDS} x {EXCHANGES}, in turns"
    return Row(
        f"runner per answer, {kind}", mine * 1e6, "us", "write and read on bare pipes", floor * 1e6, ratio, aim, how
    )


class Free(Box):
    """A bot that is not stopped."""

    def pause(self) -> None:
        """Nothing."""


def stopping() -> Row:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "bot").mkdir()
        (Path(folder) / "bot" / "bot.py").write_text(SDK)
        with Arena.start(Path(folder), minimum="pure") as arena:
            pairs = [(cpu_of_a_match(arena, Box), cpu_of_a_match(arena, Free)) for _ in range(MATCHES)]
    ours, peer = (statistics.median(side) for side in zip(*pairs, strict=True))
    how = f"CPU of the table and its bots in a match of bots with the SDK, one core, medians of {MATCHES}, in turns"
    name = "match with bots that are stopped while not asked"
    return Row(name, ours * 1e3, "ms", "with bots that are not", peer * 1e3, ours / peer, "<= 1.05", how)


def cpu_of_a_match(arena: Arena, kind: type[Box]) -> float:
    """Seconds: ours, the bots' and that of their start."""
    before = time.process_time()
    boxes = [arena.spawn("bot", "bot.py", Limits()) for _ in range(OPTIONS.players)]
    for box in boxes:
        box.__class__ = kind
    with ProcessTable(cast("list[Process]", boxes), ZAIBATSU, OPTIONS, ENDLESS) as table:
        played = referee.run_match(ZAIBATSU, OPTIONS, "bench", table, strikes=3, absent=table.start())
        table.end(played.result.places, played.result.scores)
    return time.process_time() - before + sum(map(table.cpu_s, range(OPTIONS.players)))


def middle_of_a_match() -> Prompt:
    """A bid in the second round, with what was heard since the seat's last question."""
    match = ZAIBATSU.start(OPTIONS, "bench")
    heard = match.hear()
    while match.at.round < 2 or not isinstance(next(iter(match.questions.values())), ToBid):
        match.apply({seat: question.default() for seat, question in match.questions.items()})
        heard = match.hear()
    (seat,) = match.questions
    return Prompt(match.questions[seat], ZAIBATSU.see(match.at, seat), heard)


def greet(process: Local) -> None:
    hello = b'{"t":"hello","protocol":1,"game":"zaibatsu","rules":1,"seat":0,"seats":1,"options":{},'
    exchange(process, hello + b'"clock":{"answer_ms":1,"bank_ms":1,"start_ms":1}}\n')


def exchange(process: Local, line: bytes) -> bytes:
    """The floor: no clock, no time-out, no reading of what it says."""
    os.write(process.stdin, line)
    return os.read(process.stdout, 65536)


def timed(what: Callable[[], object]) -> float:
    """Seconds for one, over many."""
    began = time.perf_counter()
    for _ in range(EXCHANGES):
        what()
    return (time.perf_counter() - began) / EXCHANGES
