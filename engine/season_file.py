"""A season as one file: a zip whose `season.json` names every other member by its size and SHA-256.

Nothing in it is believed before it was looked at, and nothing is unpacked onto the disk. What it means, `engine.season`
and `tournaments.ratings.season` find out; this module makes sure that the file is whole.
"""

import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, TypeVar
from zipfile import BadZipFile, ZipFile, ZipInfo

from engine.errors import Portable
from engine.records import show

T = TypeVar("T")
FORMAT = 1
HEAD = "season.json"
MEMBER = re.compile(
    r"README\.txt|(season|table)\.json|(ledger|versions|entries|entrants|log)\.jsonl"
    r"|sets/\d{6}\.jsonl|replays/\d{1,19}\.json\.gz"
)
NEEDED = {
    "ladder": ("ledger.jsonl", "table.json", "versions.jsonl", "entries.jsonl", "log.jsonl"),
    "event": ("table.json", "versions.jsonl", "entrants.jsonl", "log.jsonl"),
}
MOST_MEMBERS = 1_000_000
BIGGEST_MEMBER = 512 << 20  # bytes, unpacked
TIMES = 200  # that an honest member is packed smaller at most: such lines are packed 10 to 40 times
SPARE = 1 << 16  # bytes that may be packed smaller yet
PIECE = 1 << 20
DAMAGED = (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, UnicodeDecodeError, ValueError)


class SeasonError(Portable):
    """Why a season's file does not hold: a stable code, and a sentence that says what is wrong where."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


@dataclass(frozen=True, slots=True)
class Season:
    """The file, every member of which is what its `season.json` names."""

    archive: ZipFile
    head: dict[str, Any]
    print: str  # SHA-256 of season.json: by it two files are the same season

    def names(self, folder: str) -> list[str]:
        return sorted(name for name in self.head["members"] if name.startswith(f"{folder}/"))

    def read(self, name: str) -> bytes:
        return self.archive.read(name)

    def table(self) -> list[dict[str, Any]]:
        """Return the table that the site showed in the end."""
        try:
            lines = json.loads(self.read("table.json"))
        except (ValueError, RecursionError) as error:
            raise SeasonError("bad_table", f"table.json cannot be read: {error}") from None
        if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
            raise SeasonError("bad_table", "table.json is not a list of lines")
        return lines

    def text(self, name: str) -> Iterator[str]:
        with self.archive.open(name) as lines:
            for line in lines:
                yield line.decode()

    def rows(self, name: str, take: Callable[[Any], T]) -> Iterator[T]:
        """Return rows of a member, each made by `take` of a line of JSON. Raises SeasonError(bad_line)."""
        for number, line in enumerate(self.text(name), 1):
            try:
                yield take(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise SeasonError("bad_line", f"{name}, line {number}: cannot be read: {error}") from None


def is_season(path: str | Path) -> bool:
    """Return whether it begins as a zip does."""
    try:
        with Path(path).open("rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except (OSError, ValueError):
        return False


def open_season(file: IO[bytes]) -> Season:
    """Open and check it. Raises SeasonError: not_a_season, too_big, bad_member, missing_member, changed_member."""
    try:
        archive = ZipFile(file)
        _check_names(archive.infolist(), file.seek(0, 2))
        head, fingerprint = _head(archive)
        for name, named in head["members"].items():
            _check_member(archive, name, named)
    except DAMAGED as error:
        raise SeasonError("not_a_season", f"the file is no whole zip: {error}") from None
    return Season(archive, head, fingerprint)


def _check_names(members: list[ZipInfo], size: int) -> None:
    """Refuse, unpacking nothing, names that lead elsewhere or occur twice, and more bytes than such a file has."""
    if len(members) > MOST_MEMBERS:
        raise SeasonError("too_big", f"the zip has {len(members):,} members; a season has {MOST_MEMBERS:,} at most")
    seen = set[str]()
    for member in members:
        name = member.filename
        if not MEMBER.fullmatch(name):
            raise SeasonError("bad_member", f"the zip has a member {show(name, 80)}, which no season has")
        if name in seen:
            raise SeasonError("bad_member", f"{name} is there twice")
        seen.add(name)
        if member.file_size > min(BIGGEST_MEMBER, TIMES * member.compress_size + SPARE):
            packed = f"{member.file_size:,} bytes packed into {member.compress_size:,}"
            raise SeasonError("too_big", f"{name} is {packed}: that is a bomb, not a season")
    if sum(member.file_size for member in members) > TIMES * size + SPARE:
        raise SeasonError("too_big", f"the members are more than {TIMES} times as big as the file: that is a bomb")


def _head(archive: ZipFile) -> tuple[dict[str, Any], str]:
    if HEAD not in archive.namelist():
        raise SeasonError("not_a_season", f"the zip has no {HEAD}, which names what a season is made of")
    data = archive.read(HEAD)
    try:
        head = json.loads(data)
        is_head = isinstance(head, dict) and head.get("boardroom_season") == FORMAT and head.get("kind") in NEEDED
        is_complete = is_head and all(set(member) == {"bytes", "sha256"} for member in head["members"].values())
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SeasonError("not_a_season", f"{HEAD} cannot be read: {error}") from None
    if not is_complete:
        raise SeasonError("not_a_season", f"{HEAD} is not that of a season of format {FORMAT}, of a ladder or event")
    present, named = set(archive.namelist()) - {HEAD}, set(head["members"])
    if missing := (named | {*NEEDED[head["kind"]]}) - present:
        raise SeasonError("missing_member", f"{min(missing)} is missing in the zip")
    if more := present - named:
        raise SeasonError("bad_member", f"{min(more)} is in the zip, and {HEAD} does not name it")
    return head, sha256(data).hexdigest()


def _check_member(archive: ZipFile, name: str, named: dict[str, Any]) -> None:
    digest = sha256()
    with archive.open(name) as member:
        while piece := member.read(PIECE):
            digest.update(piece)
    if digest.hexdigest() != named["sha256"]:
        is_it = f"its SHA-256 is {digest.hexdigest()}, and {HEAD} names {show(named['sha256'], 80)}"
        raise SeasonError("changed_member", f"{name} was changed: {is_it}")
