"""Lengths of time, for people."""

from bots.viewer.language import decimal
from tournaments.web.pages.sentences import say


def duration_text(seconds: float) -> str:
    """`0.25 s`, `12 s`, `3 min`, `2.5 h`, `4 days`."""
    if seconds < 10:
        return decimal(f"{seconds:.2g} s")
    for most, length, unit in ((90, 1, "s"), (5400, 60, "min"), (129_600, 3600, "h")):
        if seconds < most:
            return decimal(f"{round(seconds / length, 1 if unit == 'h' else None):g} {unit}")
    return say("%(days)s days", days=f"{seconds / 86_400:.0f}")
