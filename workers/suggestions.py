"""What a seat should have done: other answers to a question of a recorded match, all played out on the same futures.

A future draws all that the seat could not know (`bots.imagine`). From there all go on as the strongest rungs of the
game's field do that answer without a search. Half of the work finds the best few answers: of those tried, the worse
half goes again and again. The other half tries these few on new futures, so that what is told of them owes nothing to
having been chosen. Only rungs of the field are run, code of ours, and only on what the question's seat could see.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, log2, sqrt
from time import process_time
from typing import Any, Final

from bots.environments.encoding import encoding_of
from bots.imagine import AnyMatch, Imagination, rollout, step
from bots.rungs import families_of
from bots.rungs.players import Player, Reflex
from bots.viewer.chances import at_the_end
from engine.core import IllegalAction, Question, Seat
from engine.dice import QuickDice
from engine.game import AnyGame
from engine.records import Record, canonical, to_plain
from engine.referee import Conduct
from engine.replay import Replay, ReplayError, advance, playback
from workers.match import Kit
from workers.suggestion_orders import PLAYOUTS, SuggestionOrder, SuggestionReport, Tried

Outcome = tuple[float, float]  # of a play-out: the share of the win, and then the lead
MOST_TRIED, TOLD = 24, 3  # answers that are tried, and others than the given one that are told
DOUBT: Final = 10  # one answer of so many, in a play-out, is the second strongest rung's
SURE: Final = 2.394  # standard deviations: three intervals, which all hold with 95 % (Bonferroni)

log = logging.getLogger(__name__)


class NothingToTry(Exception):
    """Why there is nothing that could be tried, in a sentence."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a match: what the seat could know then, what it answered, and who had forfeited."""

    game: AnyGame
    encoded: dict[str, object]
    seat: Seat
    question: Question[Any]
    view: Any
    mind: Imagination
    given: Record
    conduct: Conduct


def asked_at(replay: Replay, at: int) -> Asked:
    """Return the question to which answer `at` was given. Raises ReplayError, where it cannot be played to there."""
    if not 0 <= at < len(replay.answers):
        raise ReplayError("differs", "the match has no answer %(at)s", at=at)
    line: Any = replay.answers[at]
    run, mind, seat = playback(replay), Imagination(replay.game, f"suggestions {at}"), line[0]
    while run.match.questions and run.step + len(run.match.questions) <= at:
        advance(replay, run)
        mind.hear([seen for event in run.match.hear() if (seen := event.seen_by(seat))])
    mind.hear([seen for event in run.match.hear() if (seen := event.seen_by(seat))])
    try:
        given = run.match.read(seat, line[1])
    except IllegalAction as error:
        raise ReplayError("differs", "answer %(at)s: %(error)s", at=at, error=error) from None
    view = run.game.see(run.match.at, seat)
    return Asked(run.game, replay.options, seat, run.match.questions[seat], view, mind, given, run.conduct)


def strongest_players(game: str) -> Sequence[Player]:
    """Return the two strongest families of the field that answer at once, without noise; fewer if there are no more."""
    families = families_of(game)
    numbers = dict(families.LADDER[1:])
    made = (
        families.FAMILIES[family](**{name: value for name, value in numbers[family].items() if name != "noise"})
        for family in reversed(numbers)
    )
    return [player for player in made if isinstance(player, Reflex)][:2]


def answers_to_try(asked: Asked, players: Sequence[Player], dice: QuickDice) -> list[Record]:
    """Return the given answer, what strong rungs would do, and others by lot; all answers if they are few."""
    top_family, numbers = families_of(asked.game.name).LADDER[-1]
    top = families_of(asked.game.name).FAMILIES[top_family](**numbers)
    top.hear(asked.mind.heard)
    named = [asked.given, *(player.choose(asked.view, asked.question) for player in (top, *players))]
    different = {canonical(answer): answer for answer in [*named, *_by_lot(asked, dice)]}
    return [*different.values()][:MOST_TRIED]


def _by_lot(asked: Asked, dice: QuickDice) -> Iterator[Record]:
    way = encoding_of(asked.game.name, asked.encoded).ways[type(asked.question)]
    firsts = [*way.legal(asked.question, [])]
    dice.shuffle(firsts)
    for first in firsts[: 2 * MOST_TRIED]:
        parts = [first]
        while (answer := way.answer(asked.question, parts)) is None:
            parts.append(dice.pick(way.legal(asked.question, parts)))
        yield answer


