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
        """With what was played since; to be called when a round is over."""
        since = self.event.pairings[self.read :]
        self.read = len(self.event.pairings)
        played = {(one.stage, one.round, one.entrants) for one in since if not self.event.played[one.key].void}
        for _, _, entrants in played:
            for one, other in permutations(entrants, 2):
                self.times[one][other] += 1

    def between(self, one: int, other: int) -> int:
        return self.times[one][other] if one in self.times else 0
