"""Corporate Gigabucks, by imagined matches: which taste wins most from here?

We know a few ways to think about what things are worth. In each of our turns we imagine how the match could go on to
its end if we played by one of them and all others as `greedy` does, throw by throw; then we play by the one that has
won most. What we saw in earlier turns counts too, but less and less.
"""

from math import log, sqrt
from typing import Any

from bots.games.gigabucks.samples.greedy import USUAL, Taste, choose
from bots.imagine import AnyMatch, Imagination, rollout
from bots.sdk import play
from engine.core import Seat
from engine.games.gigabucks import Action, View, ranking, see

TASTES = (  # the first until we know better
    Taste(landings=15, spend=0.4, charter=4.5, joined=3.0),
    Taste(landings=15, spend=0.4, joined=3.0, denied=0.35),
    Taste(landings=15, spend=0.8, charter=4.5, joined=3.0),
    Taste(landings=8, spend=0.4, charter=4.5, joined=3.0),
    Taste(landings=30, spend=0.6, charter=6.0, joined=3.0),
)
FIRST, LATER = 1200, 400  # answers imagined before the match, and in each of our turns
ENOUGH = 70  # of our turns, after which we go by what we know
LONGEST = 3000  # after so many answers the one who is ahead is taken to win
FADING = 0.97  # what a match imagined a turn ago counts
CURIOSITY = 0.3


class Bot:
    def __init__(self) -> None:
        self.mind = Imagination("gigabucks")
        self.round, self.left = 0, FIRST
        self.tried = [2.0] * len(TASTES)
        self.won = [1.5, *[1.0] * (len(TASTES) - 1)]

    def choose(self, view: View, question: Any) -> Action:
        if view.turns[view.seat] != self.round:
            self.round = view.turns[view.seat]
            if self.round <= ENOUGH:
                self.think(view)
        best = max(range(len(TASTES)), key=lambda number: self.won[number] / self.tried[number])
        return choose(view, question, TASTES[best])

    def think(self, view: View) -> None:
        """Play as many matches as fit; what one takes too much is missing in the next turn."""
        self.left += LATER
        self.tried = [FADING * tried for tried in self.tried]
        self.won = [FADING * won for won in self.won]
        while self.left > 0:
            number = max(range(len(TASTES)), key=self.promise)
            self.tried[number] += 1
            self.won[number] += self.wins(self.mind.imagine(view), view.seat, TASTES[number])

    def promise(self, number: int) -> float:
        """How often a taste has won, and more if it was seldom tried."""
        return self.won[number] / self.tried[number] + sqrt(CURIOSITY * log(sum(self.tried)) / self.tried[number])

    def wins(self, match: AnyMatch, us: Seat, taste: Taste) -> float:
        def policy(ahead: AnyMatch, seat: Seat, question: Any) -> Action:
            return choose(see(ahead.at, seat), question, taste if seat == us else USUAL)

        before = match.at.decisions
        rollout(match, policy, LONGEST)
        self.left -= match.at.decisions - before
        ranks = ranking(match.at)
        return (ranks[us] == max(ranks)) / ranks.count(max(ranks))


if __name__ == "__main__":
    play(Bot().choose)
