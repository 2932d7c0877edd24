"""How fast two bots of one mind can speak to each other past the table: `python3 -m tests.hostile.channels`

Each channel is tried in each tier that works here: both bots are asked at once, and then in turns, when one is stopped
while the other speaks or listens. One says random bits, the other writes down what it sees. A threshold learned from
the first half of this is judged by the second, and what that is worth is printed, in bits a second and bits a turn.
It is one bit at a time: by a number, or by more than one line of the caches, a turn carries more. "Closed" is what the
box refuses, "chance" what carries no more than guessing would. `--priority` lets the two run before all else on the
machine. The lines of caches are for x86-64.
"""

import json
import math
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.boxes import bundle, hear_all, ready, why_not
from workers.sandbox.arena import Arena, plans_down_to
from workers.sandbox.box import Box
from workers.sandbox.limits import Limits

SYMBOLS, TURNS, HURRY = 1_000, 400, -15
CHANCE = 20  # bits that so many symbols together seem to carry by luck alone
LIMITS = Limits(threads=1_024, cpu_s=60)
HARNESS = """
import ctypes, json, mmap, os, socket, sys, threading, time
from time import perf_counter as now
def spin(until):
    count = 0
    while now() < until: count += 1
    return count
def rest(until):
    if (left := until - now() - 0.0003) > 0: time.sleep(left)
    spin(until)
def call(number, *arguments):
    return libc.syscall(number, *map(ctypes.c_long, arguments))
libc = ctypes.CDLL(None, use_errno=True)
order = json.loads(sys.stdin.readline())
place, length, seen = {}, order["length"], []
exec(order["both"], place := dict(globals()))
exec(order["own"], place)
act = place["act"]
print("ready", flush=True)
began = float(sys.stdin.readline()) if length else 0
for number, bit in enumerate(order["bits"]):
    if not length: sys.stdin.readline()
    rest(began + number * length)
    seen.append(act(bit, began + (number + 1) * length))
    if not length: print(flush=True)
print(json.dumps(seen), flush=True)
"""


@dataclass(frozen=True)
class Channel:
    """`both` is run first by both; then each defines `act(bit, until)`, for one bit, of which the listener is told
    nothing. `length` is that of a bit in seconds, where both are asked."""

    name: str
    length: float
    say: str
    hear: str
    both: str = ""
    one_core: bool = True


def saying(lines: str) -> str:
    return f"def act(bit, until):\n    if bit:\n        {lines}"


def hearing(lines: str) -> str:
    return f"def act(bit, until):\n    rest(until - order['length'] / 3)\n    {lines}"


NUMBERS = """
last = 0
def act(bit, until):
    global last
    rest(until - order["length"] / 3)
    before, last = last, made()
    return last - before
"""


PAIR = """
def made():
    one, other = socket.socketpair()
    number = LOOK
    one.close(); other.close()
    return number
"""
PIPE = PAIR.replace("socket.socketpair()", "(open(end) for end in os.pipe())")
INODE = "os.fstat(one.fileno()).st_ino"
COOKIE = "int.from_bytes(one.getsockopt(1, 57, 8), 'little')"
THREAD = """
def made():
    thread = threading.Thread(target=int)
    thread.start(); thread.join()
    return thread.native_id
"""
ALIVE = """
room = ctypes.create_string_buffer(128)
def alive():
    number = made()
    return sum(call(204, number - at, 128, ctypes.addressof(room)) > 0 for at in range(1, 15))
"""
FLUSH = bytes.fromhex("0fae3f 0faef0 c3")  # a line from all caches (x86-64)
# And how long it takes to read it: mfence, lfence, rdtsc, lfence, mov, mov, lfence, rdtsc, sub, ret.
LOOK = bytes.fromhex("0faef0 0faee8 0f31 0faee8 89c6 8b0f 0faee8 0f31 29f0 c3")
CACHE = f"""
code = mmap.mmap(-1, 4096, prot=7)
code.write({FLUSH!r}.ljust(64, b"\\xc3") + {LOOK!r})
start = ctypes.addressof(ctypes.c_char.from_buffer(code))
flush, look = (ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_void_p)(start + at) for at in (0, 64))
libc.getauxval.restype = ctypes.c_ulong
"""
VDSO = CACHE + "line = libc.getauxval(33) + 64"
LIBC = CACHE + "line = ctypes.cast(libc.hcreate_r, ctypes.c_void_p).value & ~63"
DISK = "found = os.statvfs('/'); return found.f_bfree + found.f_ffree"

