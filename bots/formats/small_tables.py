"""Tables smaller than they might be, so that nobody sits idle where the field does not fill them."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from bots.formats.settings import Groups, Knockout, League, RoundRobin, Spec, Swiss

Stage = TypeVar("Stage", bound=RoundRobin | Swiss | Knockout)
Allowed = Callable[[int], bool]  # whether the game can be played by so many


def with_small_tables(spec: Spec, allowed: Allowed) -> Spec:
    """Return the format with the smallest table that the game allows where `fewest` is 0; so 7 at tables of four sit
    down as 4 and 3.

    A gauntlet's challengers always sit, and on the hill all but a table wait, so these keep what they have.
    """
    match spec:
        case Groups():
            return replace(spec, first=_stage(spec.first, allowed), then=_stage(spec.then, allowed))
        case League():
            return replace(spec, season=_stage(spec.season, allowed))
        case RoundRobin() | Swiss() | Knockout():
            return _stage(spec, allowed)
        case _:
            return spec


def _stage(spec: Stage, allowed: Allowed) -> Stage:
    if spec.fewest or spec.edition == 1:
        return spec
    fewest = spec.seats
    while fewest > 2 and allowed(fewest - 1):
        fewest -= 1
    return replace(spec, fewest=fewest)
