"""Each attack in the middle of a match: the verdict names it, the others play on to a result, and nothing is left."""

import platform
from contextlib import ExitStack

import pytest

from bots.protocol import Clock
from bots.table import ProcessTable
from engine import referee
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.referee import Played
from tests.hostile.boxes import bundle
from tests.hostile.test_forbidden import FORBIDDEN, PRELUDE, servers, targets
from workers.sandbox.arena import Arena
from workers.sandbox.limits import Limits

HONEST = "from bots.sdk import play\nplay(lambda view, question: question.default())\n"
LIMITS = Limits(memory_mb=200, threads=8, temp_mb=2)
CLOCK = Clock(answer_ms=150, bank_ms=10_000, start_ms=2_000)
GUARD_S = 1.0  # what a sleeper gets here, instead of many seconds

# What it does when it is asked for the third time, and what that is called.
ATTACKS = {
    "fork bomb": ("while True: os.fork()", {"crashed"}),
    "thread bomb": ("while True: threading.Thread(target=time.sleep, args=(99,), daemon=True).start()", {"crashed"}),
    "memory bomb": ("[0] * (1 << 30)", {"out of memory"}),
    "shared memory bomb": (
        "hoard = []\n        while hoard.append(mmap.mmap(-1, 1 << 20)) or not hoard[-1].write_byte(1): pass",
        {"out of memory"},
    ),
    "pipe bomb": ("while True: os.pipe()", {"crashed"}),
    "daemon": ("if os.fork() == 0: os.setsid(); time.sleep(999)", {"crashed"}),
    "disk fill": ("for n in count(): open(f'{temporary}/{n}', 'wb').write(bytes(1 << 18))", {"crashed"}),
    "inode fill": ("for n in count(): open(f'{temporary}/{n}', 'wb').close()", {"crashed"}),
    "endless loop, deaf": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n        while True: pass",
        {"timed out"},
    ),
    "endless lines": ("while True: os.write(out, b'{}\\n' * 1000)", {"bad protocol", "output limit"}),
    "endless line": ("while True: os.write(out, b'x' * 65536)", {"output limit"}),
    "line of 64 MB": ("os.write(out, b' ' * (64 << 20)); os.write(out, b'\\n')", {"output limit"}),
    "endless stderr": ("while True: os.write(2, b'x' * 65536)", {"output limit"}),
    "binary garbage": ("os.write(out, bytes(range(256)) + b'\\n'); return question.default()", {"bad protocol"}),
    "half a line": ("os.write(out, b'{\"action\":'); time.sleep(999)", {"timed out"}),
    "drip feed": ("while not time.sleep(0.05): os.write(out, b' ')", {"timed out"}),
    "sleep": ("time.sleep(999)", {"timed out"}),
    "closed input": ("os.close(0); return question.default()", {"crashed"}),
    "closed output": ("os.closerange(0, 99); time.sleep(999)", {"crashed"}),
    "stopping itself": ("os.kill(os.getpid(), signal.SIGSTOP)", {"ok", "crashed", "timed out"}),
    "killing itself": ("os.abort()", {"crashed"}),
    "null pointer": ("ctypes.string_at(0)", {"crashed"}),
    "forged result": ("""os.write(out, b'{"t":"end","places":[1,2,3],"scores":[99,0,0]}\\n')""", {"bad protocol"}),
    "x32 call": ("ctypes.CDLL(None).syscall(0x40000027)", {"security"}),
    "loopback TCP": ("socket.create_connection(('127.0.0.1', 5432), 1)", {"crashed"}),
    "real Redis": ("socket.socket(servers['REDIS_URL'][0]).connect(servers['REDIS_URL'][1])", {"crashed"}),
    "real PostgreSQL": ("socket.socket(servers['DATABASE_URL'][0]).connect(servers['DATABASE_URL'][1])", {"crashed"}),
    "UDP": ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", {"crashed"}),
    "passwords": ("open('/etc/shadow')", {"crashed"}),
    "users": ("open('/etc/passwd')", {"crashed"}),
    "environment of the first process": ("open('/proc/1/environ')", {"crashed"}),
    "folders of the host": ("os.listdir('/home')", {"crashed"}),
    "other bots": ("os.listdir('..')", {"crashed"}),
    "its own code": ("open(__file__, 'w')", {"crashed"}),
    "the library": ("open('/usr/lib/new.py', 'w')", {"crashed"}),
    "more than its limits": ("resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))", {"crashed"}),
}


if platform.machine() == "x86_64":
    BY_HAND = "page = mmap.mmap(-1, 4096, prot=7); page.write(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')"
    JUMP = "ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()"
    ATTACKS["int 0x80"] = (f"{BY_HAND}; {JUMP}", {"security"})


SLIPS = ("NameError", "SyntaxError", "AttributeError", "TypeError", "ImportError", "IndentationError")


def late(line: str, before: str = "") -> str:
    return (
        f"{before}\nimport ctypes, mmap, os, resource, signal, socket, threading, time\nfrom itertools import count\n"
        f"from bots.sdk import play\nservers = {servers()!r}\ntemporary = os.environ.get('TMPDIR', '.')\n"
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
        played = referee.run_match(ZAIBATSU, options, "5e" * 32, table, strikes=3, absent=table.start())
        table.end(played.result.places, played.result.scores)
    return played


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_match_goes_on(arena: Arena, monkeypatch: pytest.MonkeyPatch, attack: str) -> None:
    monkeypatch.setattr("bots.table.guard_s", lambda _: GUARD_S)
    line, verdicts = ATTACKS[attack]
    played = play(arena, [HONEST, late(line), HONEST])
    result = played.result
    assert result.verdicts[1] in verdicts
    assert (result.verdicts[0], result.verdicts[2]) == ("ok", "ok")
    assert result.verdicts[1] == "ok" or result.places[1] == 3
    for fault in played.faults:
        assert fault.answer > 0, "it was to play well until it attacked"
        assert not any(slip in fault.detail for slip in SLIPS), "a mistake of the test's is no attack"


@pytest.mark.usefixtures("nothing_left")
def test_a_bot_that_never_reads_is_timed_out_and_the_match_goes_on(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.table.guard_s", lambda _: GUARD_S)
    assert play(arena, [HONEST, "import time\ntime.sleep(999)", HONEST]).result.verdicts == ["ok", "timed out", "ok"]


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("kind", FORBIDDEN)
def test_all_that_is_forbidden_is_refused_in_a_match_too_and_named(arena: Arena, victim: int, kind: str) -> None:
    count = "raise RuntimeError(f'{sum(outcome(attempt) == \"refused\" for attempt in attempts)} refused')"
    with targets(arena, victim, FORBIDDEN[kind]) as places:
        played = play(arena, [HONEST, late(count, PRELUDE % repr(places)), HONEST])
    assert played.result.verdicts == ["ok", "crashed", "ok"]
    assert f"RuntimeError: {len(FORBIDDEN[kind])} refused" in played.faults[0].detail
