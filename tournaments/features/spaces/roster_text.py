"""A roster as spreadsheets, course systems and people write it: a table, or a list of addresses."""

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import groupby
from typing import Final, NamedTuple

from django.utils.translation import gettext_noop

from tournaments.core.csv_text import without_guard
from tournaments.core.errors import Refused
from tournaments.features.spaces.address_lists import (
    MARKS,
    addresses_in,
    people_in,
    pieces_of,
    plain_links,
    unified_line_ends,
)
from tournaments.features.spaces.roster_headings import PARTS, columns_of, count_known, find_headings, word_of

MOST_LINES = 1000
MOST_BYTES = 1_000_000
MOST_CELLS = 50_000  # of a list without headings, where each is searched for addresses
LONGEST_IDENTITY = 100
LONGEST_HEADING = 40
LONGEST_TEXT = 300  # of a line that is shown as it stands
DELIMITERS = "\t;,"
DECLARED = re.compile(r'\s*"?sep=([^"\n])"?[^\S\n]*(?=\n|$)', re.IGNORECASE)  # Excel's first line
QUOTED = re.compile(r'"[^"]*"')
QUOTED_OR_SEMICOLON = re.compile(r'"[^"\n]*"|;')
QUOTED_NAME = re.compile(r'"[^",\n]*,[^"\n]*"\s*<')  # as mail programs write a name with a comma
COMMA_BEHIND_ADDRESS = re.compile(r"@[^\s,;<>@]+>?\s*,")
WHOLE_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")  # as it stands in a column that is headed otherwise
AROUND_ADDRESS = set('<>()[]:"')
NOT_PEOPLE = {"pointspossible", "manualposting", "muted"}  # lines that Canvas writes under its headings
MOST_TOLD = 10  # columns
NAME_AND_ADDRESS = 2  # columns: in a longer line of so few, a name has a comma, or there are several people
MISSING: Final = gettext_noop("There is no e-mail address in this line")
EMPTY: Final = gettext_noop("The column of e-mail addresses is empty in this line")
LONGER: Final = gettext_noop("This line has more cells than there are headings")
SEVERAL: Final = gettext_noop("Several e-mail addresses: keep one")
ABOVE: Final = gettext_noop("Stands above the headings: not read")


@dataclass(frozen=True, slots=True)
class Line:
    """One person. `number`: of the line in which the row begins; `problem`: why nobody can be made of it."""

    number: int
    address: str
    identity: str
    username: str = ""
    problem: str = ""


class Row(NamedTuple):
    number: int
    cells: list[str]

    @property
    def text(self) -> str:
        return "; ".join(filter(None, self.cells))

    @property
    def shown(self) -> str:
        return self.text[:LONGEST_TEXT]


class Table(NamedTuple):
    delimiter: str
    rows: list[Row]
    headings: int | None  # their row

    @property
    def people(self) -> list[Row]:
        begin = 0 if self.headings is None else self.headings + 1
        return [row for row in self.rows[begin:] if word_of(next(filter(None, row.cells))) not in NOT_PEOPLE]


def roster_lines(text: str) -> list[Line]:
    """Return a line for each person, and for each row in which none is. Raises Refused: roster_empty,
    roster_too_long, bad_roster."""
    table = _table(text)
    people = table.people
    if not people:
        raise Refused("roster_empty", "there is nobody in it: write a line for each person, with an e-mail address")
    _check_length(len(people))
    lines = list(_listed(table, people) if table.headings is None else _headed(table, people))
    _check_length(len(lines))
    return [_above(row) for row in table.rows[: table.headings or 0] if "@" in row.text] + lines


def columns_read(text: str) -> tuple[list[str], list[str]]:
    """Return the headings of a table's columns that people are read from, and of the others with anything in them,
    those with addresses first."""
    table = _table(text)
    if table.headings is None:
        return [], []
    headings, rows = table.rows[table.headings].cells, [row.cells for row in table.people]
    read = set(columns_of(headings, rows).values())
    filled = {column for row in rows for column, cell in enumerate(row[: len(headings)]) if cell}
    addressed = {column for row in rows for column, cell in enumerate(row) if "@" in cell}
    unread = sorted(filled - read, key=lambda column: (column not in addressed, column))
    names = [heading[:LONGEST_HEADING] or str(number) for number, heading in enumerate(headings, 1)]
    return [names[column] for column in sorted(read)], _first([names[column] for column in unread])


