"""Files that appear only when they are complete, and their hashes."""

import os
from collections.abc import Iterable
from hashlib import file_digest
from pathlib import Path


def write_whole_file(path: Path, *parts: bytes | Path) -> None:
    """Write a file from bytes and from other files' contents. It is on the disk before it has its name."""
    partial = path.with_name(f"{path.name}.partial")
    with partial.open("wb") as file:
        for part in _pieces(parts):
            file.write(part)
        file.flush()
        os.fsync(file.fileno())
    partial.rename(path)


def _pieces(parts: Iterable[bytes | Path]) -> Iterable[bytes]:
    for part in parts:
        yield part.read_bytes() if isinstance(part, Path) else part


def hash_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
