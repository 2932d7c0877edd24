"""Between a match worker and the broker: a wire that can be stalled, cut, or made to lose what comes back."""

import socket
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

CHUNK = 1 << 16


class Relay:
    """Listens at `path` and passes everything on to the socket at `target` and back."""

    def __init__(self, path: Path, target: Path) -> None:
        self.path, self.target = path, target
        self.passing, self.deaf, self.cut = Event(), False, False
        self.passing.set()
        self._ends: list[socket.socket] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen(64)
        Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"unix://{self.path}"

    def stall(self) -> None:
        """Let nothing arrive anywhere from now on, and tell nobody."""
        self.passing.clear()

    def lose_replies(self) -> None:
        """Let the broker do what it is asked, and the worker never hear of it."""
        self.deaf = True

    def reset(self) -> None:
        """End every connection, and refuse new ones."""
        self.cut = True
        self._hang_up()

    def mend(self) -> None:
        """Mend it; whoever waits for what was lost on the way has to connect anew."""
        if self.deaf:
            self._hang_up()
        self.deaf = self.cut = False
        self.passing.set()

    def close(self) -> None:
        self.cut = True
        self._listening.close()
        self._hang_up()
        self.passing.set()
        self.path.unlink(missing_ok=True)

    def _hang_up(self) -> None:
        ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        far = socket.socket(socket.AF_UNIX)
        with near, far, suppress(OSError):
            if self.cut:
                return
            far.connect(str(self.target))
            self._ends += [near, far]
            back = Thread(target=self._pump, args=(far, near), kwargs={"replies": True}, daemon=True)
            back.start()
            self._pump(near, far)
            back.join()

    def _pump(self, source: socket.socket, sink: socket.socket, *, replies: bool = False) -> None:
        with suppress(OSError):
            while data := source.recv(CHUNK):
                self.passing.wait()
                if not (replies and self.deaf):
                    sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
