"""The characters of a game: who plays its rungs, from the weakest to the strongest, as its folder presents them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from bots.games import PACKAGES, module_of
from engine.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Character:
    """A rung as people meet it: what it is called, and how it plays in a sentence."""

    name: str
    style: Sentence


@cache
def characters_of(game: str) -> Mapping[str, Character]:
    """Return `CHARACTERS` of the game's `characters.py`, by the names of rungs or samples; none without one."""
    module = module_of(game, "characters") if game in PACKAGES else None
    characters: Mapping[str, Character] = getattr(module, "CHARACTERS", {})
    return characters
