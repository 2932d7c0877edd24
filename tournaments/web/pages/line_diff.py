"""What changed between two texts, line by line. The time it takes follows from their length alone: a patience diff.

The standard library's `difflib` is quadratic and worse; made-up texts of a few thousand lines hold it for many seconds.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from tournaments.core.config.budgets import Budget, declare

SHOWN = declare(
    Budget(
        "differences between versions on a page",
        resource="Texts",
        most=300_000,
        unit="bytes",
        holder="page",
        where="tournaments.web.pages.line_diff.differing_lines",
        sentence="a page shows differences of at most %(most)s bytes; of more there is the beginning",
    )
)
MARKUP = 40  # bytes of a page around a line
LINE = 300  # characters of a line that are shown
AROUND = 3  # lines that did not change, before and after each that did
CLASSES = {"+": "added", "-": "removed", "@": "soft"}
Lines = Sequence[str]
Pairs = list[tuple[int, int]]  # of equal lines, by their places


def differing_lines(before: str, after: str, room: int = SHOWN.most) -> list[tuple[str, str]]:
    """Return what went and came, with a few lines around it: for each line a class and the line, `room` bytes of it."""
    rows = list(changes(before.split("\n"), after.split("\n")))
    near = {at + off for at, (sign, _, _) in enumerate(rows) if sign != " " for off in range(-AROUND, AROUND + 1)}
    found: list[tuple[str, str]] = []
    for at, (sign, line, number) in enumerate(rows):
        if at not in near:
            continue
        if at - 1 not in near or at == 0:
            found.append((CLASSES["@"], f"@@ line {number} @@"))
        found.append((CLASSES.get(sign, ""), sign + cut_line(line)))
        room -= bytes_on_page(found[-1])
        if room <= 0:
            break
    return found


def bytes_on_page(line: tuple[str, str]) -> int:
    """Return the bytes of a line in a page."""
    return len(line[1].encode()) + MARKUP


def cut_line(line: str) -> str:
    """Return the line, or its beginning and how many characters it has."""
    return line if len(line) <= LINE else f"{line[:LINE]}… ({len(line):,})"


def changes(old: Lines, new: Lines) -> Iterator[tuple[str, str, int]]:
    """Yield all lines of both: "-" those that went, "+" those that came; with the number of the line in `new`."""
    at = to = 0
    for x, y in [(0, 0), *unique_lines(old, new), (len(old), len(new))]:
        if x < at or y < to:
            continue  # the lines that stayed have run past it
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(reversed(old[at:x]), reversed(new[to:y]), strict=False))
        back = sum(1 for _ in alike)
        yield from (("-", line, to + 1) for line in old[at : x - back])
        yield from (("+", line, number) for number, line in enumerate(new[to : y - back], to + 1))
        at, to = x - back, y - back
        while at < len(old) and to < len(new) and old[at] == new[to]:
            yield " ", old[at], to + 1
            at, to = at + 1, to + 1


def unique_lines(old: Lines, new: Lines) -> Pairs:
    """Lines that each has once: as many as come in the same order in both."""
    there = once(new)
    return rising([(at, there[line]) for line, at in once(old).items() if line in there])


def once(lines: Lines) -> dict[str, int]:
    counts = Counter(lines)
    return {line: at for at, line in enumerate(lines) if counts[line] == 1}


def rising(pairs: Pairs) -> Pairs:
    """The longest run whose second parts rise."""
    ends: list[int] = []  # by length, the smallest second part that such a run ends with
    last: list[int] = []  # and which pair that is
    before: dict[int, int] = {}
    for number, (_, second) in enumerate(pairs):
        length = bisect_left(ends, second)
        ends[length : length + 1], last[length : length + 1] = [second], [number]
        before[number] = last[length - 1] if length else -1
    run, number = [], last[-1] if last else -1
    while number >= 0:
        run.append(pairs[number])
        number = before[number]
    return run[::-1]
