"""Engines that are asked for the same things: ours and the peers'."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Engine:
    """A game of somebody's; all but `play` is about one position in the middle of a random game."""

    name: str
    kind: str  # what it is written in: "Python" or "C++"
    play: Callable[[int], int]  # a random game, dealt by this number; returns how many answers players gave
    copy: Callable[[], object]
    step: Callable[[], object]  # a copy, and one random decision in it
    view: Callable[[], object]  # what the player to move may know
    legal: Callable[[], object]  # what that player may answer, worked out anew
