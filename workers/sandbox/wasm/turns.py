"""The worker's hold on one runner: a turn out, a turn back."""

import json
import os
import select
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bots.table import Stopped
from engine.referee import PlatformFault
from workers.sandbox.wasm.pack import FUEL_PER_MS

SLOWEST = 100_000_000  # fuel a second: a hundredth of what a common core burns
PATIENCE_S = 60.0  # how long a runner, which starts in a tenth of a second, may be starved by the machine
LOOK_S = 0.5  # how often it is looked whether anybody still waits
CHUNK = 256 << 10
ADDRESSABLE_MB = 4095  # by WebAssembly's 32 bits


class Ended(Protocol):
    @property
    def max_rss_kb(self) -> int: ...


class Running(Protocol):
    """A process that a runner lives in: a box, or at home an ordinary one."""

    pid: int
    stdin: int
    stdout: int
    stderr: int

    def kill(self) -> None: ...
    def wait(self) -> Ended: ...


@dataclass(frozen=True, slots=True)
class Program:
    """A bot: its files by path, and which of them is run."""

    files: dict[str, bytes]
    entry: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What a bot did in a turn. `end` is "" if it waits for the next line; see runner.py."""

    out: bytes
    err: bytes
    fuel: int
    end: str
    code: int
    why: str


class Hold:
    """One bot. Only fuel decides about it: what the machine does wrong, or does slowly, is a PlatformFault."""

    def __init__(self, process: Running) -> None:
        self.process: Running | None = process
        self.peak_kb = (
            0  # of the machine's memory, once it is gone; what a bot itself may have is the component's limit
        )
        self._received = b""
        for end in (process.stdin, process.stdout):
            os.set_blocking(end, True)  # a runner takes in a whole turn before it does anything

    def start(self, program: Program, memory_mb: int, output_kb: int, line: bytes, fuel: int) -> None:
        self._send(
            files={path: content.decode("latin-1") for path, content in program.files.items()},
            entry=program.entry,
            memory=min(memory_mb, ADDRESSABLE_MB) << 20,
            output=output_kb << 10,
            fuel_per_ms=FUEL_PER_MS,
            line=line.decode("latin-1"),
            fuel=fuel,
        )

    def go_on(self, line: bytes, fuel: int, *, last: bool = False) -> None:
        self._send(line=line.decode("latin-1"), fuel=fuel, last=last)

    def finish(self, fuel: int, stopped: Callable[[], bool] = bool) -> Turn:
        """Wait for the turn's end. It comes, since fuel is finite; how long to wait for that depends on the fuel."""
        deadline = time.monotonic() + PATIENCE_S + fuel / SLOWEST
        while b"\n" not in self._received:
            if stopped():
                raise Stopped
            if time.monotonic() > deadline:
                raise PlatformFault("a bot's fuel was not spent in a hundred times the time it takes")
            self._receive(LOOK_S)
        line, _, self._received = self._received.partition(b"\n")
        turn = json.loads(line)
        out, err = (turn.pop(name).encode("latin-1") for name in ("out", "err"))
        return Turn(out, err, **turn)

    def leave(self) -> None:
        if self.process:
            self.process.kill()
            process, self.process = self.process, None
            self.peak_kb = process.wait().max_rss_kb

    def _send(self, **order: object) -> None:
        assert self.process
        unsent = memoryview(json.dumps(order).encode() + b"\n")
        try:
            while unsent:
                unsent = unsent[os.write(self.process.stdin, unsent) :]
        except OSError:
            raise self._lost("it reads no more") from None

    def _receive(self, patience_s: float) -> None:
        """Take in what comes within so long."""
        assert self.process
        poll = select.poll()
        poll.register(self.process.stdout, select.POLLIN)
        if not poll.poll(patience_s * 1000):
            return
        data = os.read(self.process.stdout, CHUNK)
        if not data:
            raise self._lost("it ended")
        self._received += data

    def _lost(self, how: str) -> PlatformFault:
        assert self.process
        os.set_blocking(self.process.stderr, False)
        try:
            last = os.read(self.process.stderr, CHUNK).decode("utf-8", "replace").strip()[-500:]
        except OSError:
            last = ""
        return PlatformFault(f"the process that runs a bot in WebAssembly was lost: {how}. {last}".strip())
