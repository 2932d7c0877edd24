"""A bot in Python, with a case for each question of its game; and one that looks ahead, with NumPy."""

from textwrap import fill

from bots.record_schema import first_sentence
from engine.game import AnyGame

PLAIN = '''"""{title}: a bot of mine. README.md says what it is asked, what it sees and what it may answer."""

from random import Random

from bots.sdk import parameter, play
from engine.dice import QuickDice
from {package} import {names}

# A number that is read so can be tuned: boardroom tune {game} . --param DRAWN=0:1
DRAWN = parameter("DRAWN", 0)  # the part of the answers that is drawn by lot
LOT, DICE = Random(1), QuickDice.of("mine")


def choose(view: {view}, question):
    """A legal answer. Each case gives the question's default; what is better is for you to find."""
    if LOT.random() < DRAWN:
        return question.draw(DICE)
    match question:
{cases}
    return question.default()


if __name__ == "__main__":
    play(choose)
'''
CASE = """        case {name}():
{about}
            return question.default()"""
WIDTH = 100
AHEAD = '''"""{title}: a bot of mine that looks ahead. README.md says what it is asked, sees and may answer.

It imagines what it cannot know, plays a few answers on for some steps, and gives the one that did best on the mean.
"""

import numpy as np

from bots.imagine import Imagination, drawn, rollout, step
from bots.sdk import left_ms, parameter, play

# Numbers that are read so can be tuned: boardroom tune {game} . --param TRIES=1:6 --param STEPS=5:60
ANSWERS = round(parameter("ANSWERS", 4))
TRIES = round(parameter("TRIES", 3))
STEPS = round(parameter("STEPS", 20))
ENOUGH_MS = 5_000  # of the match's time, below which it does not look ahead


class Bot:
    def __init__(self):
        self.mind = Imagination("{game}")

    def choose(self, view, question):
        answers = [question.default(), *(question.draw(self.mind.dice) for _ in range(ANSWERS - 1))]
        if left_ms() < ENOUGH_MS:
            return answers[0]
        tried = np.array([[self.lead(view, answer) for _ in range(TRIES)] for answer in answers])
        return answers[int(tried.mean(axis=1).argmax())]

    def lead(self, view, answer):
        """Of the best other seat, some steps after this answer."""
        match = self.mind.imagine(view)
        step(match, {{view.seat: answer}}, drawn(self.mind.dice))
        rollout(match, drawn(self.mind.dice), STEPS)
        scores = np.array(self.mind.scores(match))
        return scores[view.seat] - np.delete(scores, view.seat).max()


if __name__ == "__main__":
    bot = Bot()
    play(bot.choose, bot.mind.hear)
'''


def plain_source(game: AnyGame) -> str:
    cases = [CASE.format(name=kind.__name__, about=comment(first_sentence(kind))) for kind in game.questions]
    names = sorted({*(kind.__name__ for kind in game.questions), game.view.__name__})
    imported = ", ".join(names) if len(names) < 5 else "(\n    " + ",\n    ".join(names) + ",\n)"
    return PLAIN.format(
        title=game.title,
        game=game.name,
        view=game.view.__name__,
        package=package_of(game),
        names=imported,
        cases="\n".join(cases),
    )


def comment(text: str) -> str:
    return fill(text, WIDTH, initial_indent=" " * 12 + "# ", subsequent_indent=" " * 12 + "# ")


def package_of(game: AnyGame) -> str:
    """Return the package from which a bot imports the game's classes."""
    parts = game.view.__module__.split(".")
    return ".".join(parts[:3] if parts[:2] == ["engine", "games"] else parts[:1])


def ahead(game: AnyGame) -> str:
    return AHEAD.format(title=game.title, game=game.name)
