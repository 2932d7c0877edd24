"""A journal: what was played so far, a line of JSON each, so that a stopped series continues where it was. The first
line says what it belongs to. A line that was cut off, by a full disk or a kill, is played again.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bots.command.errors import KitError
from bots.command.outcomes import Outcome
from engine.records import RecordError, from_plain, show, to_plain

FORMAT = 1


class Journal:
    """A context manager. Without a path nothing is kept. `outcomes`: those found, in the order of their numbers."""

    def __init__(self, path: Path | None, head: Mapping[str, Any]) -> None:
        self.path, self.head = path, {"journal": FORMAT, **json.loads(json.dumps(head))}
        self.outcomes: list[Outcome] = []
        self._file: int | None = None

    def __enter__(self) -> Self:
        if self.path:
            if self.path.is_dir():
                raise KitError("is_folder", f"{self.path} is a folder; name a file for the journal")
            if self.path.exists() and not self.path.is_file():
                raise self._odd("it is a device or a pipe")  # which might be read without end
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            self._resume(self.path.read_bytes())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._file is not None:
            os.close(self._file)

    def add(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self._write(to_plain(outcome))

    def _resume(self, data: bytes) -> None:
        complete, newline, _ = data.rpartition(b"\n")
        if not complete:
            if data.strip() and not data.startswith(b'{"journal"'):
                raise self._odd("its first line is not of one")
            self._cut(0)
            self._write(self.head)
            return
        first, *lines = complete.split(b"\n")
        self._compare(first)
        self.outcomes = [self._read(number, line) for number, line in enumerate(lines)]
        self._cut(len(complete) + len(newline))

    def _compare(self, line: bytes) -> None:
        first = self._json(line, "its first line is not of one")
        for name in self.head:
            if first.get(name) != self.head[name]:
                difference = f"{name} is {show(first.get(name), 160)} there and {show(self.head[name], 160)} here"
                raise KitError("other_journal", f"{self.path} is of another series: {difference}; name another file")

    def _read(self, number: int, line: bytes) -> Outcome:
        try:
            outcome: Outcome = from_plain(Outcome, self._json(line, f"line {number + 2} is not JSON"), "match")
        except RecordError as error:
            raise self._odd(f"line {number + 2}: {error}") from None
        if outcome.number != number:
            raise self._odd(f"line {number + 2} is of match {outcome.number}")
        return outcome

    def _json(self, line: bytes, otherwise: str) -> dict[str, Any]:
        try:
            document = json.loads(line)
        except ValueError:
            raise self._odd(otherwise) from None
        if not isinstance(document, dict):
            raise self._odd(otherwise)
        return document

    def _odd(self, why: str) -> KitError:
        return KitError("not_a_journal", f"{self.path} is no journal: {why}; name another file")

    def _cut(self, length: int) -> None:
        if self._file is not None:
            os.ftruncate(self._file, length)

    def _write(self, plain: object) -> None:
        """Append a line. One that is cut off has no end of line, and is played again."""
        if self._file is not None:
            left = json.dumps(plain, separators=(",", ":")).encode() + b"\n"
            while left:  # a disk that is nearly full takes a part, and says so at the next
                left = left[os.write(self._file, left) :]
