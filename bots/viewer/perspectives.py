"""Whose eyes a match is seen with, by what addresses call them."""

from dataclasses import dataclass
from typing import Final

from bots.viewer.language import say
from bots.viewer.player import Perspective
from engine.replay import Replay

ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Eyes:
    """A perspective, by what the address calls it."""

    key: str
    name: str
    perspective: Perspective


def eyes_of(replay: Replay) -> list[Eyes]:
    """The perspective that knows all, and one for each seat."""
    seats = [
        Eyes(str(seat), say("seat %(seat)s, %(name)s", seat=seat, name=player.name), Perspective.of(seat))
        for seat, player in enumerate(replay.players)
    ]
    return [Eyes(ALL, say("everybody, all secrets"), Perspective.everything(len(replay.players))), *seats]
