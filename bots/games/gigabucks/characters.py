"""The characters of Corporate Gigabucks: its rungs as people meet them."""

from collections.abc import Mapping
from typing import Final

from bots.characters import Character
from engine.sentences import Sentence


def follows(guesses: int) -> Sentence:
    return Sentence("Follows rules of thumb, and guesses %(guesses)s in 100 answers.", guesses=guesses)


def estimates(guesses: int) -> Sentence:
    return Sentence(
        "Follows rules of thumb with learnt numbers, and guesses %(guesses)s in 100 answers.", guesses=guesses
    )


CHARACTERS: Final[Mapping[str, Character]] = {
    "rung1": Character("Penny Toss", Sentence("Answers by lot.")),
    "rung2": Character("Nickel Nat", follows(55)),
    "rung3": Character("Dime Dora", follows(19)),
    "rung4": Character("Quarter Quinn", follows(14)),
    "rung5": Character("Buck Bailey", follows(9)),
    "rung6": Character("Agent Fiver", follows(5)),
    "rung7": Character("Teller Tess", estimates(14)),
    "rung8": Character("Manager Max", estimates(10)),
    "rung9": Character("Partner Pat", estimates(7)),
    "rung10": Character("Magnate Moe", estimates(4)),
    "rung11": Character("Tycoon Tilly", estimates(2)),
    "rung12": Character("Baroness Billion", Sentence("Follows rules of thumb with learnt numbers, and never guesses.")),
}
