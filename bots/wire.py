"""The three pipes of one process: whole lines out, bytes in, and the tail of what it wrote on stderr."""

import contextlib
import os

from bots.process import Process

CHUNK = 1 << 16
KEPT = 64 << 10  # bytes of stderr kept, the last ones


class Wire:
    """Unblocking pipes. Each handler reads or writes once and says whether its pipe is still of use."""

    __slots__ = ("broken", "closed", "errors", "process", "received", "total", "unsent")

    def __init__(self, process: Process) -> None:
        self.process = process
        self.unsent = b""
        self.received = b""
        self.errors = b""
        self.total = 0  # bytes the bot wrote, stdout and stderr together
        self.closed = False  # its stdout has ended
        self.broken = False  # its stdin is closed
        for fd in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(fd, False)

    def send(self) -> bool:
        try:
            self.unsent = self.unsent[os.write(self.process.stdin, self.unsent) :]
        except BlockingIOError:
            return True
        except OSError:
            self.unsent, self.broken = b"", True
        return bool(self.unsent)

    def receive(self) -> bool:
        data = _read(self.process.stdout)
        if data:
            self.received += data
            self.total += len(data)
        self.closed |= data == b""
        return data != b""

    def overhear(self) -> bool:
        data = _read(self.process.stderr)
        if data:
            self.errors = (self.errors + data)[-KEPT:]
            self.total += len(data)
        return data != b""

    def close(self) -> None:
        """Take what is left on stderr and close the pipes."""
        while _more(self):
            pass
        for fd in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                os.close(fd)
