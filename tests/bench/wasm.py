"""The deterministic division beside ordinary processes: what fuel for a clock costs. Needs `manage.py wasm`."""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from bots.process import Local, Process
from bots.protocol import Clock
from bots.table import ProcessTable
from engine.referee import Prompt
from tests.bench import Row
from tests.bench.runner import OPTIONS, middle_of_a_match
from tests.wasm.games import GAME, HONEST, program
from workers.sandbox.arena import Arena
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Limits
from workers.sandbox.wasm import pack
from workers.sandbox.wasm.division import fuel_terms, open_fuel_table
from workers.sandbox.wasm.table import FuelTable
from workers.sandbox.wasm.turns import Running

STARTS, ROUNDS, EXCHANGES = 15, 9, 200
CLOCK = Clock(answer_ms=60_000, bank_ms=600_000, start_ms=60_000)
LOOP = "def loop():\n    t = 0\n    for i in range(300_000): t += i * i % 7\n"
LOOPING = LOOP + HONEST.replace("question:", "question: loop() or")


def run() -> list[Row]:
    try:
        pack.find_pack()
    except SandboxError as error:
        print(f"NOT MEASURED: {error}", file=sys.stderr)
        return []
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with Arena.start(Path(folder)) as arena:
            return [start(arena, Path(folder)), *exchanges(arena, Path(folder)), loop(arena, Path(folder))]


def ours(arena: Arena, source: str) -> FuelTable:
    wasm_pack = pack.find_pack()
    return open_fuel_table(wasm_pack, [program(source)], GAME, OPTIONS, fuel_terms(wasm_pack, CLOCK, Limits()), arena)


def native(folder: Path, source: str) -> ProcessTable:
    (folder / "bot.py").write_text(source)
    return ProcessTable([Local(folder, "bot.py")], GAME, OPTIONS, CLOCK)


def start(arena: Arena, folder: Path) -> Row:
    """Measure both in turns, so that noise meets them alike."""

    def begin(table: FuelTable | ProcessTable) -> None:
        with table:
            assert not table.start()

    pairs = [
        (timed(lambda: begin(ours(arena, HONEST))), timed(lambda: begin(native(folder, HONEST)))) for _ in range(STARTS)
    ]
    return row("wasm start to ready", pairs, 1e3, "ms", "unconfined Python", f"a bot with the SDK, {STARTS} starts")


def exchanges(arena: Arena, folder: Path) -> list[Row]:
    prompt = middle_of_a_match()
    with ours(arena, HONEST) as inside, native(folder, HONEST) as outside:
        pairs = side_by_side(inside, outside, prompt, EXCHANGES)
        used = private_mb(inside.bots[0].hold.process), private_mb(outside.bots[0].process)
    how = "memory of its own (Private_Dirty in /proc/PID/smaps_rollup) after the answers above; the component is shared"
    memory = Row("wasm memory of a bot", used[0], "MB", "unconfined Python", used[1], used[0] / used[1], "", how)
    how = f"one question and its answer by the SDK, median of {ROUNDS} x {EXCHANGES}, in turns"
    return [row("wasm per answer", pairs, 1e6, "us", "unconfined Python", how), memory]


def private_mb(process: Running | Process | None) -> float:
    assert process
    lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty")) / 1024


def loop(arena: Arena, folder: Path) -> Row:
    with ours(arena, LOOPING) as inside, native(folder, LOOPING) as outside:
        pairs = side_by_side(inside, outside, middle_of_a_match(), 1)
    how = f"a loop of 300,000 sums in Python 3.14 as WebAssembly and in {sys.version.split()[0]}, median of {ROUNDS}"
    return row("wasm bare loop", pairs, 1e3, "ms", "unconfined Python", how)


def side_by_side(inside: FuelTable, outside: ProcessTable, prompt: Prompt, times: int) -> list[tuple[float, float]]:
    def repeat(table: FuelTable | ProcessTable) -> None:
        for _ in range(times):
            assert not table.ask({0: prompt})[0].detail

    inside.start()
    outside.start()
    return [(timed(lambda: repeat(inside)) / times, timed(lambda: repeat(outside)) / times) for _ in range(ROUNDS)]


def row(name: str, pairs: list[tuple[float, float]], scale: float, unit: str, peer_name: str, how: str) -> Row:
    mine, peer = (statistics.median(side) * scale for side in zip(*pairs, strict=True))
    return Row(name, mine, unit, peer_name, peer, mine / peer, "", how)


def timed(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return time.perf_counter() - began
