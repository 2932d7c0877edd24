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


def write_entry(entry: Entry, digest: str) -> str:
    """Return the entry's line, with its end. `digest` is the stored one: computed here, it would hide every change."""
    return canonical({**entry.as_plain(), "digest": digest}) + "\n"


def _read(lines: Iterable[str]) -> Iterator[tuple[Entry, str]]:
    """Yield each entry with its digest, checked, and against the one before. Raises BrokenLog."""
    before = Head(0, START)
    for line in lines:
        entry, digest = _entry(line, before.number + 1)
        _check(entry, digest, before)
        yield entry, digest
        before = Head(entry.number, digest)


def check_log(lines: Iterable[str], heads: Iterable[Head] = ()) -> Head:
    """Return the head of an intact log. Raises BrokenLog, also if a head that was kept before is not in it."""
    head, expected = Head(0, START), {known_head.number: known_head.digest for known_head in heads}
    vouching = Vouching()
    for entry, digest in _read(lines):
        head = Head(entry.number, digest)
        vouching.look(entry, digest)
        if expected.pop(head.number, head.digest) != head.digest:
            raise BrokenLog(
                "rewritten", f"Entry {head.number} was another one when its head was kept: the log was rewritten."
            )
    if expected:
        raise BrokenLog("cut_off", f"Entry {min(expected)} was there when its head was kept; the log ends before it.")
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
    vouchers = entry.detail.get("vouches")
    return (
        [voucher for voucher in vouchers if isinstance(voucher, list) and voucher] if isinstance(vouchers, list) else []
    )


def _entry(line: str, number: int) -> tuple[Entry, str]:
    try:
        fields = json.loads(line, object_pairs_hook=_once, parse_float=_no_fraction, parse_constant=_no_fraction)
        _check_kinds(fields)
    except (ValueError, RecursionError) as error:
        raise BrokenLog("bad_line", f"Entry {number} cannot be read: {error}.") from None
    digest = fields.pop("digest")
    return Entry(**fields), digest


def _check_kinds(fields: Any) -> None:
    if not isinstance(fields, dict) or not KINDS.keys() - LATER.keys() <= fields.keys() <= KINDS.keys():
        raise ValueError(f"it must be an object with {', '.join(KINDS)} and nothing else")
    for name, value in fields.items():
        if type(value) is not KINDS[name]:
            raise ValueError(f"its {name} must be of another kind")
    _check_seals(fields.get("salts", {}), fields.get("erased", {}))


def _check_seals(salts: dict[str, Any], erased: dict[str, Any]) -> None:
    """Check that each part has a salt or a seal, or no part has any, or an empty seal stands for the whole entry."""
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
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name is there twice")
    return fields


def _no_fraction(number: str) -> None:
    raise ValueError(f"{number} is not a whole number; the log has no others")
