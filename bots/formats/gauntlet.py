"""Gauntlet: each challenger against the same panel. A bot of the panel may sit at many tables of a round."""

from collections.abc import Sequence

from bots.formats.points import PointsStage
from bots.formats.runner import EventRun
from bots.formats.settings import Gauntlet, fewest_at
from bots.formats.tie_breaks import ranked
from engine.sentences import Sentence


class GauntletStage(PointsStage):
    spec: Gauntlet

    def __init__(self, event: EventRun, spec: Gauntlet, name: str, field: Sequence[int]) -> None:
        self.panel = [entrant for entrant in field if entrant in spec.panel]
        challengers = [entrant for entrant in field if entrant not in spec.panel]
        alone = len(self.panel) < spec.seats  # the whole panel sits at every table
        super().__init__(event, spec, name, challengers, spec.rounds or (1 if alone else len(self.panel)))
        self.title, self.fewest = Sentence("Gauntlet"), 1
        event.outside.update(self.panel)

    def tables_of(self, present: list[int]) -> list[list[int]]:
        return self.fixed_tables(self.drawn, present)

    def fixed_tables(self, number: int, present: list[int]) -> list[list[int]]:
        """The panel in a ring, and each challenger beside another part of it, moving on by one every round; no tables
        where too few of the panel are there for one."""
        panel = self.event.staying(self.panel, number - self.drawn)
        size = min(self.spec.seats - 1, len(panel))
        if size + 1 < fewest_at(self.spec):
            return []
        rings = [[panel[(number + place + step) % len(panel)] for step in range(size)] for place in range(len(present))]
        return [[challenger, *ring] for challenger, ring in zip(present, rings, strict=True)]

    def ranking(self) -> list[int]:
        """The challengers; after them the panel, which had more sets to score in."""
        return super().ranking() + ranked(self.event, self.panel, self.played, self.spec.rank_by)
