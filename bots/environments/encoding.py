"""All that an environment needs to know of a game with certain options: what is observed, and how it is answered."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from struct import Struct
from typing import Any, Final

from bots.environments.actions import Actions, Way
from bots.environments.layout import Layout
from bots.environments.packing import INT, Packed, packing
from bots.games import PACKAGES, has_module
from engine.core import Question
from engine.errors import Portable
from engine.game import AnyGame, Options
from engine.games import GAMES
from engine.records import RecordError, canonical, show

ENCODED: Final = tuple(game for game in GAMES if has_module(game, "encoding"))
SO_FAR: Final = 8  # parts of an answer, the latest last, that are observed
_TAIL: Final = Struct(f"={2 + SO_FAR}i")


class EnvironmentRefused(Portable):
    """Why there is no such environment. `code` is stable: unknown_game, no_encoding, bad_option, missing_extra, ..."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(f"{sentence} [{code}]")
        self.code = code


@dataclass(frozen=True, slots=True)
class Parts:
    """What a game's own module gives. `longest`: more decisions than any match has."""

    layout: Layout
    actions: Actions
    ways: Mapping[Any, Way]
    longest: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A kind of question: a 1 for it among the game's, and all of the tail where it has no range and no parts."""

    kind: bytes
    plain: bytes
    has_range: bool


@dataclass(frozen=True, slots=True)
class Encoding:
    """An observation is the layout's fields, and behind them what is asked: see `tail`. Both are as bytes here."""

    game: AnyGame
    options: Options
    layout: Layout
    actions: Actions
    ways: Mapping[Any, Way]  # by the type of the question
    longest: int  # more decisions than any match has
    asked: Mapping[type[Question[Any]], Asked]
    nothing: bytes  # the tail where the seat is not asked
    packed: Packed

    @property
    def size(self) -> int:
        """Return how many numbers an observation has."""
        return self.layout.size + len(self.asked) + 2 + SO_FAR

    def tail(self, question: Question[Any], parts: list[int]) -> bytes:
        """Return as bytes the kind of question; the least and most that is bid, else 0; and the parts, each plus 1."""
        asked = self.asked[type(question)]
        if not parts and not asked.has_range:
            return asked.plain
        low, high = (question.low, question.high) if asked.has_range else (0, 0)  # type: ignore[attr-defined]
        so_far = [part + 1 for part in parts[-SO_FAR:]]
        return asked.kind + _TAIL.pack(low, high, *[0] * (SO_FAR - len(so_far)), *so_far)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game's name and the options, of which every process makes the same encoding."""
        return _encoding, (self.game.name, canonical(self.options))


def encoding_of(game: str, options: Mapping[str, Any]) -> Encoding:
    """Raises EnvironmentRefused. The same options give the same object."""
    if game not in ENCODED:
        code = "no_encoding" if game in GAMES else "unknown_game"
        raise EnvironmentRefused(code, f"there is no environment of {show(game)}; there are: {', '.join(ENCODED)}")
    try:
        return _encoding(game, canonical(GAMES[game].read_options(dict(options))))
    except RecordError as error:
        raise EnvironmentRefused("bad_option", str(error)) from None


@lru_cache(maxsize=64)
def _encoding(game: str, options: str) -> Encoding:
    found = GAMES[game]
    read = found.read_options(json.loads(options))
    parts: Parts = import_module(f"{PACKAGES[game]}.encoding").parts(read)
    asked = dict(_asked(found.questions))
    nothing = bytes((len(asked) + 2 + SO_FAR) * INT)
    packed = packing(parts.layout, len(nothing) // INT)
    return Encoding(found, read, parts.layout, parts.actions, parts.ways, parts.longest, asked, nothing, packed)


def _asked(questions: Sequence[type[Question[Any]]]) -> Iterator[tuple[type[Question[Any]], Asked]]:
    for at, question in enumerate(questions):
        kind = b"".join((at == other).to_bytes(INT, sys.byteorder) for other in range(len(questions)))
        plain = kind + bytes((2 + SO_FAR) * INT)
        yield question, Asked(kind, plain, hasattr(question, "low") and hasattr(question, "high"))
