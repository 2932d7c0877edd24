"""Learns what positions of a game are worth, from matches that the policy of its rungs plays against itself:

    python3 -m bots.command.learn_worth kaiju

By least squares: how far the first of two seats is ahead in each sign that the `worth` of the game's rungs sees,
against its lead at the end. Some answers are drawn by lot, so that there is more to see. Who plays how many matches say
the game's `LESSONS`. The same seed learns the same.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Final

from bots.command.measure import usual_options
from bots.games import PACKAGES, has_module
from bots.imagine import AnyMatch, Policy, step
from bots.paired_ratings import inverted
from bots.rungs.knowledge import lead_of
from bots.rungs.lessons import Lesson, Row, Teacher
from engine.dice import Dice
from engine.games import GAMES

SEED: Final = "worth"
HOLD: Final = 50  # added to each square: it holds a sign that tells nothing near 0
FINE: Final = 1000  # of the unit of a weight in what is scored


def lessons_of(game: str) -> Sequence[Lesson]:
    lessons: Sequence[Lesson] = import_module(f"{PACKAGES[game]}.lessons").LESSONS
    return lessons


def learnt_weights(game: str, seed: str, matches: int | None = None) -> Row:
    """The weights of the signs, lesson by lesson."""
    weights = Row()
    for number, lesson in enumerate(lessons_of(game)):
        lesson_seed = f"{seed}/{number}" if number else seed
        weights = taught(game, lesson._replace(matches=matches or lesson.matches), weights, lesson_seed)
        print(json.dumps(weights), file=sys.stderr, flush=True)
    return weights


def taught(game: str, lesson: Lesson, weights: Row, seed: str) -> Row:
    """The weights that a lesson teaches, in which those learnt before it are played by."""
    squares, products, teacher = list[Row](), Row(), lesson.teacher(weights)
    for number in range(lesson.matches):
        for row, lead in positions(game, lesson, teacher, f"{seed}/{number}", number):
            squares = squares or [
                [HOLD * (row_number == column) for column in range(len(row))] for row_number in range(len(row))
            ]
            products = products or [0] * len(row)
            add_to_equations(squares, products, row, lead)
    return [round(sum(a * b for a, b in zip(row, products, strict=True))) for row in inverted(squares)]


def add_to_equations(squares: list[Row], products: Row, row: Row, lead: int) -> None:
    """Add a row to the normal equations, in whole numbers."""
    for number, sign in enumerate(row):
        products[number] += sign * lead
        squares[number] = [so_far + sign * other for so_far, other in zip(squares[number], row, strict=True)]


def positions(game: str, lesson: Lesson, teacher: Teacher, seed: str, number: int) -> Iterator[tuple[Row, int]]:
    """Return the positions of a match, each with what the first seat led by at its end, or half that and half what the
    teacher knew."""
    match = GAMES[game].start(usual_options(game), seed, listen=False)
    dice, every_nth = Dice.of(f"{seed} by lot"), lesson.by_lot[number % len(lesson.by_lot)]
    played = list(leads_by_moment(match, lesson, teacher, partial(teacher.answer, dice=dice, every_nth=every_nth)))
    end, most = FINE * round(lead_of(GAMES[game].scores(match.at), 0)), FINE * lesson.most
    for row, knew in played[:: lesson.spacing]:
        yield row, (clamped(end, most) + clamped(end if knew is None else knew, most)) // 2


def clamped(lead: int, most: int) -> int:
    return max(-most, min(most, lead))


def leads_by_moment(
    match: AnyMatch, lesson: Lesson, teacher: Teacher, policy: Policy
) -> Iterator[tuple[Row, int | None]]:
    """How far the first seat is ahead before each answer; the match goes on between them."""
    while not match.over:
        first, second = lesson.signs(match.at)
        step(match, {}, policy)
        yield [own_sign - other for own_sign, other in zip(first, second, strict=True)], teacher.lead()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python3 -m bots.command.learn_worth", description="Learn the worth of positions.")
    parser.add_argument("game", choices=[game for game in GAMES if has_module(game, "lessons")])
    parser.add_argument("--matches", type=int, help="of each lesson; default: as many as what ships has learnt in")
    parser.add_argument("--seed", default=SEED)
    options = parser.parse_args(arguments)
    print(json.dumps(learnt_weights(options.game, options.seed, options.matches)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
