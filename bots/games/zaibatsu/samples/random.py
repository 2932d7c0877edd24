"""Zaibatsu: any legal answer, drawn at random."""

from bots.sdk import play
from engine.core import Question
from engine.dice import Dice
from engine.games.zaibatsu import View
from engine.records import Record, canonical


def choose(view: View, question: Question[Record]) -> Record:
    return question.draw(Dice.of(canonical(view)))  # the same view, the same answer


if __name__ == "__main__":
    play(choose)
