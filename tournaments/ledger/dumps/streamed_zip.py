"""A zip archive that is made while it is sent, with at most one file in memory at a time."""

from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZipFile

Files = Iterable[tuple[str, bytes]]


class Sink:
    """Where an archive writes to that nobody can go back in."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Do nothing: all is in memory until it is taken."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def taken(self) -> bytes:
        pieces, self._pieces = b"".join(self._pieces), []
        return pieces


def zipped(files: Files) -> Iterator[bytes]:
    sink = Sink()
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
            yield sink.taken()
    yield sink.taken()
