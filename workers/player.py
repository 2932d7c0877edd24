"""A box of the sandbox as the kind of process that a table plays with."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from bots.bundle import Bundle
from bots.process import Exit
from workers.sandbox import Arena, Box, Limits, SandboxError


class Player:
    """Plays `bots.process.Process`.

    Where the sandbox failed, the table sees a process that is gone, and goes on; `lost` says so, and then nothing of
    the match counts.
    """

    def __init__(self, box: Box) -> None:
        self.box, self.pid = box, box.pid
        self.lost = ""
        self._exit: Exit | None = None
        # Who plays owns the pipes, yet a box closes all it holds: it is left with something else to close.
        self.stdin, box.stdin = box.stdin, os.open(os.devnull, os.O_WRONLY)
        self.stdout, box.stdout = box.stdout, os.open(os.devnull, os.O_RDONLY)
        self.stderr, box.stderr = box.stderr, os.open(os.devnull, os.O_RDONLY)

    def kill(self) -> None:
        self.box.kill()

    def wait(self) -> Exit:
        if self._exit is None:
            self._exit = self._wait()
        return self._exit

    def _wait(self) -> Exit:
        try:
            end = self.box.wait()
        except SandboxError as error:
            self.lost = str(error)
            return Exit(None, None, 0.0, 0)
        return Exit(end.code, end.signal, end.cpu_s, end.max_rss_kb)

    def leave(self) -> None:
        self.kill()
        self.wait()


@contextmanager
def seated(arena: Arena, bundles: Sequence[Bundle], limits: Limits) -> Iterator[list[Player]]:
    """One fresh process for each seat, started side by side; none is left in the end. Raises SandboxError."""
    with ExitStack() as stack:
        players = []
        for bundle in bundles:
            players.append(Player(arena.spawn(bundle.sha256, bundle.manifest.entry, limits)))
            stack.callback(players[-1].leave)
        yield players
