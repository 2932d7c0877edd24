"""The characters of Network: its rungs as people meet them."""

from collections.abc import Mapping
from typing import Final

from bots.characters import Character
from engine.sentences import Sentence

CHARACTERS: Final[Mapping[str, Character]] = {
    "rung1": Character("Rusty Points", Sentence("Answers by lot.")),
    "rung2": Character("Sparky", Sentence("Builds what pays now.")),
    "rung3": Character("Foggy Fay", Sentence("Looks ahead in thick fog.")),
    "rung4": Character("Signal Sam", Sentence("Looks ahead in fog.")),
    "rung5": Character("Platform Penny", Sentence("Looks ahead in mist.")),
    "rung6": Character("Switchman Lou", Sentence("Weighs builds by learnt numbers, and does not look ahead.")),
    "rung7": Character("Driver Dot", Sentence("Looks ahead in a haze.")),
    "rung8": Character("Engineer Ed", Sentence("Looks ahead in a light haze.")),
    "rung9": Character("Surveyor Sue", Sentence("Searches a tree of forty futures before each answer.")),
    "rung10": Character("Captain Viaduct", Sentence("Looks ahead with clear eyes.")),
    "rung11": Character(
        "Baron Steam", Sentence("Looks far ahead: at %(positions)s positions before each answer.", positions=170)
    ),
    "rung12": Character(
        "Lady Express", Sentence("Looks far ahead: at %(positions)s positions before each answer.", positions=300)
    ),
}
