"""How often a fit lowers who won its latest set, and what it costs in accuracy that this is not shown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import fmean

from scipy.stats import kendalltau

from tests.ratings.claims import Row
from tests.tournaments.ratings.ladders import BASE, Kind, Ladder, error
from tournaments.ratings.elo import Tally, fold
from tournaments.ratings.floors import Shown, with_floors

KINDS = (
    BASE,
    Kind("three at a table", seats=3),
    Kind("two at a table", seats=2),
    Kind("three, far apart: sd 400", seats=3, sd=400.0),
    Kind("three, nearly alike: sd 50", seats=3, sd=50.0),
)
GAMES, EVERY, EARLY, WORLDS = 80, 10, 20, 12
SEEN = 0.05  # Elo that the table shows
SAME, NEAR = 1e-4, 1e-3  # of tau, and of the error in parts of it


@dataclass
class Site:
    """What is shown of a ladder, from fit to fit."""

    ladder: Ladder
    tallies: dict[int, Tally] = field(default_factory=dict)
    shown: dict[int, Shown] = field(default_factory=dict)
    read: int = 0  # sets

    def look(self) -> dict[int, float]:
        """Note the newest fit, and return what is shown of it."""
        for _ in fold((one.games for one in self.ladder.sets[self.read :]), self.tallies, {}):
            pass
        self.read = len(self.ladder.sets)
        floors = {bot: floor for bot in self.ladder.elos if (floor := self.floor_of(bot)) is not None}
        elos = dict(with_floors(self.ladder.ratings, floors).elo)
        for bot, elo in elos.items():
            tally = self.tally(bot)
            self.shown[bot] = Shown(elo, floors.get(bot), tally.games, tally.wins)
        return elos

    def floor_of(self, bot: int) -> float | None:
        return self.shown[bot].floor_after(self.tally(bot).games, self.tally(bot).wins) if bot in self.shown else None

    def tally(self, bot: int) -> Tally:
        return self.tallies.get(bot, Tally())


@dataclass
class Found:
    """Of one kind of world: tau and error by the fit and as shown; by how much each fit had lowered who won its latest
    set, and whether everybody had played enough."""

    taus: list[tuple[float, float]] = field(default_factory=list)
    errors: list[tuple[float, float]] = field(default_factory=list)
    falls: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, ladder: Ladder, shown: Mapping[int, float]) -> None:
        fitted = ladder.ratings.elo
        self.taus.append((tau(ladder, fitted), tau(ladder, shown)))
        self.errors.append((error(ladder, fitted), error(ladder, shown)))


def measured(kind: Kind, seed: int, worlds: int = WORLDS, games: int = GAMES) -> Found:
    found = Found()
    for world in range(worlds):
        ladder, due = Ladder(kind, 1000 * seed + world), EVERY
        site = Site(ladder)
        for _ in ladder.play(games):
            shown, late = site.look(), ladder.games >= EARLY
            found.falls += [
                (shown[bot] - ladder.ratings.elo[bot], late) for bot, was in site.shown.items() if was.floor is not None
            ]
            if ladder.games >= due:
                due += EVERY
                found.add(ladder, shown)
    return found


def tau(ladder: Ladder, elos: Mapping[int, float]) -> float:
    return float(kendalltau([elos[bot] for bot in ladder.elos], [*ladder.elos.values()]).statistic)


def rows_of(kind: Kind, found: Found) -> Iterator[Row]:
    for name, pairs in (("tau", found.taus), ("error", found.errors)):
        fitted, shown = (fmean(column) for column in zip(*pairs, strict=True))
        both = f"{fitted:.4f}, {shown:.4f}"
        apart, told = abs(shown / fitted - 1), f"{kind.name}: {name} by the fit, and as shown"
        yield Row(told, "alike", both, apart <= NEAR, apart <= SAME, "0.1 % apart at most")
    fell = [(fall, late) for fall, late in found.falls if fall > SEEN]
    share, most = 100 * len(fell) / max(1, len(found.falls)), max([0.0, *(fall for fall, late in fell if late)])
    measured = f"{share:.1f}, by {most:.1f} at most after {EARLY} games"
    name = f"{kind.name}: of 100 fits after a set won outright, lower"
    yield Row(name, "0 to 3", measured, share <= 6, share <= 3.5, "6 or less")


def claim(seed: int, worlds: int = WORLDS) -> list[Row]:
    return [row for kind in KINDS for row in rows_of(kind, measured(kind, seed, worlds))]
