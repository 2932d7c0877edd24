"""Learns the numbers of a family by playing against itself:

    python3 -m bots.command.learn kaiju

What is learnt, between which bounds, from which start and how long, says the game's `LEARNT`. The method is that of
`boardroom tune`, simultaneous perturbation: in each step all numbers are varied two opposite ways, the two meet in sets
of one deal from both seats, and the numbers go towards the one that took more. The same seed learns the same.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from bots.command.measure import SEATS, taken, usual_options
from bots.command.parameters import Point, read_parameters, values
from bots.command.spsa import Spsa
from bots.field import read_fields
from bots.rungs import families_of
from bots.rungs.players import Lesson

SEED: Final = "learn"
EVERY: Final = 20  # steps: how often it tells where it stands


def learnt_numbers(game: str, lesson: Lesson, seed: str, *, report: bool = False) -> Mapping[str, float]:
    """The numbers of the family after so many steps."""
    search, options = Spsa(read_parameters(lesson.bounds), lesson.steps, seed), usual_options(game)
    for number in range(lesson.steps):
        pair = [(lesson.family, found(search, point)) for point in search.pair()]
        deals = (f"{seed}/{number}/{deal}" for deal in range(lesson.sets))
        search.learn(fmean(taken(game, options, pair, deal) for deal in deals) / SEATS)
        if report and number % EVERY == 0:
            print(number, json.dumps(found(search, search.point)), file=sys.stderr, flush=True)
    return found(search, search.best())


def found(search: Spsa, point: Point) -> dict[str, float]:
    return {name: float(f"{value:.3g}") for name, value in values(search.parameters, point).items()}


def lesson_of(game: str) -> Lesson:
    lesson: Lesson = families_of(game).LEARNT
    return lesson


def learning() -> list[str]:
    """Return the games that have a family with learnt numbers."""
    return [game for game in read_fields() if hasattr(families_of(game), "LEARNT")]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python3 -m bots.command.learn", description="Learn the numbers of a family.")
    parser.add_argument("game", choices=learning())
    parser.add_argument("--steps", type=int, help="default: as many as what ships has learnt in")
    parser.add_argument("--sets", type=int, help="in each step; default: the same")
    parser.add_argument("--seed", default=SEED)
    options = parser.parse_args(arguments)
    lesson = lesson_of(options.game)
    lesson = lesson._replace(steps=options.steps or lesson.steps, sets=options.sets or lesson.sets)
    print(json.dumps(learnt_numbers(options.game, lesson, options.seed, report=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
