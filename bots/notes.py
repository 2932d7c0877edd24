"""A bot's own notes: what it wrote on stderr, cut at each question.

All that comes after a question and before the next one belongs to the question; what comes before the first belongs to
the start. The first 4 KB of each are kept, and 64 KB of a whole match: a bot that writes more is not at fault.

A line may begin with a tag, `#plan`, and end in a mark, an object of JSON that says what the note is about:

    #plan the north is worth most {"place": "h3", "number": 14}

What is no such tag or mark is text. So every line is a note, whatever it holds.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final, NamedTuple, Protocol

MOST: Final = 64 << 10  # bytes of a bot's notes in a match
MOST_AT_ONCE: Final = 4 << 10  # and between two questions
EACH: Final = 16  # bytes that a note takes besides its text
LEAST: Final = 64  # with less room than that nothing more is kept
START: Final = -1  # in place of a question's number, counted from 0

COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")  # what terminals take for colours and moves
TAG = re.compile(r"#([A-Za-z][\w-]{0,30})(?:\s+|$)", re.ASCII)
MARK: Final[dict[str, tuple[type, ...]]] = {"place": (str,), "to": (str,), "number": (int, float)}
LONGEST_PLACE: Final = 80


class Notebook:
    """Takes what one bot writes, as it comes, and keeps no more than may be kept."""

    __slots__ = ("_cut", "_full_at", "_heard", "_kept", "_over", "_question", "_room")

    def __init__(self) -> None:
        self._kept: list[tuple[int, str]] = []
        self._question, self._heard, self._cut = START, b"", 0
        self._room = MOST
        self._over, self._full_at = 0, START  # bytes that came when there was no more room, and since which question

    def hear(self, data: bytes) -> None:
        if self._room < LEAST:
            self._full_at = self._full_at if self._over else self._question
            self._over += len(data)
            return
        taken = max(0, min(MOST_AT_ONCE, self._room - EACH) - len(self._heard))
        self._heard += data[:taken]
        self._cut += len(data[taken:])

    def turn(self) -> None:
        """The next question is asked: what was heard belongs to the one before."""
        self._close()
        self._question += 1

    def pages(self) -> list[tuple[int, str]]:
        """Return what was written by the number of the question, -1 for the start, safe to show and to store."""
        self._close()
        if self._over:
            mark = f"[{self._over:,} bytes from here on are cut: {MOST >> 10} KB a match are kept]"
            return [*self._kept, (self._full_at, mark)]
        return list(self._kept)

    def _close(self) -> None:
        if not self._heard and not self._cut:
            return
        text = fit_text(plain_text(self._heard), max(0, min(MOST_AT_ONCE, self._room - EACH)), self._cut)
        self._heard, self._cut = b"", 0
        if text:
            self._room -= len(text.encode()) + EACH
            self._kept.append((self._question, text))


class Noted(NamedTuple):
    """What a seat wrote while it was asked for an answer, by the answer's place in the replay; -1 before the first."""

    seat: int
    answer: int
    text: str


class Given(Protocol):
    @property
    def seat(self) -> int: ...


def noted(pages: Sequence[Sequence[tuple[int, str]]], answers: Sequence[Given]) -> list[Noted]:
    """The pages of all seats, by answers in place of questions: who is left out once is not asked again."""
    given = [[index for index, answer in enumerate(answers) if answer.seat == seat] for seat in range(len(pages))]
    return [
        Noted(seat, given[seat][question] if question in range(len(given[seat])) else START, text)
        for seat, written in enumerate(pages)
        for question, text in written
    ]


def plain_text(data: bytes) -> str:
    """Lines without colours, and without anything that a page or a terminal would not show as it is."""
    text = COLOURS.sub("", data.decode("utf-8", "replace"))
    return shown("\n".join(line.rstrip() for line in text.splitlines() if line.strip()))


def shown(text: str) -> str:
    """Return the text without what is not printed as it is: control characters, such as those that turn the direction
    of writing."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def fit_text(text: str, room: int, cut: int) -> str:
    """Return what fits of the text; `cut` bytes are missing already."""
    encoded = text.encode()
    mark = f"[{cut + max(0, len(encoded) - room):,} bytes more are cut]" if cut or len(encoded) > room else ""
    if not mark:
        return text
    kept = encoded[: max(0, room - len(mark) - 1)].decode(errors="ignore").rstrip()
    return f"{kept}\n{mark}" if kept else mark


@dataclass(frozen=True, slots=True)
class Line:
    """One note. `mark` has "place", "to" and "number", as far as the bot gave them."""

    tag: str
    text: str
    mark: dict[str, Any]

    def has(self, words: str, tag: str = "") -> bool:
        """Whether it has the tag, and all the words somewhere in it."""
        searched = f"{self.text} {self.mark.get('place', '')} {self.mark.get('to', '')}".casefold()
        return (not tag or tag.casefold() == self.tag.casefold()) and all(
            word in searched for word in words.casefold().split()
        )


def lines_of(text: str) -> Iterator[Line]:
    for line in text.splitlines():
        match = TAG.match(line)
        remainder = line[match.end() :] if match else line
        words, mark = _parted(remainder)
        yield Line(match[1] if match else "", words, mark)


def _parted(line: str) -> tuple[str, dict[str, Any]]:
    """The text, and the mark at its end."""
    begins = line.rfind("{")
    if begins < 0 or not line.endswith("}"):
        return line, {}
    try:
        mark = json.loads(line[begins:], parse_constant=_refuse)
    except (ValueError, RecursionError):
        return line, {}
    return (line[:begins].rstrip(), mark) if _is_mark(mark) else (line, {})


def _refuse(constant: str) -> float:
    """NaN and Infinity are no numbers that could be drawn."""
    raise ValueError(constant)


def _is_mark(mark: dict[str, Any]) -> bool:
    """Something of what a mark may hold, and nothing else."""
    return bool(mark) and all(
        name in MARK and type(value) in MARK[name] and len(repr(value)) <= LONGEST_PLACE and value not in (inf, -inf)
        for name, value in mark.items()
    )
