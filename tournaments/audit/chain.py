"""An entry of the log, and the digest that binds it to all before it.

The digest is the SHA-256 of canonical JSON: keys sorted, no spaces, all but ASCII escaped, and no number but whole
ones, so that every language writes the same bytes. `previous`, the digest of the entry before, is in it: changing,
removing or inserting an entry changes every digest after it.

What could name a person (`PARTS`) is in the digest as a seal alone, the SHA-256 of a random salt and the part. When an
account is erased, names in a part give way to neutral ones, its salt is forgotten, and the seal stays in `erased`: the
chain holds, and nobody can try names against it. Entries from before there were seals have neither salts nor seals, and
their digest is of the whole entry. Where a name was taken out of one, `erased` says so by an empty seal: its own digest
can be worked out no more, and a later entry vouches for it (`tournaments.audit.lines`).
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from typing import Any, TypeAlias

from tournaments.core.config.plain_text import storable

START = "0" * 64  # stands before the first entry
PARTS = ("by", "subject", "reason", "detail")  # that may name people
WHOLE = "entry"  # in `erased`: of an entry that has no seals
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
    salts: Mapping[str, str] = field(default_factory=dict)  # by part
    erased: Mapping[str, str] = field(default_factory=dict)  # the seals of parts in which names were replaced

    @property
    def digest(self) -> str:
        plain = asdict(self)
        del plain["salts"], plain["erased"]
        if self.salts or any(self.erased.values()):
            plain["seals"] = {part: self._seal(part, plain.pop(part)) for part in PARTS}
        return sha256(canonical(plain).encode()).hexdigest()

    @property
    def vouched(self) -> bool:
        """Whether its digest can be worked out no more."""
        return not all(self.erased.values())

    def _seal(self, part: str, value: Plain) -> str:
        return self.erased.get(part) or seal_part(self.salts.get(part, ""), value)

    def sealed(self, instead: str) -> "Entry":
        """The same entry, as much as the chain needs, for those who may not read it: of its parts there are seals."""
        seals = {part: self._seal(part, getattr(self, part)) for part in PARTS}
        hidden: dict[str, Any] = {"by": instead, "subject": instead, "reason": "", "detail": {}, "salts": {}}
        return replace(self, **hidden, erased=seals)

    def as_plain(self) -> dict[str, Plain]:
        """Return the entry without salts and seals where it has none, as before there were any."""
        plain = asdict(self)
        return {name: value for name, value in plain.items() if value or name not in ("salts", "erased")}


def seal_part(salt: str, value: Plain) -> str:
    return sha256(canonical({"salt": salt, "value": value}).encode()).hexdigest()


def canonical(value: dict[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def loggable_value(value: object) -> Plain:
    """The value as the log stores it: fractions as text, and no NUL or lone surrogate in any text."""
    match value:
        case None | bool() | int():
            return value
        case float() | Decimal():
            return str(value)
        case datetime():
            return moment_text(value)
        case dict():
            return {storable(str(key)): loggable_value(part) for key, part in value.items()}
        case list() | tuple() | set() | frozenset():
            return [loggable_value(part) for part in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
        case _:
            return storable(str(value))


def moment_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
