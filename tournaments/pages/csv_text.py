"""Tables as CSV files (RFC 4180, UTF-8) in which no cell is a formula."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from django.http import HttpResponse

Cell = str | int | float | bool | None
FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet takes text for something to compute


def plain(cell: Cell) -> str | int | float | None:
    """Text that a spreadsheet would compute has a quote before it; truth is written as JSON writes it."""
    if isinstance(cell, bool):
        return str(cell).lower()
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


def csv_of(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(map(plain, row) for row in rows)
    return text.getvalue()


def csv_file(name: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """To keep; never kept for others on the way, who might not see the same."""
    response = HttpResponse(csv_of(columns, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response["Cache-Control"] = "private, no-cache"
    return response
