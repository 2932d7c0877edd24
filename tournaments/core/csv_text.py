"""Tables as CSV text (RFC 4180, UTF-8 with a mark) in which no cell is a formula."""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

Cell = str | int | float | bool | None
Row = tuple[Cell, ...]
MARK = "\ufeff"  # without it a spreadsheet reads other letters
FORMULA = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")  # as a spreadsheet begins to compute; guarded ones are so once more


def csv_cell(cell: object) -> object:
    """Return text that a spreadsheet would compute with a quote before it; truth as JSON writes it."""
    if isinstance(cell, bool):
        return str(cell).lower()
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell


def without_guard(cell: str) -> str:
    """Return the text as it was before `csv_cell`."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


def csv_of(columns: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    text = StringIO()
    text.write(MARK)
    writer = csv.writer(text)
    writer.writerow(map(csv_cell, columns))
    writer.writerows(map(csv_cell, row) for row in rows)
    return text.getvalue()
