"""The log as JSON Lines: an entry a line, in order, each with its digest."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from typing import Any

from tournaments.audit.chain import START, BrokenLog, Entry, Head, canonical

KINDS: dict[str, type] = {field.name: str for field in fields(Entry)} | {"number": int, "detail": dict, "digest": str}


def write(entry: Entry, digest: str) -> str:
    """Its line, with the end. The digest is the stored one: computed here, it would hide every change."""
    return canonical({**asdict(entry), "digest": digest}) + "\n"


def read(lines: Iterable[str]) -> Iterator[Entry]:
    """The entries, each checked against its digest and the one before. Raises BrokenLog at the first that fails."""
    before = Head(0, START)
    for line in lines:
        entry, digest = _entry(line, before.number + 1)
        _check(entry, digest, before)
        yield entry
        before = Head(entry.number, digest)


def check(lines: Iterable[str], known: Iterable[Head] = ()) -> Head:
    """The head of an intact log. Raises BrokenLog, also if a head that was known before is not in it."""
    head, wanted = Head(0, START), {one.number: one.digest for one in known}
    for entry in read(lines):
        head = Head(entry.number, entry.digest)
        if wanted.pop(head.number, head.digest) != head.digest:
            raise BrokenLog(
                "rewritten", f"Entry {head.number} was another one when its head was kept: the log was rewritten."
            )
    if wanted:
        raise BrokenLog("cut_off", f"Entry {min(wanted)} was there when its head was kept; the log ends before it.")
    return head


def _entry(line: str, number: int) -> tuple[Entry, str]:
    try:
        found = json.loads(line, object_pairs_hook=_once, parse_float=_no_fraction, parse_constant=_no_fraction)
        _check_kinds(found)
    except (ValueError, RecursionError) as error:
        raise BrokenLog("bad_line", f"Entry {number} cannot be read: {error}.") from None
    digest = found.pop("digest")
    return Entry(**found), digest


def _check_kinds(found: Any) -> None:
    if not isinstance(found, dict) or found.keys() != KINDS.keys():
        raise ValueError(f"it must be an object with {', '.join(KINDS)} and nothing else")
    for name, kind in KINDS.items():
        if type(found[name]) is not kind:
            raise ValueError(f"its {name} must be of another kind")


def _check(entry: Entry, digest: str, before: Head) -> None:
    if entry.number != before.number + 1:
        raise BrokenLog(
            "gap", f"Entry {before.number + 1} is missing: number {entry.number} stands where it should be."
        )
    if entry.previous != before.digest:
        raise BrokenLog("not_chained", f"Entry {entry.number} does not follow the entry before it as that stands here.")
    if entry.digest != digest:
        raise BrokenLog("changed", f"Entry {entry.number} is not what its digest was made of: it was changed.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def _no_fraction(number: str) -> None:
    raise ValueError(f"{number} is not a whole number; the log has no others")
