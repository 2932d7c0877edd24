"""Speed and size, each beside a peer or a physical floor measured in the same run. `manage.py bench` prints them.

Every module here but this one has `def run() -> list[Row]`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One number of ours beside its peer's."""

    name: str
    ours: float
    unit: str
    peer_name: str
    peer: float
    ratio: float  # as `aim` reads it; `how` says which way it is taken
    aim: str  # such as "<= 1.6", "" where there is none
    how: str  # one sentence: what was timed, and how often

    def met(self) -> bool | None:
        """Whether the ratio keeps to the aim; None where there is none."""
        if not self.aim:
            return None
        sign, limit = self.aim.split()
        return self.ratio <= float(limit) if sign == "<=" else self.ratio >= float(limit)
