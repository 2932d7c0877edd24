"""A backup's file: the output of pg_dump, followed by a seal with a summary and a checksum.

pg_restore reads such a file and ignores the seal. The seal is two lines: JSON, and the SHA-256 of all that comes before
it.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from tournaments.core.errors import Refused
from tournaments.ops.launcher.backup_file import MARK, check_ends, read_end

CHUNK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Seal:
    made_at: str
    server: int  # major version of PostgreSQL
    migrations: list[str]  # that the database had: "app.name"
    rows: Mapping[str, int]  # by table


def append_seal(path: Path, contents: Seal) -> None:
    """Append the seal to a finished dump, and flush all of it to the disk."""
    with path.open("r+b") as file:
        digest = hashlib.sha256()
        for chunk in _chunks(file, path.stat().st_size):
            digest.update(chunk)
        text = MARK + json.dumps(asdict(contents)).encode() + b"\n"
        digest.update(text)
        file.write(text + digest.hexdigest().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read_seal(path: Path) -> Seal:
    """The seal of an intact file. Raises Refused(no_backup, bad_backup)."""
    check_ends(path)
    try:
        with path.open("rb") as file:
            return _read(file, path)
    except OSError as problem:
        raise Refused("no_backup", f"{path} cannot be read: {problem.strerror}.") from None


def _read(file: BinaryIO, path: Path) -> Seal:
    text, _, written = read_end(file, path).partition(b"\n")
    file.seek(0)
    digest = hashlib.sha256()
    for chunk in _chunks(file, path.stat().st_size - len(written)):
        digest.update(chunk)
    if written != digest.hexdigest().encode() + b"\n":
        raise Refused("bad_backup", f"{path} is damaged: it was changed or cut short since it was made.")
    return Seal(**json.loads(text))


def _chunks(file: BinaryIO, size: int) -> Iterator[bytes]:
    while size > 0 and (chunk := file.read(min(CHUNK, size))):
        size -= len(chunk)
        yield chunk
