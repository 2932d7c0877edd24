"""Reads the Parquet that dumps are made of, by the format's own words and with no line of what writes it.

`tests/tournaments/ledger/dumps/test_other_readers.py` has others' programs read it too, where they are installed.
"""

import gzip
import struct
from collections.abc import Iterator
from typing import Any

Fields = dict[int, Any]


class Thrift:
    """The compact protocol, read."""

    def __init__(self, data: bytes, position: int = 0) -> None:
        self.data, self.position = data, position

    def byte(self) -> int:
        self.position += 1
        return self.data[self.position - 1]

    def varint(self) -> int:
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def value(self, kind: int) -> Any:
        if kind in (5, 6):
            raw = self.varint()
            return raw >> 1 ^ -(raw & 1)
        if kind == 8:
            size = self.varint()
            self.position += size
            return self.data[self.position - size : self.position]
        if kind == 9:
            head = self.byte()
            size = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(size)]
        assert kind == 12, kind
        return self.struct()

    def struct(self) -> Fields:
        fields: Fields = {}
        number = 0
        while head := self.byte():
            number += head >> 4
            fields[number] = self.value(head & 15)
        return fields


def read_parquet(data: bytes) -> dict[str, list[Any]]:
    """Values by column."""
    assert data[:4] == data[-4:] == b"PAR1"
    [size] = struct.unpack("<I", data[-8:-4])
    about = Thrift(data, len(data) - 8 - size).struct()
    root, *elements = about[2]
    assert root[5] == len(elements)
    columns: dict[str, list[Any]] = {element[4].decode(): [] for element in elements}
    for group in about[4]:
        for chunk, element in zip(group[1], elements, strict=True):
            values = list(page(data, chunk[3], text="6" if element.get(6) in (0, 19) else ""))
            assert len(values) == chunk[3][5] == group[3]
            columns[element[4].decode()] += values
    assert {len(values) for values in columns.values()} <= {about[3]}
    return columns


def page(data: bytes, column: Fields, text: str) -> Iterator[Any]:
    reader = Thrift(data, column[9])
    head = reader.struct()
    packed = data[reader.position : reader.position + head[3]]
    assert reader.position + head[3] - column[9] == column[7]
    plain = gzip.decompress(packed) if column[4] == 2 else packed
    assert len(plain) == head[2]
    count = head[5][1]
    [length] = struct.unpack("<I", plain[:4])
    present = levels(plain[4 : 4 + length], count)
    values = values_of(column[1], plain[4 + length :], sum(present), is_text=bool(text))
    return (next(values) if level else None for level in present)


def levels(data: bytes, count: int) -> list[bool]:
    reader = Thrift(data)
    head = reader.varint()
    if head & 1:
        return list(bits(data[reader.position :], count))
    assert head >> 1 == count
    return [bool(reader.byte())] * count


def bits(data: bytes, count: int) -> Iterator[bool]:
    return (bool(data[place // 8] >> place % 8 & 1) for place in range(count))


def values_of(kind: int, data: bytes, count: int, *, is_text: bool) -> Iterator[Any]:
    if kind == 0:
        return bits(data, count)
    if kind in (2, 5):
        return iter(struct.unpack(f"<{count}{'q' if kind == 2 else 'd'}", data))
    return blobs(data, is_text=is_text)


def blobs(data: bytes, *, is_text: bool) -> Iterator[Any]:
    position = 0
    while position < len(data):
        [size] = struct.unpack_from("<I", data, position)
        blob = data[position + 4 : position + 4 + size]
        position += 4 + size
        yield blob.decode() if is_text else blob
