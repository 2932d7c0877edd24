"""The log as JSON Lines: an entry a line, in order, each with its digest.

An entry without seals from which a name was removed is vouched for by the act that removed it: its `detail.vouches` has
the number, the digest and the digest before. A chain in which one is not vouched for is broken.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from tournaments.audit.chain import PARTS, START, WHOLE, BrokenLog, Entry, Head, canonical

LATER = {"salts": dict, "erased": dict}  # an entry from before there were seals has none
KINDS: dict[str, type] = {part.name: str for part in fields(Entry)} | {"number": int, "detail": dict, "digest": str}
KINDS |= LATER


def write(entry: Entry, digest: str) -> str:
    """Its line, with the end. The digest is the stored one: computed here, it would hide every change."""
    return canonical({**entry.as_plain(), "digest": digest}) + "\n"


def read(lines: Iterable[str]) -> Iterator[Entry]:
    """The entries, each checked against its digest and the one before. Raises BrokenLog at the first that fails."""
    return (entry for entry, _ in _read(lines))


def _read(lines: Iterable[str]) -> Iterator[tuple[Entry, str]]:
    before = Head(0, START)
    for line in lines:
        entry, digest = _entry(line, before.number + 1)
        _check(entry, digest, before)
        yield entry, digest
        before = Head(entry.number, digest)


def check(lines: Iterable[str], known: Iterable[Head] = ()) -> Head:
    """The head of an intact log. Raises BrokenLog, also if a head that was known before is not in it."""
    head, wanted = Head(0, START), {one.number: one.digest for one in known}
    vouching = Vouching()
    for entry, digest in _read(lines):
        head = Head(entry.number, digest)
        vouching.look(entry, digest)
        if wanted.pop(head.number, head.digest) != head.digest:
            raise BrokenLog(
                "rewritten", f"Entry {head.number} was another one when its head was kept: the log was rewritten."
            )
    if wanted:
        raise BrokenLog("cut_off", f"Entry {min(wanted)} was there when its head was kept; the log ends before it.")
    vouching.end()
    return head


@dataclass(slots=True)
class Vouching:
    """Which entries need an act that vouches for them."""

    wanted: dict[int, list[Any]] = field(default_factory=dict)

    def look(self, entry: Entry, digest: str) -> None:
        for voucher in _vouchers(entry):
            if self.wanted.get(voucher[0]) == voucher:
                del self.wanted[voucher[0]]
        if entry.vouched:
            self.wanted[entry.number] = [entry.number, digest, entry.previous]

    def end(self) -> None:
        if self.wanted:
            raise BrokenLog("not_vouched", f"Entry {min(self.wanted)} lost names, and no act says so: it was changed.")


def _vouchers(entry: Entry) -> list[list[Any]]:
    found = entry.detail.get("vouches")
    return [one for one in found if isinstance(one, list) and one] if isinstance(found, list) else []


def _entry(line: str, number: int) -> tuple[Entry, str]:
    try:
        found = json.loads(line, object_pairs_hook=_once, parse_float=_no_fraction, parse_constant=_no_fraction)
        _check_kinds(found)
    except (ValueError, RecursionError) as error:
        raise BrokenLog("bad_line", f"Entry {number} cannot be read: {error}.") from None
    digest = found.pop("digest")
    return Entry(**found), digest


def _check_kinds(found: Any) -> None:
    if not isinstance(found, dict) or not KINDS.keys() - LATER.keys() <= found.keys() <= KINDS.keys():
        raise ValueError(f"it must be an object with {', '.join(KINDS)} and nothing else")
    for name, value in found.items():
        if type(value) is not KINDS[name]:
            raise ValueError(f"its {name} must be of another kind")
    _check_seals(found.get("salts", {}), found.get("erased", {}))


def _check_seals(salts: dict[str, Any], erased: dict[str, Any]) -> None:
    """Each part has a salt or a seal, or all of them have neither, or an empty seal stands for the whole entry."""
    if (erased == {WHOLE: ""} and not salts) or not (salts or erased):
        return
    if salts.keys() & erased.keys() or {*salts, *erased} != {*PARTS}:
        raise ValueError(f"each of {', '.join(PARTS)} must have either a salt or a seal")
    if not all(isinstance(text, str) and text for text in (*salts.values(), *erased.values())):
        raise ValueError("a salt and a seal must be text")


def _check(entry: Entry, digest: str, before: Head) -> None:
    if entry.number != before.number + 1:
        raise BrokenLog(
            "gap", f"Entry {before.number + 1} is missing: number {entry.number} stands where it should be."
        )
    if entry.previous != before.digest:
        raise BrokenLog("not_chained", f"Entry {entry.number} does not follow the entry before it as that stands here.")
    if not entry.vouched and entry.digest != digest:
        raise BrokenLog("changed", f"Entry {entry.number} is not what its digest was made of: it was changed.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def _no_fraction(number: str) -> None:
    raise ValueError(f"{number} is not a whole number; the log has no others")
