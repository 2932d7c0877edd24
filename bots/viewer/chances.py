"""Chances of winning, from what all may know of a position: a value fitted on matches of the field's bots.

    chance of a seat = exp(u) / sum of exp(u) over all seats,  u = sum over features of (a + b t + c t²) * feature

with t the part of the match that is over. A game's viewer has its `outlook`; the numbers a, b and c are in
`chances.json` beside it, by number of players, where `python3 -m tests.games.chances` puts them.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from math import exp
from pathlib import Path
from typing import Any, NamedTuple

from bots.games import FOLDERS
from bots.viewer.game_viewers import part_of
from engine.core import Seat

Weights = Sequence[Sequence[float]]  # by feature: a, b and c


class Outlook(NamedTuple):
    """What a game tells of a position to weigh chances by: public knowledge alone.

    `time`: how much of the match is over, from 0 to 1. `rows`: by seat, its features. `out`: who cannot win any more.
    """

    time: float
    rows: list[list[float]]
    out: AbstractSet[Seat] = frozenset()


def clamp(share: float) -> float:
    return max(0.0, min(1.0, share))


def weights_file(game: str) -> Path:
    return FOLDERS[game] / "chances.json"


@cache
def weights(game: str) -> Mapping[str, Weights]:
    """Return the fitted weights by number of players."""
    file = weights_file(game)
    fitted: Mapping[str, Weights] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return fitted


def has_chances(game: str, options: Any) -> bool:
    """Return whether there are weights for the game. There are none where players who left may win: nobody played so
    when they were fitted."""
    return str(options.players) in weights(game) and not getattr(options, "resigner_keeps_funds", False)


def outlook(game: str, position: Any, worth: Sequence[float]) -> Outlook:
    """Return what the game, one that has weights, tells of the position. `worth`: how the seats stand."""
    game_outlook: Callable[[Any, Sequence[float]], Outlook] = part_of(game, "outlook", None)
    return game_outlook(position, worth)


def chances(game: str, position: Any, worth: Sequence[float], out: Collection[Seat] = ()) -> list[float]:
    """Return the chance of each seat, by seat, in a game that has weights. `worth`: how the seats stand; `out`: who has
    forfeited."""
    seen = outlook(game, position, worth)
    return softmax(heights(weights(game)[str(len(worth))], seen), {*seen.out, *out})


def heights(fitted: Weights, seen: Outlook) -> list[float]:
    """Return u of each seat's chance, by seat."""
    now = [a + seen.time * (b + seen.time * c) for a, b, c in fitted]
    return [sum(weight * part for weight, part in zip(now, row, strict=True)) for row in seen.rows]


def softmax(heights: Sequence[float], out: Collection[Seat] = ()) -> list[float]:
    """Nothing for those who are out, unless that is everybody."""
    left = [seat for seat in range(len(heights)) if seat not in out] or list(range(len(heights)))
    top = max(heights[seat] for seat in left)
    parts = [exp(height - top) if seat in left else 0.0 for seat, height in enumerate(heights)]
    return [part / sum(parts) for part in parts]


def at_the_end(places: Iterable[int]) -> list[float]:
    """Return 1 for who has won; a win that is shared is divided."""
    won = [float(place == 1) for place in places]
    return [share / sum(won) for share in won]
