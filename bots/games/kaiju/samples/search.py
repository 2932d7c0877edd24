"""Kaiju Incorporated, by look-ahead.

For each answer the same futures, with the decks as they may lie, are played to their ends with all players greedy.
After a few of them only the better half of the answers goes on, so that most of the time is spent on the best.
"""

from typing import Any

from bots.games.kaiju.samples import greedy
from bots.imagine import AnyMatch, Imagination, rollout, step
from bots.sdk import play
from engine.core import Question, Seat
from engine.games.kaiju import (
    Build,
    ChooseRival,
    ChooseSuit,
    Income,
    Insure,
    Prefab,
    Rebuild,
    Sacrifice,
    Take,
    ToChooseRival,
    ToChooseSuit,
    ToInsure,
    ToPrefab,
    ToSacrifice,
    ToTake,
    ToTakeOver,
    ToTurn,
    View,
)
from engine.records import Record

FUTURES = (2, 2, 4)  # after each so many, half of the answers are dropped


def answers(question: Question[Any]) -> list[Record]:
    """Return all legal answers."""
    match question:
        case ToTurn(row, build, rebuild, _):
            return [*map(Income, row), *map(Build, build), *map(Rebuild, rebuild)]
        case ToTake(cards):
            return [Take(card) for card in cards]
        case ToSacrifice(_, cards):
            return [Sacrifice(card) for card in cards]
        case ToPrefab(cards):
            return [Prefab(card) for card in (*cards, None)]
        case ToInsure(cards):
            return [Insure(card) for card in (*cards, None)]
        case ToChooseSuit():
            return [ChooseSuit("C"), ChooseSuit("I"), ChooseSuit("T")]
        case ToChooseRival(_, seats):
            return [ChooseRival(seat) for seat in seats]
        case ToTakeOver(targets):
            return list(targets)
    raise TypeError(f"Kaiju Incorporated asks no {question!r}")


def policy(match: AnyMatch, seat: Seat, question: Question[Any]) -> Record:
    return greedy.answer(match.at.players, seat, question)


class Bot:
    def __init__(self) -> None:
        self.mind = Imagination("kaiju")

    def choose(self, view: View, question: Question[Any]) -> Record:
        left = [(0, answer) for answer in answers(question)]
        for count in FUTURES:
            if len(left) > 1:
                futures = [self.mind.imagine(view) for _ in range(count)]
                left = [
                    (sum(self.lead(future, view.seat, answer) for future in futures) + so_far, answer)
                    for so_far, answer in left
                ]
                left = sorted(left, key=lambda ranked: -ranked[0])[: (len(left) + 1) // 2]
        return left[0][1]

    def lead(self, now: AnyMatch, seat: Seat, answer: Record) -> int:
        """Our Victory points at the end beside those of the best rival."""
        ahead = now.copy()
        step(ahead, {seat: answer}, policy)
        rollout(ahead, policy)
        scores = self.mind.scores(ahead)
        return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


if __name__ == "__main__":
    bot = Bot()
    play(bot.choose)
