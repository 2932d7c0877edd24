"""A backup's file: what is refused at once, before a server is started, and without reading all of it."""

import errno
import os
from pathlib import Path
from typing import BinaryIO

from tournaments.core.errors import Refused

MARK = b"\nBoardroom's seal, of version 1:\n"
DUMP = b"PGDMP"
LONGEST = 1 << 20  # bytes of a seal


def check_target(path: Path) -> None:
    """Refuse a place that no backup can be written to. Raises Refused(no_folder, cannot_write)."""
    try:
        if not path.parent.is_dir():
            raise Refused("no_folder", f"There is no folder {path.parent} to put the backup into.")
        if path.is_dir():
            raise Refused("cannot_write", f"{path} cannot be written: it is a folder. Name a file.")
        if path.exists() and not path.is_file():
            raise Refused("cannot_write", f"{path} cannot be written: it is a device or a pipe. Name a file.")
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as problem:
        raise Refused("cannot_write", f"{path} cannot be written: {problem.strerror}.") from None


def check_ends(path: Path) -> None:
    """Refuse what by its beginning or its end is no backup. Raises Refused(no_backup, bad_backup)."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise Refused("no_backup", f"{path} is a device or a pipe. Name a file.")
        with path.open("rb") as file:
            read_end(file, path)
    except OSError as problem:
        raise Refused("no_backup", f"{path} cannot be read: {problem.strerror}.") from None


def read_end(file: BinaryIO, path: Path) -> bytes:
    """Return what follows the mark of the seal. Raises Refused(no_backup, bad_backup)."""
    if file.read(len(DUMP)) != DUMP:
        raise Refused("no_backup", f"{path} is not a backup: it does not begin as pg_dump's custom format does.")
    file.seek(max(0, path.stat().st_size - LONGEST))
    _, mark, end = file.read().rpartition(MARK)
    if not mark:
        raise Refused(
            "bad_backup", f"{path} has no seal at its end: it was cut short, or not made by manage.py backup."
        )
    return end
