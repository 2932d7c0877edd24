"""A roster as spreadsheets and course systems write it: a table with commas, semicolons or tabs between its cells."""

import codecs
import csv
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from tournaments.errors import Refused

MOST_LINES = 1000
MOST_BYTES = 1_000_000
LONGEST_IDENTITY = 100
COLUMNS = {  # what a heading says, in small letters without signs between, and what stands below it
    "address": {"email", "mail", "emailaddress", "address", "emailadresse", "mailadresse", "adresse"},
    "identity": {"name", "fullname", "student", "member", "person", "identity", "vollständigername"},
    "first": {"firstname", "givenname", "vorname"},
    "last": {"lastname", "surname", "familyname", "nachname"},
    "username": {"username", "account", "login", "benutzername", "konto", "anmeldename"},
}


@dataclass(frozen=True, slots=True)
class Line:
    """One person. `number`: of the line in which the row begins."""

    number: int
    address: str
    identity: str
    username: str


def decoded(data: bytes) -> str:
    """UTF-8 or UTF-16 by its mark, else UTF-8, else Windows' Latin letters. Raises Refused: roster_too_large."""
    if len(data) > MOST_BYTES:
        raise Refused(
            "roster_too_large",
            "the file has %(data)s bytes; a roster has %(most_bytes)s at most",
            data=f"{len(data):,}",
            most_bytes=f"{MOST_BYTES:,}",
        )
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def lines_of(text: str) -> list[Line]:
    """Raises Refused: roster_empty, roster_too_long, bad_roster."""
    rows = _rows(text.lstrip("\ufeff"))
    if not rows:
        raise Refused("roster_empty", "there is nobody in it: write a line for each person, with an e-mail address")
    columns = _headed(rows[0][1])
    if columns is None:
        columns = _guessed(rows[0][1])
    else:
        del rows[0]
    if len(rows) > MOST_LINES:
        raise Refused(
            "roster_too_long",
            "it has %(rows)s people; a space has room for %(most_lines)s",
            rows=f"{len(rows):,}",
            most_lines=f"{MOST_LINES:,}",
        )
    if "address" not in columns:
        raise Refused("bad_roster", "no column has e-mail addresses: call it email, in the first line")
    return [_line(number, row, columns) for number, row in rows]


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Those that have something in them, each with the number of the line in which it begins."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text))
    found, begins = [], 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                found.append((begins, [clean(cell) for cell in row]))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise Refused(
            "bad_roster",
            "line %(line_num)s cannot be read as a table: %(error)s",
            line_num=reader.line_num,
            error=error,
        ) from None
    return found


def _delimiter(text: str) -> str:
    """That of the first line with something in it."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=first.count)


def clean(cell: str) -> str:
    """In one line, without signs that nobody sees."""
    seen = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in cell)
    return " ".join(seen.split())


def _headed(row: Sequence[str]) -> dict[str, int] | None:
    """Where each column is, if the first row says so. A row with an address in it is a person."""
    if any("@" in cell for cell in row):
        return None
    words = ["".join(sign for sign in cell.lower() if sign.isalpha()) for cell in row]
    return {name: words.index(word) for name, known in COLUMNS.items() for word in words if word in known}


def _guessed(row: Sequence[str]) -> dict[str, int]:
    """Without headings: the first cell with an @ is the address, the first other one the name."""
    at = next(number for number, cell in enumerate(row) if "@" in cell)
    others = [number for number in range(len(row)) if number != at]
    return {"address": at, **({"identity": others[0]} if others else {})}


def _line(number: int, row: Sequence[str], columns: dict[str, int]) -> Line:
    def cell(name: str) -> str:
        return row[columns[name]] if columns.get(name, len(row)) < len(row) else ""

    named = cell("identity") or f"{cell('first')} {cell('last')}".strip()
    return Line(number, cell("address").lower(), named[:LONGEST_IDENTITY], cell("username"))
