"""Rows of a long download, a page at a time.

Each page is a query of its own, so nothing holds a cursor, a transaction or a thread between two of them, however
slowly the client reads.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Row = TypeVar("Row")


def paged_rows(page_after: Callable[[int], Sequence[Row]], key: Callable[[Row], int]) -> Iterator[Row]:
    """Yield all rows. `page_after` gives some whose key is greater than a number, in order; none is the end."""
    last = 0
    while page := page_after(last):
        yield from page
        last = key(page[-1])
