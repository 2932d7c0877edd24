"""For every question of a game a legal answer, as JSON with references: what a bot of any language begins with.

`$cards.0` is the first of the question's `cards`; `$besides.hand.templates.0` goes deeper; `#seats` is the numbers from
0 on, as many as `seats` has. Without these a game's bots begin in Python.
"""

import re
from collections.abc import Iterator, Mapping

from bots.games import module_of

REFERENCE = re.compile(r"([$#])([a-z_.0-9]+)")


def first_answers(game: str) -> Mapping[str, str]:
    """Return a first answer by tag of question; none for a game without any."""
    module = module_of(game, "first_answers")
    return module.FIRST_ANSWERS if module else {}


def parts(answer: str) -> Iterator[tuple[str, list[str]]]:
    """An answer piece by piece: ("", [text]), ("$", path) or ("#", path)."""
    done = 0
    for match in REFERENCE.finditer(answer):
        if before := answer[done : match.start()]:
            yield "", [before]
        yield match[1], match[2].split(".")
        done = match.end()
    if ending := answer[done:]:
        yield "", [ending]
