"""A replay to go back and forth in without pictures: how it stood at any moment, in words."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bots.viewer.film_chunks import LogLine, Outline, Scene, find_moment
from bots.viewer.key_moments import Mark, marks_of
from bots.viewer.player import Perspective, Projector
from engine.core import Seat
from engine.records import to_plain
from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class Still:
    """A moment. `says`: the board in words; `view`: what a bot at the seat was sent, if it is one seat's reel."""

    at: int
    scene: str
    says: str
    worth: list[float]
    chances: list[float] | None
    told: list[LogLine]
    to_answer: list[Seat]
    view: Mapping[str, Any] | None


@dataclass(slots=True)
class Reel:
    """As everybody sees the match together, or one `seat` alone."""

    replay: Replay
    seat: Seat | None = None
    names: list[str] = field(init=False)
    unit: str = field(init=False)
    outline: Outline = field(init=False)
    marks: list[Mark] = field(init=False)
    _show: Projector = field(init=False)

    def __post_init__(self) -> None:
        seen = find_moment(self.replay, self.perspective, 0)
        self.names, self.unit, self.outline = seen.names, seen.unit, seen.outline
        self.marks = marks_of(self.outline, self.names, self.unit)
        self._rewind()

    @property
    def perspective(self) -> Perspective:
        return Perspective.everything(len(self.replay.players)) if self.seat is None else Perspective.of(self.seat)

    @property
    def ats(self) -> Sequence[int]:
        """Return all moments, each as the number of answers that were given before."""
        return self.outline.ats

    def still(self, step: int) -> Still:
        """Return the last moment with no more answers than `step`. Going back plays again from the beginning."""
        if self._show.run.step > step:
            self._rewind()
        while self._show.can_go_on and self._show.run.step + len(self._show.run.match.questions) <= step:
            self._show.step()
        return self._present()

    def told_at(self, step: int) -> list[LogLine]:
        return [line for scene in self.outline.scenes for line in scene.lines if line.at == step]

    def scene_at(self, step: int) -> Scene:
        return self.outline.scenes[bisect_right(self.outline.scenes, step, key=lambda scene: scene.at) - 1]

    def _rewind(self) -> None:
        self._show = Projector(self.replay, self.perspective)
        self._show.begin()

    def _present(self) -> Still:
        run = self._show.run
        view = None if self.seat is None else to_plain(run.game.see(run.match.at, self.seat))
        lines, says, asked = self.told_at(run.step), self._show.draw().says, sorted(run.match.questions)
        worth, scene = self._show.worth, self.scene_at(run.step).title
        return Still(run.step, scene, says, worth, self._show.chances(worth), lines, asked, view)
