"""An owner of four bots of one strength, each with luck of its own, chooses which of them counts over all games.

It knows their true strength, looks at its published rating after every 30 games, and names another as soon as that is
allowed and the one that counts has been unlucky: the first at any time, a named one after 30 days.
"""

from dataclasses import dataclass
from statistics import fmean

from tests.tournaments.ratings.tricked_ladder import CHEAT, HONEST, World
from tournaments.ratings.named_since import LEAST, Choice, ratings_since
from tournaments.ratings.scale import START

FIRST, EVERY, LAST = 60, 30, 600  # games of each bot: the first look, from one to the next, and the last
DAYS_30 = 180  # games in which nobody is named again


@dataclass(slots=True)
class Owner:
    """What the site keeps: who counts, who was named when, and after which set."""

    world: World
    counts: int = CHEAT
    named: int | None = None
    named_at: int = 0
    after: int = 0
    since: int | None = None  # the set after which the bot that counts was named

    def look(self, games: int) -> float:
        """The published rating less the truth; then the owner may name another bot."""
        self._take_over()
        gain = self._gain(self.counts, self.since)[0]
        if gain < 0 and self._may_name(games):
            self.named = max(self.world.cheats.keys() - {self.counts}, key=self.world.elo_of)
            self.named_at, self.after = games, self.world.number
        return gain

    def _may_name(self, games: int) -> bool:
        return self.named is None or (self.named == self.counts and games >= self.named_at + DAYS_30)

    def _take_over(self) -> None:
        if self.named not in (None, self.counts) and self._gain(self.named or 0, self.after)[1] >= LEAST:
            self.counts, self.since = self.named or 0, self.after

    def _gain(self, bot: int, after: int | None) -> tuple[float, int]:
        """And the sets that it is of."""
        if after is None:
            return self.world.gain(bot), LEAST
        return gain_since(self.world, bot, after)


def gain_since(world: World, bot: int, after: int) -> tuple[float, int]:
    chosen = {honest: Choice(0, [honest], honest) for honest in range(HONEST)} | {bot: Choice(after, [bot], bot)}
    ratings = ratings_since(world.pairs, dict.fromkeys(world.elos), {}, chosen, start=world.ratings)
    shift = fmean([world.elos[honest] - ratings[honest].elo for honest in range(HONEST)])
    return ratings[bot].elo + shift - world.elos[bot], ratings[bot].sets


def looks(seed: str) -> list[float]:
    """The gains of an owner at each look."""
    world = World(seed, {CHEAT + number: START for number in range(4)})
    owner, gains = Owner(world), list[float]()
    world.play(FIRST)
    for games in range(FIRST, LAST + 1, EVERY):
        gains.append(owner.look(games))
        world.play(EVERY)
    return gains
