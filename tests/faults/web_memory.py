"""The largest memory that a process of the web server has had in a run, by the kernel's own mark."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LOOKS = 0.5  # seconds between two: a process that is killed in between takes its mark with it
AIM_MB = 500
MARK = re.compile(r"VmHWM:\s+(\d+) kB")


@dataclass(slots=True)
class WebMemory:
    """`sessions`: returns the sessions of the web server's processes."""

    sessions: Callable[[], set[int]]
    largest_mb: int = 0
    _due: float = 0.0

    def look(self) -> None:
        """Call this often."""
        if time.monotonic() < self._due:
            return
        sessions = self.sessions()
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, ValueError, IndexError):
                if session_of(folder) in sessions:
                    self.largest_mb = max(self.largest_mb, mark_mb(folder))
        self._due = time.monotonic() + LOOKS

    def line(self) -> str:
        missed = "" if self.largest_mb < AIM_MB else f"; ABOVE the aim of {AIM_MB} MB"
        return f"largest memory of a web process: {self.largest_mb} MB{missed}"


def session_of(folder: Path) -> int:
    """Return the session of a process by its folder in /proc. Raises OSError if it has ended."""
    return int((folder / "stat").read_text().rpartition(")")[2].split()[3])


def mark_mb(folder: Path) -> int:
    mark = MARK.search((folder / "status").read_text())
    return int(mark[1]) >> 10 if mark else 0
