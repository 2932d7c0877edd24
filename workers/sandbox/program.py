"""Running a program other than Python in a box: a compiler, another language's runtime, or a bot that is one itself."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from workers.sandbox.errors import SandboxError

BUNDLE, WRITES = "{bundle}", "{writes}"  # in an argument: the folder's path inside the box


@dataclass(frozen=True)
class Program:
    """What is executed, locked in as a Python bot is. Plain data; the platform writes it, never a bot."""

    argv: tuple[str, ...]  # the first is a path, absolute or below "{bundle}"; no shell, no search
    reads: tuple[str, ...] = ()  # files and folders it reads besides the system's and Python's libraries
    forks: bool = False  # whether it starts processes; allowed only where a cgroup counts them
    writes: str | None = None  # a folder of the store, by name, that it may write; open to every user (mode 0777)
    alone: bool = False  # a static executable: it is copied for each bot, maps no file and starts nothing else
    reserves_mb: int = 0  # address space it sets aside without using it, on top of Limits.memory_mb

    def __post_init__(self) -> None:
        object.__setattr__(self, "argv", tuple(self.argv))
        object.__setattr__(self, "reads", tuple(sorted(self.reads)))
        if not self.argv or not self.argv[0].startswith(("/", f"{BUNDLE}/", f"{WRITES}/")):
            raise bad(f"its first argument must be an absolute path or begin with {BUNDLE}/, but argv is {self.argv}")
        if wrong := [path for path in self.reads if not is_plain(path)]:
            raise bad(f"what it reads must be absolute paths below the root without '..', but {wrong} are not")
        if self.writes is not None and not is_name(self.writes):
            raise bad(f"what it writes must be the name of a folder of the store, but is {self.writes!r}")

    def arguments(self, bundle: str, writes: str | None) -> list[str]:
        return [text.replace(BUNDLE, bundle).replace(WRITES, writes or WRITES) for text in self.argv]


def is_plain(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return len(parts) > 1 and parts[0] == "/" and ".." not in parts


def is_name(text: str) -> bool:
    return text not in ("", ".", "..") and "/" not in text


def bad(reason: str) -> SandboxError:
    return SandboxError("bad_program", f"The program cannot be run in a box: {reason}.")
