"""Many independent matches over several processes, for search and for training.

    with Batch("zaibatsu", 1000, processes=2) as batch:
        outcomes = batch.play(at_random)

A match follows from the batch's seed and its own number alone, and so do the dice of those who answer in it: the same
seed and policy give the same outcomes, in the same order, whatever the number of processes. All dice are quick ones.
"""

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self, TypeVar

from engine.core import Match, Question, Seat
from engine.dice import Dice, QuickDice
from engine.games import GAMES
from engine.records import Record
from engine.seats import places_by_score

T = TypeVar("T")
AnyMatch = Match[Any]
Policy = Callable[[AnyMatch, Seat, Question[Any], Dice], Record]  # how a seat answers; the dice are the match's own
Work = Callable[[AnyMatch, Dice], T]  # what is done with a match
SHARES: Final = 8  # parts of a batch for each process: those who had the longer matches get fewer of them


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: by seat the scores and the places, and how many answers were given."""

    scores: list[int]
    places: list[int]
    answers: int


@dataclass(frozen=True, slots=True)
class Deal:
    """What all matches of a batch have in common."""

    game: str
    options: object
    seed: str
    position: Any

    def begin(self, number: int) -> tuple[AnyMatch, Dice]:
        """Return the match of that number at its first question, and the dice of those who answer."""
        game, seed = GAMES[self.game], f"{self.seed} {number}"
        if self.position is None:
            match: AnyMatch = game.start(game.read_options(self.options), seed, listen=False, dice=QuickDice)
        else:
            position = self.position.copy()
            position.dice = QuickDice.of(seed)
            match = Match(game.rules, position)
        return match, QuickDice.of(f"{seed} answers")


class Batch:
    """`n` matches of a game from their beginning or, with `at`, from that position on with dice of their own."""

    def __init__(
        self,
        game: str,
        n: int,
        *,
        processes: int | None = None,
        options: object = None,
        seed: str = "batch",
        at: Any = None,
    ) -> None:
        """Divide the matches among `processes`, by default one for each core. With 1, all is done in this one."""
        self.n, self.processes = n, processes or os.cpu_count() or 1
        self.deal = Deal(game, options or {}, seed, at)
        self._executor: Any = None

    def __enter__(self) -> Self:
        if self.processes > 1:
            # Not before it is needed: a sandbox loads this module, and may know no processes.
            self._executor = importlib.import_module("concurrent.futures").ProcessPoolExecutor(self.processes)
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor:
            self._executor.shutdown(cancel_futures=True)
        self._executor = None

    def __getstate__(self) -> dict[str, Any]:
        """Pickle it without its processes."""
        return {**self.__dict__, "_executor": None}

    def play(self, policy: Policy) -> list[Outcome]:
        """Play each match to its end, all seats by the `policy`."""
        return self.each(partial(play_to_end, self.deal.game, policy))

    def each(self, work: Work[T]) -> list[T]:
        """Return the results of `work`, one of each match, in order.

        It is a function of a module, as are its results' types; what it raises is raised here.
        Without a `with` the processes are started for this call alone.
        """
        do, numbers = partial(_worked, self.deal, work), range(self.n)
        if self.processes == 1:
            return [do(number) for number in numbers]
        if not self._executor:
            with self:
                return self.each(work)
        share = max(1, self.n // (self.processes * SHARES))
        return list(self._executor.map(do, numbers, chunksize=share))


def _worked(deal: Deal, work: Work[T], number: int) -> T:
    return work(*deal.begin(number))


def play_to_end(game: str, policy: Policy, match: AnyMatch, dice: Dice) -> Outcome:
    """Play the match to its end, each answer by the `policy`, and return scores, places and the number of answers."""
    answers = 0
    while not match.over:
        answers += len(match.questions)
        match.apply({seat: policy(match, seat, question, dice) for seat, question in match.questions.items()})
    scores, ranking = GAMES[game].scores, GAMES[game].ranking
    return Outcome(scores(match.at), places_by_score((ranking or scores)(match.at)), answers)


def at_random(_match: AnyMatch, _seat: Seat, question: Question[Any], dice: Dice) -> Record:
    """Return a legal answer at random; every one may be given."""
    answer: Record = question.draw(dice)
    return answer