def _first(headings: Sequence[str]) -> list[str]:
    return [*headings[:MOST_TOLD], *(["…"] if len(headings) > MOST_TOLD else [])]


def _check_length(people: int) -> None:
    if people > MOST_LINES:
        raise Refused(
            "roster_too_long",
            "it has %(rows)s people; a space has room for %(most_lines)s",
            rows=f"{people:,}",
            most_lines=f"{MOST_LINES:,}",
        )


def _table(text: str) -> Table:
    """Return the table as the delimiter shows it with which most headings are known."""
    text = plain_links(unified_line_ends(text).replace("＠", "@")).lstrip("\ufeff")
    if not any(mark in text for mark in DELIMITERS):
        text = text.translate(MARKS)
    if declared := DECLARED.match(text):
        lines = declared[0].count("\n")
        return _table_of("\n" * lines + text[declared.end() :], declared[1])
    outside = QUOTED.sub("", text)
    marks = [mark for mark in DELIMITERS if mark in outside] or [","]
    tables = [_table_of(text, mark) for mark in marks]
    best = max(tables, key=lambda table: 0 if table.headings is None else count_known(table.rows[table.headings].cells))
    if best.headings is None and QUOTED_NAME.search(text) and COMMA_BEHIND_ADDRESS.search(outside):
        return _table_of(_with_commas(text), ",")
    return best


def _with_commas(text: str) -> str:
    """Return the text with commas for the semicolons outside of quotes: one list may be joined from two programs."""
    return QUOTED_OR_SEMICOLON.sub(lambda found: "," if found[0] == ";" else found[0], text)


def _table_of(text: str, delimiter: str) -> Table:
    rows = _rows(text, delimiter)
    return Table(delimiter, rows, find_headings([row.cells for row in rows]))


def _rows(text: str, delimiter: str) -> list[Row]:
    """Return those that have something in them, each with the number of the line in which it begins."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    rows, begins = [], 1
    try:
        for cells in reader:
            if any(cleaned := [clean_cell(cell) for cell in cells]):
                rows.append(Row(begins, cleaned))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise Refused(
            "bad_roster",
            "line %(line_num)s cannot be read as a table: %(error)s",
            line_num=reader.line_num,
            error=error,
        ) from None
    if text.count('"') % 2 and rows and text.rstrip().count("\n") >= rows[-1].number:  # it swallowed the lines below it
        raise Refused("bad_roster", "a quotation mark in line %(number)s is never closed", number=rows[-1].number)
    return rows


def clean_cell(cell: str) -> str:
    """Return the cell in one line, without signs that nobody sees."""
    if not cell.isascii() or not cell.isprintable():
        kinds = [(sign, unicodedata.category(sign)) for sign in cell]
        cell = "".join(
            " " if kind == "Cc" or kind[0] == "Z" else sign for sign, kind in kinds if kind[0] != "C" or kind == "Cc"
        )
    return without_guard(" ".join(cell.split()))


def _headed(table: Table, people: Sequence[Row]) -> Iterator[Line]:
    assert table.headings is not None
    headings = table.rows[table.headings].cells
    columns = columns_of(headings, [row.cells for row in people])
    if "address" not in columns:
        raise _no_addresses(headings)
    for row in people:
        beyond = "".join(row.cells[len(headings) :])
        if beyond and ("@" not in beyond or len(headings) > NAME_AND_ADDRESS):
            yield Line(row.number, "", row.shown, problem=LONGER)
        else:
            yield from _people(row, table.delimiter) if beyond else _line(row, columns)


def _line(row: Row, columns: dict[str, int]) -> Iterator[Line]:
    """Return who a row names. Two different addresses may be two people, so neither is taken for the row's own."""

    def cell(name: str) -> str:
        return row.cells[columns[name]] if columns.get(name, len(row.cells)) < len(row.cells) else ""

    named = cell("identity") or " ".join(filter(None, map(cell, PARTS)))
    if "<" in named:  # it was a link
        named = " ".join(piece.name for piece in pieces_of(named))
    named, written = named[:LONGEST_IDENTITY], cell("address")
    addresses = addresses_in(written)
    if len(addresses) > 1 and row.text == written:
        yield from _people(row, ",")
    elif len(addresses) > 1:
        yield Line(row.number, ", ".join(addresses)[:LONGEST_TEXT], named, problem=SEVERAL)
    elif addresses and _is_in_parts(written):
        yield Line(row.number, written[:LONGEST_TEXT], named)
    elif written:
        named = named or next(pieces_of(written)).name[:LONGEST_IDENTITY] if addresses else named
        yield Line(row.number, (addresses or [written])[0][:LONGEST_TEXT], named, cell("username").removeprefix("#"))
    else:
        yield Line(row.number, "", named or row.shown, problem=EMPTY)


