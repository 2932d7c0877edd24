"""A marking scheme as people write it: a line for each rule, such as `10 = 60% Greedy Gus`."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from tournaments.core.errors import Refused

LINE = re.compile(r"([0-9]{1,5})\s*=\s*([0-9]{1,3})\s*%\s*(\S.*)")
MOST_LINES, MOST_POINTS = 40, 1000


class SchemeLine(NamedTuple):
    points: int
    percent: int
    bot: str  # its name


def read_scheme(text: str) -> list[SchemeLine]:
    """Raises Refused(bad_scheme), which says the line."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise _bad("a marking scheme has a line for each rule, such as: 10 = 60% Greedy Gus")
    if len(lines) > MOST_LINES:
        raise _bad(
            "a marking scheme has %(most)s lines at most; this one has %(lines)s", most=MOST_LINES, lines=len(lines)
        )
    read = [_line(number, line) for number, line in lines]
    _check_once(read)
    return read


def write_scheme(lines: Iterable[SchemeLine]) -> str:
    return "\n".join(f"{line.points} = {line.percent}% {line.bot}" for line in lines)


def _line(number: int, line: str) -> SchemeLine:
    found = LINE.fullmatch(line)
    if not found:
        raise _bad(
            "line %(number)s is %(line)s; write points = percent%% bot, such as: 10 = 60%% Greedy Gus",
            number=number,
            line=f"{line!r:.60}",
        )
    points, percent = int(found[1]), int(found[2])
    if not 1 <= points <= MOST_POINTS:
        raise _bad(
            "line %(number)s gives %(points)s points; a rule gives 1 to %(most)s",
            number=number,
            points=points,
            most=MOST_POINTS,
        )
    if not 1 <= percent <= 99:
        raise _bad(
            "line %(number)s asks for %(percent)s %%; a chance is 1 to 99 %%, since none is ever known to be 100 %%",
            number=number,
            percent=percent,
        )
    return SchemeLine(points, percent, found[3])


def _check_once(lines: Iterable[SchemeLine]) -> None:
    seen = set()
    for line in lines:
        rule = (line.bot.casefold(), line.percent)
        if rule in seen:
            raise _bad(
                "%(percent)s %% against %(bot)s is listed twice; each chance has one rule",
                percent=line.percent,
                bot=line.bot,
            )
        seen.add(rule)


def _bad(sentence: str, **filled: object) -> Refused:
    return Refused("bad_scheme", sentence, **filled)
