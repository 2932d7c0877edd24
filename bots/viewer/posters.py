"""The posters of games: a drawing in the game's own colours, and what people ask before they sit down to one.

A game brings `POSTER` in its module `poster` and the drawing as `static/poster.svg` of its folder. Its pitch is that of
its guide, `GUIDE` of its viewer. What it lacks is left out.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from bots.games import FOLDERS, PACKAGES, module_of
from bots.viewer.game_viewers import part_of
from engine.sentences import Sentence

STATIC: Final = "static"  # the folder of a game's files for pages
DRAWING: Final = "poster.svg"
SECONDS: Final = 20  # that a person takes for a decision; bots take next to none
EASY: Final = Sentence("easy rules")  # what one must know before the first answer of one's own: a judgement, with its
MEDIUM: Final = Sentence("medium rules")  # reason where it is made
HARD: Final = Sentence("hard rules")


@dataclass(frozen=True, slots=True)
class Poster:
    drawing: Sentence  # what it shows
    decisions: int  # of one seat of three: the median of a dozen matches of the samples under a ladder's first options
    rules: Sentence  # EASY, MEDIUM or HARD

    @property
    def minutes(self) -> int:
        """Return about how long a person plays against bots, in steps of five minutes."""
        return max(5, 5 * round(self.decisions * SECONDS / 300))


@cache
def poster_of(game: str) -> Poster | None:
    """Return the game's poster, None where it has none or is no longer here."""
    module = module_of(game, "poster") if game in PACKAGES else None
    poster: Poster | None = getattr(module, "POSTER", None)
    return poster


def pitch_of(game: str) -> str:
    """Return the game in one sentence, "" where it has none."""
    guide = part_of(game, "GUIDE", None) if game in PACKAGES else None
    return guide.pitch if guide else ""


@cache
def drawing_of(game: str) -> Path | None:
    """Return the file of its drawing, None where there is none."""
    path = FOLDERS[game] / STATIC / DRAWING if game in FOLDERS else None
    return path if path and path.is_file() else None
