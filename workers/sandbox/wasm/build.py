"""`python3 -m workers.sandbox.wasm.build`: makes the pack for this checkout, proves it, and prints its name.

Takes about half a minute, once for each version of the engine; `manage.py wasm` installs the packages before it.
"""

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from py_compile import PycInvalidationMode

import wasmtime
from wasmtime.component import Component

from bots.process import Local
from engine.games import OUTSIDE
from workers.sandbox.errors import SandboxError
from workers.sandbox.wasm.pack import FUEL_PER_MS, HERE, HOME, RUNNER, Pack, component_sources, expected_pack
from workers.sandbox.wasm.runner import new_engine
from workers.sandbox.wasm.turns import Hold, Program, Turn

# Makes a component of the module `guest`; -I, and no PATH to find another Python by: nothing of this machine goes in.
COMPONENTIZE = "import sys; from componentize_py import script; sys.exit(script())"
PROOF = """\
import random, sys, time
words = sorted({str(n) for n in range(500)}, key=hash)
sys.stdin.readline()
print(words[:9], random.random(), time.time(), id(words) > 0, flush=True)
sys.stdin.readline()
while True: words.reverse()
"""
ENOUGH = 100 * FUEL_PER_MS


def build_pack() -> Pack:
    pack = Pack(expected_pack(), HOME / expected_pack())
    if pack.folder.is_dir():
        return pack
    HOME.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=HOME, prefix=".new-") as work:
        folder = Path(work, "pack")
        component = componentize(Path(work))
        print("Compiling the component for this machine ...", file=sys.stderr, flush=True)
        fill(folder, Component(new_engine(), component).serialize())
        prove_determinism(folder)
        for old in HOME.glob("wasm-*"):  # of earlier versions; workers have what they play with in their own folders
            shutil.rmtree(old)
        folder.rename(pack.folder)
    return pack


def componentize(work: Path) -> bytes:
    """The component, from a folder that holds nothing but what is to be in it, all of the same age."""
    inside, made = work / "inside", work / "bot.wasm"
    for name, source in {"guest.py": HERE / "guest.py", **component_sources()}.items():
        (inside / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, inside / name)
    packages = ",".join(game.package for game in OUTSIDE)
    (inside / "games_from_outside.py").write_text(f"PACKAGES = {packages!r}\n")
    seed = wasmtime.wat2wasm((HERE / "seed.wat").read_text())
    (inside / "seed.cpython-314-wasm32-wasi.so").write_bytes(bytes(seed))  # by its name it is found and linked
    for path in inside.rglob("*"):
        os.utime(path, (0, 0))
    print("Building Python and the engine as a component ...", file=sys.stderr, flush=True)
    world = ("-q", "-d", HERE / "bot.wit", "-w", "bot")
    command = (sys.executable, "-I", "-c", COMPONENTIZE, *world, "componentize", "-p", inside, "guest", "-o", made)
    done = subprocess.run(command, env={"PATH": ""}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SandboxError("not_built", f"The component could not be built: {(done.stderr or done.stdout)[-2000:]}")
    return made.read_bytes()


def fill(folder: Path, compiled: bytes | bytearray) -> None:
    """Copy all that the runner needs, readable by the user of any box."""
    shutil.copytree(Path(wasmtime.__file__).parent, folder / "wasmtime", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(HERE / RUNNER, folder / RUNNER)
    (folder / "bot.cwasm").write_bytes(compiled)
    compileall.compile_dir(folder, quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o444)
    folder.chmod(0o755)


def prove_determinism(folder: Path) -> None:
    """Run a bot twice: it must live, say and spend the same, and end when its fuel does."""
    first, second = play_proof(folder), play_proof(folder)
    if first != second:
        raise SandboxError("not_deterministic", f"The same bot behaved differently: {first} and then {second}.")
    if [turn.end for turn in first] != ["", "fuel"] or not first[0].out.startswith(b"["):
        raise SandboxError("not_working", f"The proof's bot behaved wrongly: {first}.")


def play_proof(folder: Path) -> list[Turn]:
    seat = Hold(Local(folder, RUNNER))
    try:
        seat.start(Program({"bot.py": PROOF.encode()}, "bot.py"), 64, 64, b"one\n", ENOUGH)
        first = seat.finish(ENOUGH)
        seat.go_on(b"two\n", ENOUGH)
        return [first, seat.finish(ENOUGH)]
    finally:
        seat.leave()


def main() -> int:
    try:
        pack = build_pack()
    except SandboxError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"The deterministic division is ready: {pack.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
