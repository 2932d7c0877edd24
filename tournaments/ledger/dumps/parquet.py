"""Parquet files of flat tables, without a library: row groups are made apart, and any of them make a file.

A column of a row group is one page, PLAIN and packed by gzip, with definition levels, for every column may be null
(https://parquet.apache.org/docs/file-format/). Bytes are stored as they are: those here are packed already.
"""

import gzip
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.ledger.dumps.columns import Column
from tournaments.ledger.dumps.thrift import BINARY, I32, I64, LIST, STRUCT, ListOf, Struct, varint

MAGIC = b"PAR1"
BOOLEAN, INT64, DOUBLE, BYTE_ARRAY = 0, 2, 5, 6
TYPES = {
    "bool": BOOLEAN,
    "int": INT64,
    "time": INT64,
    "float": DOUBLE,
    "text": BYTE_ARRAY,
    "json": BYTE_ARRAY,
    "bytes": BYTE_ARRAY,
}
CONVERTED = {"text": 0, "json": 19, "time": 10}  # UTF8, JSON, TIMESTAMP_MICROS
OPTIONAL, PLAIN, RLE, UNPACKED, GZIP = 1, 0, 3, 0, 2
LEVEL = 6


@dataclass(frozen=True, slots=True)
class PackedColumn:
    """A column of a row group: where its page begins in the group, and how long it is, packed and not."""

    offset: int
    packed: int
    plain: int


@dataclass(frozen=True, slots=True)
class RowGroup:
    rows: int
    columns: Sequence[PackedColumn]


def row_group(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> tuple[RowGroup, bytes]:
    """Return the pages of some rows, one after another."""
    pages, packed, offset = [], [], 0
    by_column = zip(*rows, strict=True) if rows else ((),) * len(columns)
    for column, values in zip(columns, by_column, strict=True):
        page, plain = _page(column, values)
        pages.append(page)
        packed.append(PackedColumn(offset, len(page), plain))
        offset += len(page)
    return RowGroup(len(rows), packed), b"".join(pages)


def _page(column: Column, values: Sequence[Any]) -> tuple[bytes, int]:
    present = [value for value in values if value is not None]
    levels = _levels(values, len(present))
    plain = struct.pack("<I", len(levels)) + levels + _plain(column, present)
    packed = plain if column.kind == "bytes" else gzip.compress(plain, LEVEL, mtime=0)
    about = Struct().put(1, I32, len(values)).put(2, I32, PLAIN).put(3, I32, RLE).put(4, I32, RLE)
    head = Struct().put(1, I32, 0).put(2, I32, len(plain)).put(3, I32, len(packed)).put(5, STRUCT, about).encoded()
    return head + packed, len(head) + len(plain)


def _levels(values: Sequence[Any], present: int) -> bytes:
    """Return 1 for each value, 0 for each null: a run where all are alike, else bits."""
    if present in (0, len(values)):
        return varint(len(values) << 1) + bytes([present > 0])
    groups = -(-len(values) // 8)
    return varint(groups << 1 | 1) + _bits([value is not None for value in values])


def _bits(values: Sequence[bool]) -> bytes:
    """Eight a byte, the lowest first."""
    text = "".join("1" if value else "0" for value in reversed(values))
    return int(text or "0", 2).to_bytes(-(-len(values) // 8), "little")


def _plain(column: Column, values: Sequence[Any]) -> bytes:
    match TYPES[column.kind]:
        case 0:
            return _bits(values)
        case 2:
            return struct.pack(f"<{len(values)}q", *values)
        case 5:
            return struct.pack(f"<{len(values)}d", *values)
    blobs = [value if isinstance(value, bytes) else value.encode() for value in values]
    return b"".join(part for blob in blobs for part in (struct.pack("<I", len(blob)), blob))


def footer(columns: Sequence[Column], groups: Sequence[tuple[int, RowGroup]]) -> bytes:
    """The end of a file, in which each group begins at its offset: the first behind MAGIC."""
    root = Struct().put(4, BINARY, b"schema").put(5, I32, len(columns))
    schema = [root, *(_element(column) for column in columns)]
    about = Struct().put(1, I32, 1).put(2, LIST, ListOf(STRUCT, schema))
    about.put(3, I64, sum(group.rows for _, group in groups))
    about.put(4, LIST, ListOf(STRUCT, [_group(columns, offset, group) for offset, group in groups]))
    about.put(6, BINARY, b"boardroom")
    encoded = about.encoded()
    return encoded + struct.pack("<I", len(encoded)) + MAGIC


def _element(column: Column) -> Struct:
    element = Struct().put(1, I32, TYPES[column.kind]).put(3, I32, OPTIONAL).put(4, BINARY, column.name.encode())
    return element.put(6, I32, CONVERTED[column.kind]) if column.kind in CONVERTED else element


def _group(columns: Sequence[Column], offset: int, group: RowGroup) -> Struct:
    chunks = [_chunk(column, offset, page, group.rows) for column, page in zip(columns, group.columns, strict=True)]
    size = sum(page.plain for page in group.columns)
    return Struct().put(1, LIST, ListOf(STRUCT, chunks)).put(2, I64, size).put(3, I64, group.rows)


def _chunk(column: Column, offset: int, page: PackedColumn, rows: int) -> Struct:
    about = Struct().put(1, I32, TYPES[column.kind]).put(2, LIST, ListOf(I32, [PLAIN, RLE]))
    about.put(3, LIST, ListOf(BINARY, [column.name.encode()]))
    about.put(4, I32, UNPACKED if column.kind == "bytes" else GZIP).put(5, I64, rows)
    about.put(6, I64, page.plain).put(7, I64, page.packed).put(9, I64, offset + page.offset)
    return Struct().put(2, I64, offset + page.offset).put(3, STRUCT, about)
