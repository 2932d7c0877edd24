"""The characters of Shangzhou-Gold: its rungs as people meet them."""

from collections.abc import Mapping
from typing import Final

from bots.characters import Character
from engine.sentences import Sentence


def weighs(guesses: int) -> Sentence:
    return Sentence("Weighs what each sector is worth, and guesses %(guesses)s in 100 answers.", guesses=guesses)


CHARACTERS: Final[Mapping[str, Character]] = {
    "rung1": Character("Straw Hat", Sentence("Answers by lot.")),
    "rung2": Character("Sleepy Heron", weighs(66)),
    "rung3": Character("Young Reed", weighs(32)),
    "rung4": Character("River Otter", weighs(28)),
    "rung5": Character("Jade Cricket", weighs(23)),
    "rung6": Character("Stone Ox", weighs(19)),
    "rung7": Character("Bronze Bell", weighs(15)),
    "rung8": Character("Red Lantern", weighs(12)),
    "rung9": Character("Silk Fox", weighs(9)),
    "rung10": Character("White Crane", weighs(6)),
    "rung11": Character("Night Tiger", weighs(3)),
    "rung12": Character("Gold Dragon", Sentence("Weighs what each sector is worth, and never guesses.")),
}
