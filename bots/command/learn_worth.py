"""Learns what positions of a game are worth, from matches that the policy of its rungs plays against itself:

    python3 -m bots.command.learn_worth kaiju

By least squares: how far the first of two seats is ahead in each sign that the `worth` of the game's rungs sees,
against its lead at the end. Some answers are drawn by lot, so that there is more to see. In Network that is a first
lesson; in a second one a search that goes by it plays, which knows more of a position. The same seed learns the same.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from bots.command.measure import SEATS, usual_options
from bots.games.kaiju.rungs import families as kaiju
from bots.games.kaiju.rungs import worth as kaiju_worth
from bots.games.network.rungs import families as network
from bots.games.network.rungs import worth as network_worth
from bots.games.network.rungs.minimax import Minimax
from bots.imagine import AnyMatch, Policy, step
from bots.paired_ratings import inverted
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


def now_and_later(position: Any) -> list[Row]:
    """Return the signs of Kaiju Incorporated, and the same times the New Products that are still to be taken."""
    left = kaiju_worth.products_left(position)
    rows = (kaiju_worth.signs(position, seat) for seat in range(SEATS))
    return [[*now, *(left * sign for sign in now)] for now in rows]


class Lesson(NamedTuple):
    """`signs`: what of a position counts, by seat; `teacher`: who plays, by the weights learnt before; `by_lot`: one
    answer of so many (0: none), by match; `most`: a lead beyond it counts as it; `spacing`: one position of so many."""

    signs: Callable[[Any], Sequence[Row]]
    teacher: Callable[[Row], "Teacher"]
    by_lot: Sequence[int]
    matches: int
    most: int = 1000
    spacing: int = EVERY


class Teacher:
    """Answers for all seats by a policy, at times by lot."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def answer(self, match: AnyMatch, seat: Seat, question: Question[Any], dice: Dice, every_nth: int) -> Record:
        return question.draw(dice) if every_nth and dice.below(every_nth) == 0 else self.policy(match, seat, question)

    def lead(self) -> int | None:
        """Return the first seat's lead before the latest answer, in the unit of a weight, if the teacher knows it."""
        return None


class Searcher(Teacher):
    """Searches Network, at times takes one of the answers it looked at by lot, and knows where the search ended."""

    def __init__(self, weights: Sequence[int]) -> None:
        self.player = Minimax(weights=weights)

    def answer(self, match: AnyMatch, seat: Seat, question: Question[Any], dice: Dice, every_nth: int) -> Record:  # noqa: ARG002
        self.root = self.player.searched(match.copy())
        return dice.pick(self.root.answers) if every_nth and dice.below(every_nth) == 0 else self.root.best()

    def lead(self) -> int:
        return self.root.leads[0]


CLOSE: Final = 12  # dollars: who leads by more in Network has won
LESSONS: Final[dict[str, Sequence[Lesson]]] = {
    "kaiju": [Lesson(now_and_later, lambda _weights: Teacher(kaiju.policy), (0, 4, 8, 20), 2000)],
    "network": [
        Lesson(network_worth.signs, lambda _weights: Teacher(network.policy), (2, 3, 4, 6), 3000, CLOSE),
        Lesson(network_worth.signs, Searcher, (3, 7, 20), 300, CLOSE, 1),
    ],
}


def learnt_weights(game: str, seed: str, matches: int | None = None) -> Row:
    """The weights of the signs, lesson by lesson."""
    weights = Row()
    for number, lesson in enumerate(LESSONS[game]):
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
    parser.add_argument("game", choices=LESSONS)
    parser.add_argument("--matches", type=int, help="of each lesson; default: as many as what ships has learnt in")
    parser.add_argument("--seed", default=SEED)
    options = parser.parse_args(arguments)
    print(json.dumps(learnt_weights(options.game, options.seed, options.matches)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
