"""The characters of Kaiju Incorporated: its rungs as people meet them."""

from collections.abc import Mapping
from typing import Final

from bots.characters import Character
from engine.sentences import Sentence


def grabs(guesses: int) -> Sentence:
    return Sentence("Takes what pays now, and guesses %(guesses)s in 100 answers.", guesses=guesses)


def imagines(guesses: int) -> Sentence:
    return Sentence("Imagines two answers ahead, and guesses %(guesses)s in 100 answers.", guesses=guesses)


CHARACTERS: Final[Mapping[str, Character]] = {
    "rung1": Character("Wobble", Sentence("Answers by lot.")),
    "rung2": Character("Puddle", grabs(40)),
    "rung3": Character("Mudfoot", grabs(27)),
    "rung4": Character("Tin Claw", grabs(19)),
    "rung5": Character("Rustback", grabs(11)),
    "rung6": Character(
        "Stormfin", Sentence("Weighs answers by learnt numbers, and guesses %(guesses)s in 100.", guesses=4)
    ),
    "rung7": Character("Glasswing", imagines(25)),
    "rung8": Character("Nightmaw", imagines(11)),
    "rung9": Character("Ironhide", imagines(6)),
    "rung10": Character("Thundra", imagines(1)),
    "rung11": Character("Old Magma", Sentence("Imagines six answers ahead, in four futures for each answer.")),
    "rung12": Character("Mother of Tides", Sentence("Searches a tree of forty futures before each answer.")),
}
