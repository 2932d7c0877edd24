"""The characters of Zaibatsu: its rungs as people meet them."""

from collections.abc import Mapping
from typing import Final

from bots.characters import Character
from engine.sentences import Sentence


def bids(guesses: int) -> Sentence:
    return Sentence("Bids what a pile adds now, and guesses %(guesses)s in 100 answers.", guesses=guesses)


def plans(guesses: int) -> Sentence:
    return Sentence("Thinks to the end of the round, and guesses %(guesses)s in 100 answers.", guesses=guesses)


def reckons(guesses: int) -> Sentence:
    return Sentence(
        "Thinks to the end of the round with learnt numbers, and guesses %(guesses)s in 100 answers.", guesses=guesses
    )


CHARACTERS: Final[Mapping[str, Character]] = {
    "rung1": Character("Lucky Aiko", Sentence("Answers by lot.")),
    "rung2": Character("Sleepy Taro", bids(85)),
    "rung3": Character("Clerk Kenji", bids(57)),
    "rung4": Character("Porter Yuki", bids(42)),
    "rung5": Character("Trader Haru", bids(10)),
    "rung6": Character("Broker Mei", plans(38)),
    "rung7": Character("Banker Goro", plans(27)),
    "rung8": Character("Captain Sora", plans(19)),
    "rung9": Character("Madam Rin", plans(10)),
    "rung10": Character("Director Jun", plans(1)),
    "rung11": Character("Chairman Oda", reckons(6)),
    "rung12": Character(
        "Empress Fuji", Sentence("Thinks to the end of the round with learnt numbers, and never guesses.")
    ),
}
