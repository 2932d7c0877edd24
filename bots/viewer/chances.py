"""Chances of winning, from what all may know of a position: a value fitted on matches of the field's bots.

    chance of a seat = exp(u) / sum of exp(u) over all seats,  u = sum over features of (a + b t + c t²) * feature

with t the part of the match that is over. Each game has a module here with its `FEATURES` and its `outlook`; the
numbers a, b and c are in weights.json, by game and number of players, where `python3 -m tests.games.chances` puts them.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from math import exp
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from bots.games.gigabucks import chances as gigabucks
from bots.games.kaiju import chances as kaiju
from bots.games.network import chances as network
from bots.games.shangzhou import chances as shangzhou
from bots.games.zaibatsu import chances as zaibatsu
from bots.viewer.win_chances import Outlook
from engine.core import Seat

Weights = Sequence[Sequence[float]]  # by feature: a, b and c
WEIGHTS: Final = Path(__file__).with_name("weights.json")
GAMES: Final[Mapping[str, ModuleType]] = {
    "zaibatsu": zaibatsu,
    "kaiju": kaiju,
    "shangzhou": shangzhou,
    "gigabucks": gigabucks,
    "network": network,
}


@cache
def weights() -> Mapping[str, Mapping[str, Weights]]:
    """Return the fitted weights by game and number of players."""
    fitted: Mapping[str, Mapping[str, Weights]] = json.loads(WEIGHTS.read_text("utf-8"))
    return fitted


def has_chances(game: str, options: Any) -> bool:
    """Return whether there are weights for the game. There are none where players who left may win: nobody played so
    when they were fitted."""
    return str(options.players) in weights().get(game, {}) and not getattr(options, "resigner_keeps_funds", False)


def chances(game: str, position: Any, worth: Sequence[float], out: Collection[Seat] = ()) -> list[float]:
    """Return the chance of each seat, by seat, in a game that has weights. `worth`: how the seats stand; `out`: who has
    forfeited."""
    seen: Outlook = GAMES[game].outlook(position, worth)
    return softmax(heights(weights()[game][str(len(worth))], seen), {*seen.out, *out})


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
