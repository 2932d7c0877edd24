"""What one bot may use, and what it did use."""

import resource
from dataclasses import dataclass, fields
from typing import Final

from workers.sandbox.errors import SandboxError

MB = 1 << 20
RANGES: Final = {
    "memory_mb": (64, 65536),
    "threads": (1, 1024),
    "files_mb": (0, 1024),
    "open_files": (16, 4096),
    "temp_mb": (1, 4096),
    "cpu_s": (1, 86400),
}


@dataclass(frozen=True)
class Limits:
    """Plain data, set per ladder. The kernel enforces every one of these."""

    memory_mb: int = 512  # address space: more is a MemoryError inside the bot
    threads: int = 16  # the main one included; where bots cannot be counted one by one, 1
    files_mb: int = 8  # the largest file it may write
    open_files: int = 64
    temp_mb: int = 16  # all of its temporary folder; none in the landlock tier, where nothing is writable
    cpu_s: int = 120  # the last resort: the runner's own clocks should end a bot long before

    def __post_init__(self) -> None:
        for field in fields(self):
            low, high = RANGES[field.name]
            value = getattr(self, field.name)
            if not isinstance(value, int) or not low <= value <= high:
                sentence = f"The limit {field.name} is {value!r}; it must be a whole number from {low} to {high}."
                raise SandboxError("limit_out_of_range", sentence)

    def announced(self, *, threads: bool, writable: bool) -> dict[str, int]:
        """The limits that a bot is sent: 1 thread where threads are not counted, 0 MB where it may not write."""
        return {
            "memory_mb": self.memory_mb,
            "threads": self.threads if threads else 1,
            "open_files": self.open_files,
            "files_mb": self.files_mb if writable else 0,
            "temp_mb": self.temp_mb if writable else 0,
        }

    def apply(self, *, count_threads: bool, writable: bool, reserves_mb: int = 0) -> None:
        """Bind this process for good: soft and hard limit are the same."""
        caps = {
            resource.RLIMIT_AS: (self.memory_mb + reserves_mb) * MB,
            resource.RLIMIT_CPU: self.cpu_s,
            resource.RLIMIT_FSIZE: self.files_mb * MB if writable else 0,
            resource.RLIMIT_NOFILE: self.open_files,
            resource.RLIMIT_STACK: 16 * MB,
            # Not 0: a kernel that pipes core dumps to a handler still starts it, as root, for a limit of 0.
            resource.RLIMIT_CORE: 1,
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_MSGQUEUE: 0,
            resource.RLIMIT_SIGPENDING: 64,
        }
        if count_threads:
            caps[resource.RLIMIT_NPROC] = self.threads
        for limit, value in caps.items():
            resource.setrlimit(limit, (value, value))


@dataclass(frozen=True)
class Exit:
    """How a bot ended: by an exit code, or by a signal (SIGSYS: it made a forbidden kind of system call)."""

    code: int | None
    signal: int | None
    cpu_s: float
    max_rss_kb: int
    ran_out: bool = False  # the kernel killed it, or a process of it, for want of memory