MAKING = saying("[made() for _ in range(3)]")
CHANNELS = (
    Channel("load of a core", 0.004, saying("spin(until)"), "def act(bit, until): return spin(until)"),
    Channel(
        "a line of the vDSO in the caches",
        5e-5,
        saying("flush(line)"),
        hearing("return look(line)"),
        VDSO,
        one_core=False,
    ),
    Channel(
        "a line of libc in the caches", 5e-5, saying("flush(line)"), hearing("return look(line)"), LIBC, one_core=False
    ),
    Channel("numbers of pipes", 0.002, MAKING, NUMBERS, PIPE.replace("LOOK", INODE)),
    Channel(
        "numbers of socket pairs",
        0.002,
        MAKING,
        NUMBERS,
        PAIR.replace("LOOK", INODE),
    ),
    Channel(
        "cookies of socket pairs",
        0.002,
        MAKING,
        NUMBERS,
        PAIR.replace("LOOK", COOKIE),
    ),
    Channel("numbers of threads", 0.003, saying("made(); made()"), NUMBERS, THREAD),
    Channel(
        "who there is, by affinity",
        0.004,
        saying("for _ in range(3): threading.Thread(target=time.sleep, args=(0.003,)).start()"),
        hearing("return alive()"),
        THREAD + ALIVE,
    ),
    Channel(
        "free blocks of a disk",
        0.002,
        saying("open(os.environ['TMPDIR'] + '/note', 'wb').write(bytes(1 << 16))"),
        hearing(DISK),
    ),
)


def main() -> None:
    os.environ.setdefault("RUN_FOLDER", tempfile.mkdtemp())
    if "--priority" in sys.argv:
        os.nice(HURRY)
    print(f"{'tier':12}{'channel':36}{'both asked':>20}{'in turns':>16}")
    for plan in {plan.tier: plan for plan in reversed(plans_down_to("pure")) if not why_not(plan)}.values():
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            with Arena(Path(folder), plan, 500) as arena:
                for channel in CHANNELS:
                    at_once, in_turns = measured(arena, channel, channel.length), measured(arena, channel, 0)
                    print(f"{plan.tier:12}{channel.name:36}{at_once:>20}{in_turns:>16}", flush=True)


def measured(arena: Arena, channel: Channel, length: float) -> str:
    """Return what the channel carries, with bits of this length or, at length 0, in turns; or why nothing."""
    bits = [random.getrandbits(1) for _ in range(SYMBOLS if length else TURNS)]
    name = bundle(arena, HARNESS)
    with ExitStack() as started:
        mouth, ear = (started.enter_context(arena.spawn(name, "bot.py", LIMITS)) for _ in range(2))
        for box, part, shown in ((mouth, channel.say, bits), (ear, channel.hear, [0] * len(bits))):
            order = {"both": channel.both, "own": part, "bits": shown, "length": length}
            os.write(box.stdin, json.dumps(order).encode() + b"\n")
        place(channel, mouth, ear)
        try:
            begin(mouth, ear, length) if length else take_turns(mouth, ear, len(bits))
            seen = [int(value) for value in json.loads(last_line(ear))]
        except (EOFError, ValueError):
            return "closed"
        worth = information(bits, seen)
        if worth < CHANCE / len(bits):
            return "chance"
        return f"{worth / length:,.0f} bit/s" if length else f"{worth:.2f} bit"


def place(channel: Channel, mouth: Box, ear: Box) -> None:
    """Place them on one core or on two, as the channel likes it: bots cannot choose, but they may be lucky."""
    cores = sorted(os.sched_getaffinity(0))
    for box, core in ((mouth, cores[0]), (ear, cores[0] if channel.one_core else cores[-1])):
        os.sched_setaffinity(box.pid, {core})


def begin(mouth: Box, ear: Box, length: float) -> None:
    for box in (mouth, ear):
        listen(box)
    moment = time.perf_counter() + 0.02
    for box in (mouth, ear):
        os.write(box.stdin, f"{moment}\n".encode())


def take_turns(mouth: Box, ear: Box, turns: int) -> None:
    for box in (mouth, ear):
        listen(box)
        box.pause()
    for _ in range(turns):
        for box in (mouth, ear):
            os.write(box.stdin, b"\n")
            box.resume()
            listen(box)
            box.pause()
    ear.resume()


def listen(box: Box) -> None:
    """Raises EOFError if it has nothing to say."""
    byte = b""
    while byte != b"\n":
        if not ready(box.stdout) or not (byte := os.read(box.stdout, 1)):
            raise EOFError


def last_line(box: Box) -> str:
    return hear_all(box.stdout).strip().rpartition("\n")[2]


def information(bits: Sequence[int], seen: Sequence[int]) -> float:
    """Bits that a symbol carries."""
    half = len(bits) // 2
    learned, judged = list(zip(seen, bits, strict=True))[:half], list(zip(seen, bits, strict=True))[half:]
    limits = sorted({value for value, _ in learned})
    limit = min(limits, key=lambda limit: min(errors(learned, limit), half - errors(learned, limit)))
    wrong = errors(judged, limit) / len(judged)
    if errors(learned, limit) > half / 2:
        wrong = 1 - wrong
    return 1 - entropy(wrong) if wrong < 0.5 else 0.0


def errors(pairs: Iterable[tuple[int, int]], limit: int) -> int:
    return sum((value >= limit) != bool(bit) for value, bit in pairs)


def entropy(chance: float) -> float:
    return -sum(part * math.log2(part) for part in (chance, 1 - chance) if part)


if __name__ == "__main__":
    main()
