"""The proof of the tier where WebAssembly alone keeps bots in: a bot of ours attacks it from the inside."""

import json
from pathlib import Path

from bots.process import Local
from engine.referee import PlatformFault
from workers.sandbox.errors import SandboxError
from workers.sandbox.wasm.pack import CHECKOUT, FUEL_PER_MS, RUNNER, Pack
from workers.sandbox.wasm.turns import Hold, Program, Turn

MEMORY_MB, HOARD_MB, OUTPUT_KB = 64, 256, 64
START, TURN = 5_000 * FUEL_PER_MS, 50 * FUEL_PER_MS
FILES = ("/etc/passwd", "/proc/self/environ", str(CHECKOUT / "manage.py"), str(Path.home()), "/", "..", "runner.py")
OPENING = ("open({!r})", "open({!r}, 'w')", "os.listdir({!r})")
MORE = (
    "__import__('socket').create_connection(('127.0.0.1', 1))",
    "__import__('ctypes').CDLL(None)",
    "__import__('subprocess').run(['true'])",
    "threading.Thread(target=print).start()",
    "os.fork()",
    "os.system('true')",
    "os.kill(1, 0)",
    "os.environ.popitem()",
    f"bytearray({HOARD_MB} << 20)",
)
TRIES = tuple(how.format(path) for path in FILES for how in OPENING) + MORE
PROBE = f"""\
import json, os, sys, threading
def works(what):
    try: eval(what)
    except Exception: return False
    return True
sys.stdin.readline()
print(json.dumps([what for what in {TRIES!r} if works(what)]), flush=True)
sys.stdin.readline()
while True: pass
"""


def prove_runner(pack: Pack) -> None:
    """Raises SandboxError (`self_test_failed`) if the probe gets out anywhere, or can compute for ever."""
    try:
        tried, looped = _turns(pack)
        got = json.loads(tried.out)
    except (PlatformFault, OSError, ValueError) as error:
        raise SandboxError("self_test_failed", f"The self-test in WebAssembly did not end well: {error}.") from None
    if got or (tried.end, looped.end) != ("", "fuel"):
        did = f"could do {', '.join(got)}" if got else f"ended by '{tried.end or looped.end}' where fuel should end it"
        raise SandboxError("self_test_failed", f"The self-test in WebAssembly failed: its bot {did}.")


def _turns(pack: Pack) -> tuple[Turn, Turn]:
    seat = Hold(Local(pack.folder, RUNNER, environment={}))
    try:
        seat.start(Program({"bot.py": PROBE.encode()}, "bot.py"), MEMORY_MB, OUTPUT_KB, b"try\n", START)
        tried = seat.finish(START)
        if not tried.end:
            seat.go_on(b"loop\n", TURN)
        return tried, tried if tried.end else seat.finish(TURN)
    finally:
        seat.leave()
