"""Batches: the same matches whatever the number of processes."""

from typing import Any

import pytest

from engine.batch import AnyMatch, Batch, Policy, at_random
from engine.core import Question, Seat
from engine.dice import Dice, QuickDice
from engine.games import GAMES
from engine.records import Record, canonical


def default(_match: AnyMatch, _seat: Seat, question: Question[Any], _dice: Dice) -> Record:
    answer: Record = question.default()
    return answer


def first_answers(match: AnyMatch, dice: Dice) -> tuple[str, list[str]]:
    """The position that a match begins with, and three answers."""
    before, answers = canonical(match.at), []
    for _ in range(3):
        given = {seat: question.draw(dice) for seat, question in match.questions.items()}
        answers += [canonical(answer) for answer in given.values()]
        match.apply(given)
    return before, answers


def stumbling(match: AnyMatch, _dice: Dice) -> int:
    raise ValueError(f"seat {min(match.questions)} stumbles")


@pytest.mark.parametrize("policy", [at_random, default])
def test_the_outcomes_do_not_depend_on_the_processes(policy: Policy) -> None:
    single, double, triple = (Batch("zaibatsu", 9, processes=number, seed="s").play(policy) for number in (1, 2, 3))
    assert single == double == triple
    assert len(single) == 9


def test_the_matches_of_a_batch_differ_and_another_seed_makes_others() -> None:
    played = Batch("network", 6, processes=1).play(at_random)
    assert len({tuple(outcome.scores) for outcome in played}) > 3
    assert played != Batch("network", 6, processes=1, seed="other").play(at_random)


def test_places_are_by_the_games_ranking() -> None:
    for outcome in Batch("gigabucks", 3, processes=1, options={"players": 3, "currency": 40}).play(at_random):
        assert min(outcome.places) == 1
        assert len(outcome.places) == len(outcome.scores) == 3


def test_work_of_ones_own_is_done_in_every_match_in_their_order() -> None:
    with Batch("kaiju", 5, processes=2) as batch:
        outcomes = batch.each(first_answers)
        assert batch.each(first_answers) == outcomes == Batch("kaiju", 5, processes=1).each(first_answers)
    assert len({before for before, _ in outcomes}) == 5


def test_a_batch_goes_on_from_a_position_which_stays_as_it_is() -> None:
    game = GAMES["shangzhou"]
    match = game.start(game.read_options({}), "seed", listen=False, dice=QuickDice)
    for _ in range(20):
        match.apply({seat: question.default() for seat, question in match.questions.items()})
    before = canonical(match.at)
    outcomes = Batch("shangzhou", 4, processes=2, at=match.at).play(at_random)
    assert outcomes == Batch("shangzhou", 4, processes=1, at=match.at).play(at_random)
    assert len({outcome.answers for outcome in outcomes}) > 1
    assert canonical(match.at) == before


@pytest.mark.parametrize("processes", [1, 2])
def test_what_the_work_raises_is_raised(processes: int) -> None:
    with pytest.raises(ValueError, match="stumbles"):
        Batch("zaibatsu", 2, processes=processes).each(stumbling)
