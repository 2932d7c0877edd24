"""Waiting for a server: as long as it is working, but not for ever, with occasional messages. A busy machine, a slow
disk or a long recovery makes a start slow. A server that does nothing for STILL_SECONDS hangs.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

STILL_SECONDS = 20.0  # without any work, or from its first end to the one after which we give up
LONGEST = 1800.0  # seconds, whatever it does
MESSAGE_EVERY = 5.0  # seconds before the first message about the wait, and between two
CHECK_EVERY = 0.5  # seconds between two checks whether it works
SHORTEST_PAUSE, LONGEST_PAUSE = 0.01, 0.25

BUSY = "RD"  # states of a process: it runs or waits for its turn, or it waits for a disk
STATE, SESSION, TIMES = 0, 3, slice(11, 15)  # fields of /proc/N/stat behind the name: proc_pid_stat(5)

Say = Callable[[str], object]


def complain(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclass(slots=True)
class Progress:
    """Of a server that leads a session of its own. Without /proc, or for another's server, its log shows it."""

    log: Path
    leader: int | None = None
    seen: tuple[int, int] = (-1, -1)

    def made(self) -> bool:
        """Whether its log has grown, or its processes have worked or are ready to, since the last call."""
        processes = list(_session(self.leader)) if self.leader else []
        now = (_size(self.log), sum(int(ticks) for fields in processes for ticks in fields[TIMES]))
        before, self.seen = self.seen, now
        return now != before or any(fields[STATE] in BUSY for fields in processes)


@dataclass(slots=True)
class ServerWait:
    what: str  # a sentence's beginning, such as "postgres does not answer"
    say: Say
    log: Path
    began: float = field(default_factory=time.monotonic)
    worked: float = field(default_factory=time.monotonic)  # when it was last seen working
    looked: float = field(default_factory=time.monotonic)
    message_at: float = field(default_factory=time.monotonic)
    first_end: float | None = None  # of its process

    def goes_on(self, progress: Progress) -> bool:
        """Wait for a moment. Returns False when it is time to give up."""
        now = time.monotonic()
        if now > self.looked + CHECK_EVERY:
            self.looked = now
            self.worked = now if progress.made() else self.worked
        if now > self.message_at + MESSAGE_EVERY:
            self.message_at = now
            self.say(
                f"{self.what} after {now - self.began:.0f} s. It is waited for while it works.\n{log_tail(self.log, 1)}"
            )
        time.sleep(min(LONGEST_PAUSE, max(SHORTEST_PAUSE, (now - self.began) / 20)))
        return now < min(self.worked + STILL_SECONDS, self.began + LONGEST)

    def ended(self) -> bool:
        """Note that its process has ended. Returns whether to start it again."""
        now = time.monotonic()
        self.first_end = self.first_end or now
        return now < self.first_end + STILL_SECONDS


def log_tail(log: Path, lines: int = 8) -> str:
    text = log.read_text(errors="replace") if log.exists() else ""
    return "\n".join(f"    {line}" for line in text.splitlines()[-lines:])


def _session(leader: int) -> Iterator[list[str]]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            if int(fields[SESSION]) == leader:
                yield fields


def _size(log: Path) -> int:
    with suppress(OSError):
        return log.stat().st_size
    return 0
