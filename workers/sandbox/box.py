"""A box: the worker's hold on one confined bot."""

import json
import os
import select
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from bots.process import cpu_clock_of, delay_s, is_runnable, state_in
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Exit

DELAY_OF_THREADS = 4  # times their CPU time


class Box:
    """A running bot. `stdin`, `stdout` and `stderr` are our ends of its pipes; reads and writes never block.

    `pid` is its number here, outside, or 0 if it is in a container of its own; until `wait` its clocks can be read,
    even when it has ended. `wait` closes the pipes too, but for an end that somebody has taken over and set to -1 here.
    As a context manager a box is killed and waited for at the end.
    """

    def __init__(self, stdin: int, stdout: int, stderr: int, life: int, handle: int, *, far: bool = False) -> None:
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self.pid = host_pid(handle)
        self._clock = cpu_clock_of(self.pid)
        self._life, self._handle = socket.socket(fileno=life), handle
        self._paused = self._killed = False
        self._far = far  # far: the numbers and clocks of its processes are not ours to see
        self._clocks: list[int] = []  # of a far one: its /proc/PID/stat and /proc/PID/schedstat
        self._heard = b""
        self._facts: dict[str, Any] | None = None  # how it ended, once that is known
        for end in (stdin, stdout, stderr):
            os.set_blocking(end, False)

    def cpu_s(self) -> float:
        """CPU seconds of all its threads together. Raises OSError once it is waited for."""
        if not self._far:
            return time.clock_gettime(self._clock)
        stat, schedule = self._look()
        # The one counts all threads, in hundredths of a second rounded down; the other the first thread, exactly.
        ticks = sum(map(int, stat.rpartition(b")")[2].split()[11:13])) if stat else 0
        return max(ticks / os.sysconf("SC_CLK_TCK"), int(schedule.split()[0]) / 1e9 if schedule else 0.0)

    def delay_s(self) -> float:
        """Seconds its threads were ready to run while others had the core; 0 where the kernel does not say.

        Of a far one only the first thread's are known: the others are granted what a busy machine may keep from them.
        """
        if not self._far:
            return delay_s(self.pid)
        try:
            return max(int(self._look()[1].split()[1]) / 1e9, DELAY_OF_THREADS * self.cpu_s())
        except (OSError, IndexError):
            return 0.0

    def is_runnable(self) -> bool:
        """Whether it has a core, or waits for one or the disk; of a far one, its first thread."""
        if not self._far:
            return is_runnable(self.pid)
        try:
            return state_in(self._look()[0]) in b"RD"
        except (OSError, IndexError):
            return False

    def note_memory(self) -> None:
        """Nothing to note: what the zygote reads at its end is the bot's own, for nothing large has started it."""

    def _look(self) -> list[bytes]:
        """A far one's clocks. They come on the life line, first of all; one that never got so far has used nothing."""
        if not self._clocks and not self._heard:
            self._heard, self._clocks, _, _ = socket.recv_fds(self._life, 4096, 2, socket.MSG_CMSG_CLOEXEC)
        return [os.pread(clock, 1024, 0) for clock in self._clocks] or [b"", b""]

    def pause(self) -> None:
        """Stop all its threads and processes, at once (of a far one as soon as its zygote has heard of it)."""
        self._paused = True
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on, if it was stopped."""
        if self._paused:
            self._paused = False
            self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it now, with everything it started. Harmless if it is gone already: a handle never names another."""
        self._killed = True
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._handle < 0:
            return
        with suppress(ProcessLookupError, ConnectionError):
            if self._far:
                self._life.send(bytes([number]))  # a process of another container cannot be signalled from here
            elif number == signal.SIGKILL:
                signal.pidfd_send_signal(self._handle, number)
            else:
                os.killpg(self.pid, number)  # what it started too; not reaped yet, it keeps its number

    def ended(self, patience_s: float = 0) -> bool:
        """Whether it has ended of its own, or does within so many seconds."""
        if self._facts is not None:
            return True
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return bool(poll.poll(patience_s * 1000))

    def wait(self) -> Exit:
        """Wait until it has ended, close all descriptors and return how it ended.

        Raises SandboxError if the bot was never confined and so never ran (`box_not_built`), or if the zygote was
        lost with it (`arena_lost`): both are ours, never the bot's.
        """
        if self._facts is None:
            self._facts = self._hear_end()
            self._close()
        facts = self._facts
        if "cpu_s" not in facts:
            raise SandboxError("arena_lost", "The process that keeps this worker's bots died, and they with it.")
        if "failed" in facts or not ("ready" in facts or self._killed):
            reason = facts.get("failed", f"it ended with code {facts['code']}, signal {facts['signal']}")
            raise SandboxError("box_not_built", f"A bot could not be confined, so it was not started: {reason}.")
        return Exit(facts["code"], facts["signal"], facts["cpu_s"], facts["max_rss_kb"], facts["ran_out"])

    def _hear_end(self) -> dict[str, Any]:
        """Facts from all messages of the child and then of the zygote on the life line."""
        self._life.shutdown(socket.SHUT_WR)
        with self._life.makefile("rb") as lines:
            messages = (self._heard + lines.read()).splitlines()
        return {name: value for line in messages for name, value in json.loads(line).items()}

    def _close(self) -> None:
        self._life.close()
        for descriptor in (self.stdin, self.stdout, self.stderr, self._handle, *self._clocks):
            if descriptor >= 0:
                os.close(descriptor)
        self.stdin = self.stdout = self.stderr = self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait()


def host_pid(handle: int) -> int:
    """The number, in our own process namespace, of the process that a descriptor stands for."""
    facts = dict(line.split(":", 1) for line in Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines())
    return int(facts["Pid"])
