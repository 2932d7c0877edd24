"""The compact protocol of Apache Thrift, as far as the footer and the page headers of Parquet need it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
SHORT = 15  # a list of fewer has its length in its first byte


@dataclass(slots=True)
class Struct:
    """Fields by their numbers, in ascending order: `put` them so."""

    fields: list[tuple[int, int, object]] = field(default_factory=list)

    def put(self, number: int, kind: int, value: object) -> "Struct":
        self.fields.append((number, kind, value))
        return self

    def encoded(self) -> bytes:
        return b"".join(self._parts())

    def _parts(self) -> Iterator[bytes]:
        before = 0
        for number, kind, value in self.fields:
            assert 0 < number - before < 16, "a field's number is told by its distance from the one before"
            yield bytes([(number - before) << 4 | kind])
            yield _value(kind, value)
            before = number
        yield b"\0"


@dataclass(frozen=True, slots=True)
class ListOf:
    kind: int
    values: Sequence[object]


def varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


def _value(kind: int, value: object) -> bytes:
    match value:
        case int():
            return varint(value << 1 if value >= 0 else (-value << 1) - 1)  # zigzag
        case bytes():
            return varint(len(value)) + value
        case Struct():
            return value.encoded()
        case ListOf():
            size = len(value.values)
            head = bytes([size << 4 | value.kind]) if size < SHORT else bytes([0xF0 | value.kind]) + varint(size)
            return head + b"".join(_value(value.kind, item) for item in value.values)
    raise TypeError(f"{kind} {value!r}")
