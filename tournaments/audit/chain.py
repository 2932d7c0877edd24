"""An entry of the log, and the digest that binds it to all before it.

The digest is the SHA-256 of the entry's canonical JSON: keys sorted, no spaces, all but ASCII escaped, and no number
but whole ones, so that every language writes the same bytes. `previous`, the digest of the entry before, is in it:
changing, removing or inserting an entry changes every digest after it.
"""

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from typing import Any, TypeAlias

START = "0" * 64  # stands before the first entry
Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | None"  # bool is an int


class BrokenLog(Exception):
    """The log is not intact: a stable code, and a sentence that names the first bad entry."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the log. With an old one anybody can check whether the log before it was rewritten."""

    number: int
    digest: str

    def __str__(self) -> str:
        return f"{self.number}:{self.digest}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One act: what (`kind`, `detail`), by whom, to whom (`subject`), why, and when, as ISO 8601 in UTC."""

    number: int
    kind: str
    by: str
    subject: str
    reason: str
    detail: dict[str, Plain]
    at: str
    previous: str

    @property
    def digest(self) -> str:
        return sha256(canonical(asdict(self)).encode()).hexdigest()


def canonical(value: dict[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def plain(value: object) -> Plain:
    """The value as the log stores it: fractions as text, and no NUL or lone surrogate in any text."""
    match value:
        case None | bool() | int():
            return value
        case float() | Decimal():
            return str(value)
        case datetime():
            return written(value)
        case dict():
            return {text(str(key)): plain(part) for key, part in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(part) for part in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
        case _:
            return text(str(value))


def text(value: str) -> str:
    return value.replace("\0", "\ufffd").encode(errors="replace").decode()


def written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