@dataclass(slots=True)
class Trial:
    """Answers played out on futures. `spent` is how much of the work is done, from 0 to 1."""

    asked: Asked
    players: Sequence[Player]
    is_over: Callable[[], bool]
    playouts: int  # at most
    seconds: float  # of processor time, at most
    begun: float = field(default_factory=process_time)
    played: int = 0

    @property
    def spent(self) -> float:
        if self.is_over():
            return 1.0
        return max(self.played / self.playouts, (process_time() - self.begun) / self.seconds)

    def future(self, answers: Sequence[Record]) -> list[Outcome]:
        """Return what each answer comes to in one future."""
        now = self.asked.mind.imagine(self.asked.view)
        doubts = self.asked.mind.dice.fork()
        return [self._played_out(now.copy(), answer, doubts.copy()) for answer in answers]

    def _played_out(self, ahead: AnyMatch, answer: Record, doubts: QuickDice) -> Outcome:
        asked, self.played = self.asked, self.played + 1

        def policy(match: AnyMatch, seat: Seat, question: Question[Any]) -> Record:
            if asked.conduct.forfeits[seat]:
                stand_in: Record = question.stand_in()
                return stand_in
            player = self.players[-1 if doubts.below(DOUBT) == 0 else 0]
            answer: Record = player.choose(asked.game.see(match.at, seat), question)
            return answer

        step(ahead, {asked.seat: answer}, policy)
        rollout(ahead, policy)
        scores = asked.game.scores(ahead.at)
        best_other = max(score for seat, score in enumerate(scores) if seat != asked.seat)
        share = at_the_end(asked.conduct.result(asked.game, ahead.at).places)[asked.seat]
        return share, float(scores[asked.seat] - best_other)


def suggest(asked: Asked, playouts: int, seconds: float, is_over: Callable[[], bool] = bool) -> tuple[list[Tried], int]:
    """Return the given answer first, and then up to TOLD others, the best first; and how many play-outs it took.
    Raises NothingToTry."""
    players = strongest_players(asked.game.name)
    answers = answers_to_try(asked, players, asked.mind.dice.fork())
    if len(answers) < 2:
        raise NothingToTry("no other answer was legal")
    trial = Trial(asked, players, is_over, playouts, seconds)
    finalists = [asked.given, *_best(trial, answers[1:])]
    futures: list[list[Outcome]] = []
    while trial.spent < 1:
        futures.append(trial.future(finalists))
    if len(futures) < 2:
        raise NothingToTry("the time was too short to try anything")
    sums = [_sum(future[number] for future in futures) for number in range(len(finalists))]
    order = sorted(range(1, len(finalists)), key=lambda number: sums[number], reverse=True)
    shares = [[share for share, _ in future] for future in futures]
    return [_told(finalists[number], number, shares) for number in (0, *order)], trial.played


def _best(trial: Trial, answers: list[Record]) -> list[Record]:
    """Return the best few, by half of the work: of those tried the worse half goes, in stages of the same length."""
    stages = max(0, ceil(log2(len(answers) / TOLD)))
    sums = [(0.0, 0.0)] * len(answers)
    for stage in range(1, stages + 1):
        while trial.spent < stage / stages / 2:
            sums = [_sum(pair) for pair in zip(sums, trial.future(answers), strict=True)]
        ranked = sorted(range(len(answers)), key=lambda number: sums[number], reverse=True)
        left = sorted(ranked[: max(TOLD, len(answers) // 2)])
        answers, sums = [answers[number] for number in left], [sums[number] for number in left]
    return answers[:TOLD]


def _sum(outcomes: Iterable[Outcome]) -> Outcome:
    shares, leads = zip(*outcomes, strict=True)
    return sum(shares), sum(leads)


def _told(answer: Record, number: int, futures: Sequence[Sequence[float]]) -> Tried:
    """Return the answer with its mean, and the interval of its difference from the first answer on the same futures.

    One future more of each kind is counted, a win and a loss by half (Agresti and Min, Statistics in Medicine 24,
    2005): else a few equal futures would seem certain.
    """
    count, gains = len(futures) + 2, [future[number] - future[0] for future in futures]
    gain, squares = sum(gains), sum(gain * gain for gain in gains) + 1
    margin = SURE * sqrt(squares - gain * gain / count) / count if number else 0.0
    return Tried(to_plain(answer), sum(future[number] for future in futures) / len(futures), margin)


def report_suggestion(order: SuggestionOrder, kit: Kit) -> SuggestionReport:
    """Return the report of one turn: "tried" or "nothing", "void" with the reason if the platform failed."""
    report = SuggestionReport(order.suggestion, order.turn, kit.worker, "void", secret=order.secret)
    try:
        asked = asked_at(order.replay, order.at)
        report.tried, report.playouts = suggest(asked, PLAYOUTS, order.seconds, kit.is_over)
        report.outcome = "tried"
    except NothingToTry as nothing:
        report.outcome, report.reason = "nothing", str(nothing)
    except ReplayError as error:
        report.reason = str(error)
    except Exception as error:  # a fault of our own must end this turn only
        log.exception("this worker failed")
        report.reason = f"the worker failed: {type(error).__name__}: {error}"
    return report
