"""A cache of what was proved to work on this machine: a worker that restarts, or starts beside another, need not test
it again.

A proof is an empty file beside the bundles, or where all workers of the machine look, whose name is a hash of all that
the trial depends on. It holds until the machine starts anew, a day at most, and only of this release. What keeps bots
in is proved at each start of each zygote all the same (`workers/sandbox/selftest.py`).
"""

import fcntl
import json
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from bots.languages import Language, Tool
from workers.sandbox.arena import Arena

VARIABLE = "WORKER_PROOFS"
LASTS = 86_400.0  # seconds
CODE = Path(__file__).resolve().parents[1]
BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class CapabilityCache:
    """The proofs of one store. `context` is what they all depend on."""

    folder: Path
    context: str

    def holds(self, language: Language, tool: Tool) -> bool:
        with suppress(FileNotFoundError):
            return time.time() - self._file(language, tool).stat().st_mtime < LASTS
        return False

    def keep(self, language: Language, tool: Tool) -> None:
        self._file(language, tool).touch()

    def _file(self, language: Language, tool: Tool) -> Path:
        parts = (self.context, language.name, language.trial.hex(), asdict(tool), _times((tool.command, *tool.reads)))
        return self.folder / sha256(json.dumps(parts).encode()).hexdigest()


@contextmanager
def locked_cache(arena: Arena) -> Iterator[CapabilityCache]:
    """One process at a time: of workers that start together the first tries, and the others read what it saw."""
    folder = _folder(arena.store)
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _forget(folder)
        yield CapabilityCache(folder, _context(arena))


def _folder(store: Path) -> Path:
    """The folder that WORKER_PROOFS names, for all stores, unless others can write there; or the one in the store."""
    with suppress(OSError):
        if (named := os.environ.get(VARIABLE)) and _ours(folder := Path(named)):
            return folder
    default = store / ".proofs"
    default.mkdir(mode=0o700, exist_ok=True)
    return default


def _ours(folder: Path) -> bool:
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.lstat()
    return stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid() and not state.st_mode & 0o022


def _context(arena: Arena) -> str:
    boot = BOOT.read_text() if BOOT.exists() else ""
    files = [str(path) for room in ("bots", "workers") for path in sorted((CODE / room).rglob("*.py"))]
    return json.dumps((boot, sys.version, asdict(arena.plan), arena.extras, _times(files)))


def _times(paths: Iterable[str]) -> list[int]:
    """Times when each was last changed; 0 for what is not there."""
    return [Path(path).stat().st_mtime_ns if path and Path(path).exists() else 0 for path in paths]


def _forget(folder: Path) -> None:
    for proof in folder.iterdir():
        if proof.name != "lock" and time.time() - proof.stat().st_mtime > LASTS:
            proof.unlink(missing_ok=True)