def _without_doubles(addresses: Iterable[str]) -> list[str]:
    by_letters: dict[str, str] = {}
    for address in addresses:
        by_letters.setdefault(address.casefold(), address)
    return list(by_letters.values())


def _is_in_parts(cell: str) -> bool:
    """Return whether words stand beside the address of a cell, which may belong to it; not as names in brackets do."""
    beside = (word for word in cell.split() if "@" not in word)
    return not AROUND_ADDRESS & set(cell) and any(map(str.isalnum, "".join(beside)))


def _listed(table: Table, people: Sequence[Row]) -> Iterator[Line]:
    if not any("@" in cell for row in people for cell in row.cells):
        raise _no_addresses(people[0].cells)
    cells = sum(len(row.cells) for row in people)
    if cells > MOST_CELLS:
        raise Refused(
            "bad_roster",
            "it has %(cells)s cells without headings; %(most)s can be searched for addresses",
            cells=f"{cells:,}",
            most=f"{MOST_CELLS:,}",
        )
    for row in people:
        yield from _people(row, table.delimiter)


def _people(row: Row, delimiter: str) -> Iterator[Line]:
    if "@" not in row.text:
        yield Line(row.number, "", row.shown, problem=MISSING)
        return
    if addresses := _of_one_person(row.cells):
        problem = SEVERAL if len(addresses) > 1 else ""
        yield Line(row.number, ", ".join(addresses)[:LONGEST_TEXT], _name_of(row), problem=problem)
        return
    for name, address, account in people_in(row.cells, delimiter):
        problem = "" if address else MISSING
        yield Line(row.number, address, name[:LONGEST_IDENTITY], account, problem)


def _of_one_person(cells: Sequence[str]) -> list[str]:
    """Return the addresses of a row where several stand for one name: each in a cell of its own, beside each other."""
    filled = [cell for cell in cells if cell]
    whole = [bool(WHOLE_ADDRESS.fullmatch(cell)) for cell in filled]
    if any("@" in cell and not is_whole for cell, is_whole in zip(filled, whole, strict=True)):
        return []
    beside_each_other = [is_run for is_run, _ in groupby(whole)].count(True) == 1
    if not beside_each_other or all(whole) or sum(whole) == 1:
        return []
    return _without_doubles(cell for cell in filled if "@" in cell)


def _name_of(row: Row) -> str:
    return " ".join(cell for cell in row.cells if cell and "@" not in cell)[:LONGEST_IDENTITY]


def _above(row: Row) -> Line:
    return Line(row.number, next(iter(addresses_in(row.text)), ""), row.shown, problem=ABOVE)


def _no_addresses(columns: Sequence[str]) -> Refused:
    told = ", ".join(_first([f"“{column[:LONGEST_HEADING]}”" for column in columns if column]))
    return Refused(
        "bad_roster",
        "no column has e-mail addresses: call it email, in the first line. The columns are %(columns)s",
        columns=told,
    )
