"""Each attack in the middle of a match: the verdict names it, the others play on to a result, and nothing is left."""

from contextlib import ExitStack

import pytest

from bots.protocol import Clock
from bots.table import ProcessTable
from engine import referee
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.referee import Played
from tests.hostile.boxes import bundle, of_store, wait_until
from tests.hostile.test_groups import groups
from workers.sandbox import Arena, Limits

HONEST = "from bots.sdk import play\nplay(lambda view, question: question.default())\n"
LIMITS = Limits(memory_mb=200, threads=8, temp_mb=2)
CLOCK = Clock(answer_ms=150, bank_ms=10_000, start_ms=2_000)
GUARD_S = 1.0  # what a sleeper gets here, instead of many seconds

# What it does when it is asked for the third time, and what that is called.
ATTACKS = {
    "fork bomb": ("while True: os.fork()", {"crashed"}),
    "thread bomb": ("while True: threading.Thread(target=time.sleep, args=(99,), daemon=True).start()", {"crashed"}),
    "memory bomb": ("[0] * (1 << 30)", {"out of memory"}),
    "shared memory bomb": ("mmap.mmap(-1, 1 << 34)", {"out of memory"}),
    "pipe bomb": ("while True: os.pipe()", {"crashed"}),
    "endless loop, deaf": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n        while True: pass",
        {"timed out"},
    ),
    "endless lines": ("while True: os.write(out, b'{}\\n' * 1000)", {"bad protocol", "output limit"}),
    "endless line": ("while True: os.write(out, b'x' * 65536)", {"output limit"}),
    "line of 64 MB": ("os.write(out, b' ' * (64 << 20)); os.write(out, b'\\n')", {"output limit"}),
    "endless stderr": ("while True: os.write(2, b'x' * 65536)", {"output limit"}),
    "binary garbage": ("os.write(out, bytes(range(256)) + b'\\n'); return None", {"bad protocol"}),
    "half a line": ("os.write(out, b'{\"action\":'); time.sleep(999)", {"timed out"}),
    "drip feed": ("while not time.sleep(0.05): os.write(out, b' ')", {"timed out"}),
    "sleep": ("time.sleep(999)", {"timed out"}),
    "closed output": ("os.closerange(0, 99); time.sleep(999)", {"crashed"}),
    "stopping itself": ("os.kill(os.getpid(), signal.SIGSTOP)", {"ok", "crashed", "timed out"}),
    "killing itself": ("os.abort()", {"crashed"}),
    "null pointer": ("ctypes.string_at(0)", {"crashed"}),
    "forged result": ("""os.write(out, b'{"t":"end","places":[1,2,3],"scores":[99,0,0]}\\n')""", {"bad protocol"}),
    "x32 call": ("ctypes.CDLL(None).syscall(0x40000027)", {"security"}),
    "network": ("socket.create_connection(('127.0.0.1', 6379), 1)", {"crashed"}),
    "other bots": ("open('/proc/1/environ'); os.listdir('..')", {"crashed"}),
    "its own code": ("open(__file__, 'w')", {"crashed"}),
}


def late(line: str) -> str:
    return (
        "import ctypes, mmap, os, signal, socket, threading, time\nfrom bots.sdk import play\n"
        "out, asked = os.dup(1), 0\ndef choose(view, question):\n    global asked\n    asked += 1\n"
        f"    if asked > 2:\n        {line}\n    return question.default()\nplay(choose)\n"
    )


def play(arena: Arena, sources: list[str]) -> Played:
    """A match of Zaibatsu between these, each in a box of its own."""
    names = [bundle(arena, source) for source in sources]
    options = Options(players=len(sources))
    with ExitStack() as started:
        boxes = [started.enter_context(arena.spawn(name, "bot.py", LIMITS)) for name in names]
        table = ProcessTable(boxes, ZAIBATSU, options, CLOCK)  # type: ignore[arg-type]  # their ends have the same fields
        started.pop_all()
    with table:
        played = referee.play(ZAIBATSU, options, "5e" * 32, table, strikes=3, absent=table.start())
        table.end(played.result.places, played.result.scores)
    return played


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_match_goes_on(arena: Arena, monkeypatch: pytest.MonkeyPatch, attack: str) -> None:
    monkeypatch.setattr("bots.table.guard_s", lambda _: GUARD_S)
    line, verdicts = ATTACKS[attack]
    before = set(of_store(arena.store)), groups(arena)
    result = play(arena, [HONEST, late(line), HONEST]).result
    assert result.verdicts[1] in verdicts
    assert (result.verdicts[0], result.verdicts[2]) == ("ok", "ok")
    assert result.verdicts[1] == "ok" or result.places[1] == 3
    wait_until(lambda: set(of_store(arena.store)) <= before[0])
    assert groups(arena) == before[1]
    assert [path for path in arena.store.glob("*/*") if path.suffix != ".py" or not path.is_file()] == []
