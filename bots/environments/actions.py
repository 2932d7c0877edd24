"""The actions of a game: a fixed list of numbers, in blocks. A block has every answer of one kind, made of its fields.

    Block.of(Place, card=CARDS, pile=range(1, 5))       Place("M01", 1), Place("M01", 2), ... Place("F05", 4)

The last field counts quickest. Amounts are levels of the range that the question gives (`amounts`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import compress, product
from typing import Any, Protocol

from engine.core import Question
from engine.records import Record


@dataclass(frozen=True, slots=True)
class Block:
    """Actions `start` to `start + size`. `values` are those of its fields, or the one value of its one field."""

    name: str
    fields: tuple[str, ...]
    values: tuple[Any, ...]
    kind: Callable[..., Any] | None = None
    start: int = 0
    index: Mapping[Any, int] = field(default_factory=dict, repr=False)  # the action of each value

    @classmethod
    def of(cls, kind: type[Record], name: str = "", /, **domains: Sequence[Any]) -> "Block":
        """Return all answers of this kind whose fields are in these domains. Other fields have their defaults."""
        order = [field_.name for field_ in fields(kind) if field_.name in domains]  # type: ignore[arg-type]
        return cls.listed(name or kind.tag, kind, **{field: domains[field] for field in order})

    @classmethod
    def listed(cls, name: str, kind: Callable[..., Any] | None = None, /, **domains: Sequence[Any]) -> "Block":
        """The same of what is part of an answer, or of none."""
        values = [values[0] if len(domains) == 1 else values for values in product(*domains.values())]
        return cls(name, tuple(domains), tuple(values), kind)

    @property
    def size(self) -> int:
        return len(self.values)

    def at(self, start: int) -> "Block":
        index = {value: start + offset for offset, value in enumerate(self.values)}
        return Block(self.name, self.fields, self.values, self.kind, start, index)

    def __getitem__(self, value: Any) -> int:
        return self.index[value]

    def __contains__(self, action: int) -> bool:
        return self.start <= action < self.start + len(self.values)

    def value(self, action: int) -> Any:
        return self.values[action - self.start]

    def answer(self, action: int) -> Any:
        """The answer that the action stands for."""
        assert self.kind
        return self.kind(**self.named(action))

    def named(self, action: int) -> dict[str, Any]:
        """The value of each field."""
        value = self.values[action - self.start]
        return {self.fields[0]: value} if len(self.fields) == 1 else dict(zip(self.fields, value, strict=True))


class Again(tuple[int, ...]):  # noqa: SLOT001  a tuple has no room for slots
    """Legal actions that come again as the same object, so that their mask is made once."""

    mask = b""  # of `Actions.mask`


class Marked(Sequence[int]):
    """Legal actions that are known by their mask."""

    __slots__ = ("mask",)

    def __init__(self, row: bytearray) -> None:
        self.mask = bytes(row)

    def all(self) -> list[int]:
        return [*compress(range(len(self.mask)), self.mask)]

    def __len__(self) -> int:
        return sum(self.mask)

    def __getitem__(self, index: Any) -> Any:
        return self.all()[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self.all())


@dataclass(frozen=True, slots=True)
class Actions:
    """All blocks of a game with certain options, one after the other."""

    blocks: Mapping[str, Block]
    by_action: tuple[Block, ...]
    size: int

    @classmethod
    def of(cls, *blocks: Block) -> "Actions":
        placed = dict(_placed(blocks))
        by_action = tuple(block for block in placed.values() for _ in block.values)
        return cls(placed, by_action, len(by_action))

    def __getitem__(self, name: str) -> Block:
        return self.blocks[name]

    def block_of(self, action: int) -> Block:
        return self.by_action[action]

    def mask(self, legal: Sequence[int]) -> bytes:
        """A 1 for each of these, else 0."""
        if isinstance(legal, Marked):
            return legal.mask
        if isinstance(legal, Again):
            legal.mask = legal.mask or self._mask(legal)
            return legal.mask
        if isinstance(legal, range):
            return bytes(legal.start) + b"\1" * len(legal) + bytes(self.size - legal.stop)
        return self._mask(legal)

    def _mask(self, legal: Sequence[int]) -> bytes:
        row = bytearray(self.size)
        for action in legal:
            row[action] = 1
        return bytes(row)

    def spelled(self, action: int) -> str:
        """`place(card=M01, pile=2)`."""
        block = self.block_of(action)
        return f"{block.name}({', '.join(f'{name}={value}' for name, value in block.named(action).items())})"


def _placed(blocks: Sequence[Block]) -> Iterator[tuple[str, Block]]:
    start = 0
    for block in blocks:
        yield block.name, block.at(start)
        start += block.size


class Way(Protocol):
    """How a question is answered by actions: by one, or by several that are the parts of the answer."""

    def legal(self, question: Any, parts: Sequence[int]) -> Sequence[int]:
        """The actions that may be next, after these parts. There is always one."""
        ...

    def answer(self, question: Any, parts: Sequence[int]) -> Record | None:
        """The answer that the parts make, or None if more are to come."""
        ...


@dataclass(frozen=True, slots=True)
class Single:
    """An answer that is one action of some blocks."""

    actions: Actions
    find: Callable[[Any], Sequence[int]]

    def legal(self, question: Question[Any], _parts: Sequence[int]) -> Sequence[int]:
        return self.find(question)

    def answer(self, _question: Question[Any], parts: Sequence[int]) -> Record:
        answer: Record = self.actions.block_of(parts[0]).answer(parts[0])
        return answer


@dataclass(frozen=True, slots=True)
class Bids:
    """A bid: 0, a pass, is the first action of the block; then the levels of the range that the question gives."""

    block: Block

    @classmethod
    def levels(cls, bid: type[Record], count: int) -> Block:
        return Block.of(bid, amount=["pass", *range(count)])

    def legal(self, question: Any, _parts: Sequence[int]) -> range:
        steps = (question.high - question.low) // getattr(question, "step", 1) + 1
        return range(self.block.start, self.block.start + 1 + min(steps, self.block.size - 1))

    def answer(self, question: Any, parts: Sequence[int]) -> Record:
        level = self.block.value(parts[0])
        kind: Any = self.block.kind
        if level == "pass":
            return kind(0)  # type: ignore[no-any-return]
        step = getattr(question, "step", 1)
        return kind(amounts(question.low, question.high, self.block.size - 1, step)[level])  # type: ignore[no-any-return]


@lru_cache(maxsize=1 << 14)
def amounts(low: int, high: int, levels: int, step: int = 1) -> tuple[int, ...]:
    """The amounts that the levels stand for: all there are, or, if they are more than that, so many of them.

    Then level i is low + step * max(i, n * i * i // (levels - 1)²), n being the steps from `low` to `high`: each of the
    low ones, ever fewer of the higher ones, and the highest.
    """
    most = (high - low) // step
    if most < levels:
        return tuple(range(low, high + 1, step))
    return tuple(low + step * max(level, most * level * level // (levels - 1) ** 2) for level in range(levels))
