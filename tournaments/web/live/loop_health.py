"""The loops of this process that serve live pages, and whether they still run (`/readyz`)."""

from dataclasses import dataclass, field
from time import monotonic

LONGEST_ROUND = 20.0  # seconds


@dataclass(slots=True)
class Rounds:
    """The rounds of one loop, which runs only while there is something to do."""

    runs: bool = False
    finished: float = field(default_factory=monotonic)
    hanging: list[str] = field(default_factory=list)  # items that hang

    def begin(self) -> None:
        self.runs, self.finished = True, monotonic()

    def finish(self) -> None:
        self.finished = monotonic()

    def end(self) -> None:
        self.runs = False

    def stalled(self) -> str:
        """Return what is wrong with it, in a sentence; empty if it runs, or has nothing to do."""
        silent = monotonic() - self.finished
        if self.runs and silent > LONGEST_ROUND:
            return f"The live pages of this process have stood still for {silent:.0f} s."
        if self.hanging:
            return f"{len(self.hanging)} of the live boards of this process hang: {', '.join(self.hanging[:5])}."
        return ""


LIVE = Rounds()


def stalled() -> str:
    """Return what is wrong with the live pages of this process, in a sentence; empty if nothing is."""
    return LIVE.stalled()
