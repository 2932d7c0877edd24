"""The sets that a bot owes after leaving at its peak and coming back: otherwise it would keep its luck.

Luck of n sets counts for n / (n + m) after m more, and is about as large as 1 / sqrt(n): after MOST sets little is left
of any. `python3 -m tests.tournaments.ratings.tricks` measures how little.
"""

EACH, MOST = 8, 40  # sets: for each that a bot there has played on the average meanwhile, and in all


def owed(missed: float, still: float = 0.0) -> float:
    """Return the sets owed after `missed` sets, by a bot that still owes `still` from before."""
    return min(MOST, still + EACH * missed)
