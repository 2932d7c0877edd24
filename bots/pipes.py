"""The three pipes of one process: bytes in, bytes out, and the tail of what it wrote on stderr.

If a bot writes more than it may, no more is read: it waits on a full pipe, and is expelled at its next question.
"""

import os

from bots.notes import Notebook, shown
from bots.process import Process
from bots.protocol import KB, Output

CHUNK = 64 << 10  # bytes read at a time
FULLEST = 1 << 20  # bytes a pipe can hold
KEPT = 64 << 10  # bytes of stderr at hand, the last ones: as many as a ladder may have kept


class Wire:
    """Unblocking pipes. Each handler reads or writes once and says whether its pipe is still open."""

    __slots__ = (
        *("broken", "closed", "complained", "errors", "most", "notes", "received"),
        *("stderr", "stdin", "stdout", "total", "unsent"),
    )

    def __init__(self, process: Process, output: Output) -> None:
        self.most = output.output_kb * KB
        self.stdin, self.stdout, self.stderr = process.stdin, process.stdout, process.stderr
        self.unsent = self.received = self.errors = b""
        self.notes = Notebook()
        self.total = 0  # bytes the bot wrote, stdout and stderr together
        self.complained = 0  # of them on stderr
        self.closed = False  # its stdout has ended
        self.broken = False  # it closed its stdin
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)

    def send(self) -> bool:
        try:
            self.unsent = self.unsent[os.write(self.stdin, self.unsent) :]
        except BlockingIOError:
            return True
        except OSError:
            self.unsent, self.broken = b"", True
        return bool(self.unsent)

    def receive(self) -> bool:
        try:
            data = os.read(self.stdout, CHUNK)
        except BlockingIOError:
            return True
        self.received += data
        self.total += len(data)
        self.closed = not data
        return not self.closed and self.total <= self.most

    def overhear(self) -> bool:
        try:
            data = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return True
        self.errors = (self.errors + data)[-KEPT:]
        self.notes.hear(data)
        self.complained += len(data)
        self.total += len(data)
        return bool(data) and not self.flooded

    @property
    def flooded(self) -> bool:
        return self.total > self.most

    def hang_up(self) -> None:
        """Close the bot's stdin, and keep its number: the process's owner will close that."""
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self.stdin, inheritable=False)
        os.close(nothing)

    def drain(self) -> None:
        """Take what a dead process left on stderr."""
        for _ in range(FULLEST // CHUNK):
            if not self.overhear():
                break

    def tail(self, lines: int, characters: int = 2_000) -> str:
        return tail(self.errors, lines, characters)


def tail(errors: bytes, lines: int, characters: int = 2_000) -> str:
    """The last lines of what was written on stderr, safe to show and to store."""
    return shown("\n".join(errors.decode("utf-8", "replace").splitlines()[-lines:])[-characters:])


def for_owner(errors: bytes, written: int, most_kb: int) -> str:
    """The end of the `written` bytes on stderr, with a mark where the beginning is cut off."""
    last = errors[-most_kb * KB :]
    text = shown("\n".join(last.decode("utf-8", "replace").splitlines()))
    return f"[{written - len(last):,} bytes before this are cut]\n{text}" if written > len(last) else text
