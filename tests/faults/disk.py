"""A small disk of our own that can be full: memory, mounted where only this process and its children see it."""

import os
from dataclasses import dataclass
from pathlib import Path

from workers.sandbox import syscalls
from workers.sandbox.namespaces import MNT_DETACH, mount

NEWNS, MS_REMOUNT, MS_REC, MS_PRIVATE = 0x20000, 32, 0x4000, 1 << 18
ROOM = 1 << 30  # bytes; nothing is taken that is not used


@dataclass(frozen=True, slots=True)
class Disk:
    folder: Path

    def mount(self) -> None:
        """Raises OSError where that is not allowed."""
        syscalls.call("unshare", NEWNS)
        mount(None, "/", None, MS_REC | MS_PRIVATE)
        mount("tmpfs", str(self.folder), "tmpfs", 0, f"size={ROOM},mode=711")

    def fill(self) -> None:
        """Leave room for not a byte more than is there now."""
        usage = os.statvfs(self.folder)
        self._resize((usage.f_blocks - usage.f_bfree) * usage.f_frsize)

    def free(self) -> None:
        self._resize(ROOM)

    def unmount(self) -> None:
        syscalls.call("umount2", str(self.folder).encode(), MNT_DETACH)

    def _resize(self, size: int) -> None:
        mount(None, str(self.folder), None, MS_REMOUNT, f"size={size},mode=711")
