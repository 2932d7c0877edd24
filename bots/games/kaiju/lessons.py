"""How the worth of positions of Kaiju Incorporated is learnt: the policy of its rungs plays against itself."""

from collections.abc import Sequence
from typing import Any, Final

from bots.games.kaiju.rungs import families, worth
from bots.rungs.lessons import Lesson, Row, Teacher


def now_and_later(position: Any) -> list[Row]:
    """Return the signs of Kaiju Incorporated, and the same times the New Products that are still to be taken."""
    left = worth.products_left(position)
    rows = (worth.signs(position, seat) for seat in range(len(position.players)))
    return [[*now, *(left * sign for sign in now)] for now in rows]


LESSONS: Final[Sequence[Lesson]] = [
    Lesson(now_and_later, lambda _weights: Teacher(families.policy), (0, 4, 8, 20), 2000)
]
