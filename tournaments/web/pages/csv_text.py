"""CSV files to keep."""

from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from tournaments.core.csv_text import Cell, csv_of


def csv_file(name: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """Return a CSV file to keep; it is never kept for others on the way, who might not see the same."""
    response = HttpResponse(csv_of(columns, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response["Cache-Control"] = "private, no-cache"
    return response
