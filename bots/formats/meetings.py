"""Who has sat at one table with whom, counted in rounds: several sets of one round are one meeting."""

from collections import Counter, defaultdict
from itertools import permutations

from bots.formats.runner import EventRun


class Meetings:
    """Of the whole event, the stages before this one among them. A table of which no set counted was no meeting."""

    def __init__(self, event: EventRun) -> None:
        self.event, self.read = event, 0
        self.times: defaultdict[int, Counter[int]] = defaultdict(Counter)

    def update(self) -> None:
        """Add what was played since the last update; to be called when a round is over."""
        since = self.event.pairings[self.read :]
        self.read = len(self.event.pairings)
        played = {
            (pairing.stage, pairing.round, pairing.entrants)
            for pairing in since
            if not self.event.played[pairing.key].void
        }
        for _, _, entrants in played:
            for first, second in permutations(entrants, 2):
                self.times[first][second] += 1

    def between(self, first: int, second: int) -> int:
        return self.times[first][second] if first in self.times else 0
