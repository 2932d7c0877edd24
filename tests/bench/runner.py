"""What the table of processes adds to a question and its answer, beside the bare pipes to the same kind of process."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bots.process import Local, share_one_core
from bots.protocol import Asked, Clock, encode
from bots.table import ProcessTable
from engine.games.zaibatsu import ZAIBATSU, Options, ToBid
from engine.referee import Prompt
from tests.bench import Row

ROUNDS, EXCHANGES = 9, 1_000
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
        return [measure("plain JSON bot", PLAIN, "<= 1.6"), measure("bot with the SDK", SDK, "<= 1.6")]
    finally:
        os.sched_setaffinity(0, cores)


def measure(kind: str, source: str, aim: str) -> Row:
    """Both sides in turns with a process each, so that noise meets them alike."""
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
