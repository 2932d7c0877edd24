"""Corporate Gigabucks: any legal answer, drawn at random. But it never resigns."""

from bots.sdk import play
from engine.dice import Dice
from engine.games.gigabucks import Action, View
from engine.games.gigabucks.questions import Asked
from engine.records import canonical


def choose(view: View, question: Asked[Action]) -> Action:
    answer = question.draw(Dice.of(canonical(view)))  # the same view, the same answer
    answer.resign = False
    return answer


if __name__ == "__main__":
    play(choose)
