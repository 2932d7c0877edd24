"""Learns what positions of a game are worth, from matches that the policy of its rungs plays against itself:

    python3 -m bots.command.learn_worth kaiju

By least squares: how far the first of two seats is ahead in each sign that the game's module of `bots.rungs` sees,
against its lead at the end. Some answers are drawn by lot, so that there is more to see. The same seed learns the same.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from bots.command.measure import options_of
from bots.imagine import AnyMatch, Policy, step
from bots.paired_ratings import inverted
from bots.rungs import kaiju_worth, network_worth
from bots.rungs.knowledge import lead_of
from engine.core import Question, Seat
from engine.dice import Dice
from engine.games import GAMES
from engine.records import Record

SEED: Final = "worth"
EVERY: Final = 3  # answers: two positions beside each other tell the same
HOLD: Final = 50  # added to each square: it holds a sign that tells nothing near 0
FINE: Final = 1000  # of the unit of a weight in what is scored
Row = list[int]


class Lesson(NamedTuple):
    """`signs`: what of a position counts, by seat; `by_lot`: one answer of so many (0: none), by match."""

    signs: Callable[[Any, Seat], Row]
    by_lot: Sequence[int]
    matches: int


def now_and_later(at: Any, seat: Seat) -> Row:
    """Of Kaiju Incorporated, also times the New Products that are still to be taken."""
    now, left = kaiju_worth.signs(at, seat), kaiju_worth.products_left(at)
    return [*now, *(left * sign for sign in now)]


LESSONS: Final = {
    "kaiju": Lesson(now_and_later, (0, 4, 8, 20), 2000),
    "network": Lesson(network_worth.signs, (2, 3, 4, 6), 3000),
}


def learnt(game: str, matches: int, seed: str) -> Row:
    """The weights of the signs."""
    squares, products = list[Row](), Row()
    for number in range(matches):
        rows, lead = positions(game, f"{seed}/{number}", number)
        squares = squares or [[HOLD * (row == column) for column in range(len(rows[0]))] for row in range(len(rows[0]))]
        products = products or [0] * len(rows[0])
        add(squares, products, rows, lead)
    found = [sum(a * b for a, b in zip(row, products, strict=True)) for row in inverted(squares)]
    return [round(FINE * weight) for weight in found]


def add(squares: list[Row], products: Row, rows: Iterable[Row], lead: int) -> None:
    """To the normal equations, in whole numbers."""
    for row in rows:
        for number, sign in enumerate(row):
            products[number] += sign * lead
            squares[number] = [so_far + sign * other for so_far, other in zip(squares[number], row, strict=True)]


def positions(game: str, seed: str, number: int) -> tuple[list[Row], int]:
    """Of a match, and the lead of the first seat at its end."""
    lesson, policy = LESSONS[game], import_module(f"bots.rungs.{game}").KNOWS.policy
    match = GAMES[game].start(options_of(game), seed, listen=False)
    by_lot = wavering(policy, Dice.of(f"{seed} by lot"), lesson.by_lot[number % len(lesson.by_lot)])
    rows = [row for moment, row in enumerate(moments(match, lesson, by_lot)) if moment % EVERY == 0]
    return rows, round(lead_of(GAMES[game].scores(match.at), 0))


def moments(match: AnyMatch, lesson: Lesson, policy: Policy) -> Iterator[Row]:
    """How far the first seat is ahead before each answer; the match goes on between them."""
    while not match.over:
        first, second = (lesson.signs(match.at, seat) for seat in range(2))
        yield [mine - theirs for mine, theirs in zip(first, second, strict=True)]
        step(match, {}, policy)


def wavering(policy: Policy, dice: Dice, many: int) -> Policy:
    def answer(match: AnyMatch, seat: Seat, question: Question[Any]) -> Record:
        return question.draw(dice) if many and dice.below(many) == 0 else policy(match, seat, question)

    return answer


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python3 -m bots.command.learn_worth", description="Learn the worth of positions.")
    parser.add_argument("game", choices=LESSONS)
    parser.add_argument("--matches", type=int, help="default: as many as what ships has learnt in")
    parser.add_argument("--seed", default=SEED)
    wanted = parser.parse_args(arguments)
    print(json.dumps(learnt(wanted.game, wanted.matches or LESSONS[wanted.game].matches, wanted.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
