"""Rows as gzipped JSON Lines. Separately packed parts can be joined: their members in sequence are a valid file."""

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from tournaments.ledger.dumps.columns import Column

LEVEL = 6
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOTHING = gzip.compress(b"", LEVEL, mtime=0)
END = gzip.compress(b"}\n", LEVEL, mtime=0)


def packed(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> bytes:
    if any(column.kind == "bytes" for column in columns):
        return b"".join(_around(columns, rows)) or NOTHING
    return gzip.compress("".join(rows_as_json_lines(columns, rows)).encode(), LEVEL, mtime=0)


def rows_as_json_lines(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    names = [column.name for column in columns]
    odd = [(position, column.kind) for position, column in enumerate(columns) if column.kind in ("time", "json")]
    write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for row in rows:
        values = list(row)
        for position, kind in odd:
            values[position] = _shown(kind, values[position])
        yield write(dict(zip(names, values, strict=True))) + "\n"


def _shown(kind: str, value: Any) -> Any:
    if value is None:
        return None
    return json.loads(value) if kind == "json" else iso(value)


def iso(micros: int) -> str:
    return (EPOCH + timedelta(microseconds=micros)).isoformat().replace("+00:00", "Z")


def _around(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """A replay is packed JSON already: the line is written around it, and nothing is packed twice."""
    number, replay = (column.name for column in columns)
    for key, blob in rows:
        yield gzip.compress(f'{{"{number}":{key},"{replay}":'.encode(), LEVEL, mtime=0)
        yield blob
        yield END
