"""The attacks that can be tried in WebAssembly, each in the middle of an ordinary match that is played in that tier."""

import os
from collections.abc import Iterator

import pytest

from bots.protocol import Clock
from engine import replay
from tests.wasm.installed import NEEDS_THE_PACK
from tests.workers.hall import HONEST, TOKEN, Site, a_site, an_order, children, until
from workers import bot_runner
from workers.bundles import Shelf, own_folder
from workers.match import Kit, report_match
from workers.sandbox.limits import Limits

pytestmark = NEEDS_THE_PACK
CLOCK = Clock(answer_ms=100, bank_ms=10_000, start_ms=3_000)
LIMITS = Limits(memory_mb=128)
THIRD = 8  # the index of seat 1's third answer

# What it does when it is asked for the third time, what that is called, and what its owner is told.
ATTACKS = {
    "fork bomb": ("while True: os.fork()", "crashed", "AttributeError"),
    "thread bomb": ("while True: threading.Thread(target=print).start()", "crashed", "can't start new thread"),
    "memory bomb": ("hoard = []\n        while True: hoard.append(bytearray(1 << 20))", "out of memory", "MemoryError"),
    "pipe bomb": ("while True: os.pipe()", "crashed", "AttributeError"),
    "disk fill": ("open('fill', 'wb').write(bytes(1 << 30))", "crashed", "PermissionError"),
    "endless loop": ("while True: pass", "timed out", "0.1 s"),
    "endless loop, deaf": (
        "while True:\n            try: raise KeyboardInterrupt\n            except BaseException: pass",
        "timed out",
        "0.1 s",
    ),
    "sleep": ("time.sleep(999)", "timed out", "0.1 s"),
    "endless line": ("while True: os.write(out, b'x' * 65536)", "output limit", ""),
    "endless lines": ("while True: os.write(out, b'{}\\n' * 1000)", "output limit", ""),
    "endless stderr": ("while True: os.write(2, b'x' * 65536)", "output limit", ""),
    "binary garbage": ("os.write(out, bytes(range(256)) + b'\\n'); return None", "bad protocol", ""),
    "half a line": ("os.write(out, b'{\"action\":'); sys.stdin.readline()", "bad protocol", "without an end of line"),
    "silence": ("sys.stdin.readline()", "bad protocol", "wrote nothing"),
    "exit": ("sys.exit(0)", "crashed", "exit code 0"),
    "abort": ("os.abort()", "crashed", ""),
    "forged result": ('os.write(out, b\'{"t":"end","places":[3,1,2]}\\n\'); return None', "bad protocol", ""),
    "passwords": ("open('/etc/shadow')", "crashed", "FileNotFoundError"),
    "environment of another process": ("open('/proc/1/environ')", "crashed", "FileNotFoundError"),
    "environment": ("os.environ['WORKER_TOKEN']", "crashed", "KeyError"),
    "other bots": ("os.listdir('..')", "crashed", "FileNotFoundError"),
    "its own code": ("open(__file__, 'w')", "crashed", "PermissionError"),
    "sockets": ("import socket", "crashed", "ModuleNotFoundError"),
    "native code": ("import ctypes", "crashed", "ModuleNotFoundError"),
    "another program": ("os.execv('/bin/sh', ['sh'])", "crashed", "AttributeError"),
    "a signal": ("os.kill(1, 9)", "crashed", "AttributeError"),
    "a call that is not there": ("import posix; posix.open('/', 0)", "crashed", ""),
}


def late(line: str) -> str:
    return (
        "import os, sys, threading, time\nfrom bots.sdk import play\n"
        "out, asked = os.dup(1), 0\ndef choose(view, question):\n    global asked\n    asked += 1\n"
        f"    if asked > 2:\n        {line}\n    return question.default()\nplay(choose)\n"
    )


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with a_site() as site:
        yield site


@pytest.fixture(scope="module")
def kit(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    folder = own_folder(str(tmp_path_factory.mktemp("worker") / "cache"))
    (folder / "unpacked").mkdir()
    return Kit("tester/1", Shelf(folder, site.url, TOKEN), bot_runner.find_runner(folder / "unpacked", tier="wasm"))


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_match_goes_on(site: Site, kit: Kit, attack: str) -> None:
    line, verdict, reason = ATTACKS[attack]
    before = children(os.getpid())
    bots = [site.put(source) for source in (HONEST, late(line), HONEST + "# another\n")]
    order = an_order(bots, clock=CLOCK, limits=LIMITS)
    report = report_match(order, order.matches[0], kit)
    assert (report.outcome, report.reason, report.tier) == ("played", "", "wasm")
    recorded = replay.read_replay(report.replay)
    replay.verify(recorded)
    assert recorded.result.verdicts == ["ok", verdict, "ok"]
    assert recorded.result.places[1] == 3
    assert report.faults[0].answer == THIRD
    assert reason in report.faults[0].detail
    until("the runners to be gone", lambda: children(os.getpid()) <= before)
    files = [path.name for bot in bots for path in kit.arena.store.glob(f"{bot.bundle}*/*")]
    assert files == ["bot.py"] * 3
