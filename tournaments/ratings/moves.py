"""Why a rating moved from one fit to another: parts that add up to the move, to the last tenth.

Each rating is where its own equation of the likelihood is balanced, given the others. So a version's move goes in
steps, one thing changed at a time, and the level is found again after each:

    own        its own sets are as they are now, all others stand where they stood; the prior's part is taken out
    prior      what the pull to the mean, or to its other versions, takes back of that: it has grown by pull x move,
               which divided by the curvature there is a way back
    opponents  then its opponents stand where they stand now
    versions   then its other versions do; it is now where the fit has it
    scale      the mean of all is put elsewhere by the anchors
    floor      what it is shown at above that, for it won (`floors`)

Who has no new sets has no `own` and no `prior`. Parts are rounded to tenths; what that leaves goes to the largest.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum

from tournaments.ratings.cells import UNIT
from tournaments.ratings.fit import Fit
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import LINK_SD, WHOLE, natural_unit, precision

CLOSE = 1e-10  # natural units
TRIES = 200  # halvings and steps of Newton: a few are enough
WIDEST = 1000.0  # natural units from the mean: far beyond any fit


@dataclass(frozen=True, slots=True)
class Stood:
    """What a version had: its rating about the mean, in natural units; what it took in all, of what; its sets."""

    at: float
    taken: int
    weight: int
    sets: int = 0
    lift: float = 0.0  # Elo that it is shown at above that


@dataclass(frozen=True, slots=True)
class State:
    """A fit, as much of it as moves are measured from."""

    zero: float
    prior_sd: float
    margin: int
    stood: Mapping[int, Stood]
    scale: int = WHOLE


@dataclass(frozen=True, slots=True)
class Move:
    """In tenths of Elo: `before` + all parts = `after`."""

    before: int
    after: int
    own: int
    prior: int
    opponents: int
    versions: int
    scale: int
    sets: int  # of its own, since then
    floor: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A version's own line: what it took, of which weight from whom, and what pulls it where."""

    taken: float
    rivals: Sequence[int]
    weights: Sequence[float]
    prior: float
    kin: Sequence[int]
    link: float

    def slope(self, t: float, rivals: Sequence[float], kin: Sequence[float]) -> tuple[float, float]:
        """Return the slope, and the curvature from games and in all."""
        shares = [1 / (1 + exp(min(700.0, rival - t))) for rival in rivals]
        games = [weight * share * (1 - share) for weight, share in zip(self.weights, shares, strict=True)]
        expected = [-weight * share for weight, share in zip(self.weights, shares, strict=True)]
        uphill = fsum([self.taken, *expected, -self.prior * t, *(self.link * (relative - t) for relative in kin)])
        return uphill, fsum(games) + self.pull

    @property
    def pull(self) -> float:
        return self.prior + self.link * len(self.kin)

    def level(self, start: float, rivals: Sequence[float], kin: Sequence[float]) -> float:
        """Return where the line is level, by Newton's steps between what is too low and what is too high."""
        low, high, t = -WIDEST, WIDEST, start
        for _ in range(TRIES):
            uphill, curve = self.slope(t, rivals, kin)
            low, high = (t, high) if uphill > 0 else (low, t)
            step = uphill / curve
            ahead = t + step if low < t + step < high else (low + high) / 2
            if abs(ahead - t) < CLOSE:
                return ahead
            t = ahead
        return t


def state_of_fit(
    fit: Fit, pairs: Pairs, sets: Mapping[int, int], prior_sd: float, floors: Mapping[int, float] | None = None
) -> State:
    lifts = {version: max(0.0, floor - fit.elo[version]) for version, floor in (floors or {}).items()}
    stood = {
        version: Stood(
            (elo - fit.zero) * fit.unit, *_sums(pairs, version), sets.get(version, 0), lifts.get(version, 0.0)
        )
        for version, elo in fit.elo.items()
    }
    return State(fit.zero, prior_sd, pairs.margin, stood, pairs.scale)


def _sums(pairs: Pairs, version: int) -> tuple[int, int]:
    mine = pairs.taken.get(version, {})
    taken = sum(mine.values())
    return taken, taken + sum(pairs.taken[other][version] for other in mine)


def moves(before: State, now: State, pairs: Pairs, forerunners: Mapping[int, int | None]) -> dict[int, Move]:
    """Return the move of every version rated now. A new one begins where it stood without games (`stood_at`)."""
    lines = _Lines(before, now, pairs, forerunners)
    return {version: lines.move(version) for version in now.stood}


class _Lines:
    def __init__(self, before: State, now: State, pairs: Pairs, forerunners: Mapping[int, int | None]) -> None:
        self.before, self.now, self.pairs, self.older = before, now, pairs, forerunners
        self.unit = natural_unit(now.scale)
        self.followers: dict[int, list[int]] = {}
        for version, older in forerunners.items():
            if older is not None and version in now.stood:
                self.followers.setdefault(older, []).append(version)

    def move(self, version: int) -> Move:
        then, now = self.stood_at(version), self.now.stood[version]
        line, earlier = self.line(version), self.before.stood.get(version)
        where = self.steps(
            line, then, now.at, is_new=not earlier or (earlier.taken, earlier.weight) != (now.taken, now.weight)
        )
        scale = self.now.zero - self.before.zero
        sets = now.sets - (earlier.sets if earlier else 0)
        lifted = earlier.lift if earlier else 0.0
        begin = self.before.zero + then / self.unit + lifted
        end = self.now.zero + now.at / self.unit + now.lift
        parts = _in_tenths(begin, end, [*(part / self.unit for part in where), scale, now.lift - lifted])
        before, after, own_part, prior, opponents, versions, shifted, floor = parts
        return Move(before, after, own_part, prior, opponents, versions, shifted, sets, floor)

    def steps(self, line: Line, then: float, now: float, *, is_new: bool) -> list[float]:
        """Return the parts of own games, prior, opponents and other versions, in natural units."""
        kin = self.all(line.kin, self.stood_at)
        by_games = line.level(then, self.all(line.rivals, self.stood_at), kin) if is_new else then
        back = self.taken_back(line, by_games, then, kin)
        by_rivals = line.level(by_games, self.all(line.rivals, self.stands_at), kin) if line.kin else now
        return [by_games - then - back, back, by_rivals - by_games, now - by_rivals]

    def taken_back(self, line: Line, level: float, then: float, kin: Sequence[float]) -> float:
        """Return what the pull takes back, to first order."""
        _, curve = line.slope(level, self.all(line.rivals, self.stood_at), kin)
        return -line.pull * (level - then) / curve

    def line(self, version: int) -> Line:
        mine, older = self.pairs.taken.get(version, {}), self.older.get(version)
        weights = [self.pairs.weight(version, other) / UNIT for other in mine]
        kin = [*([] if older is None else [older]), *self.followers.get(version, ())]
        prior = precision(self.now.prior_sd, self.unit) if older is None else 0.0
        return Line(sum(mine.values()) / UNIT, list(mine), weights, prior, kin, precision(LINK_SD, self.unit))

    def stood_at(self, version: int) -> float:
        """Return where a version stood before; a new one stood with the newest before it that did, or at the mean."""
        ancestor: int | None = version
        while ancestor is not None and ancestor not in self.before.stood:
            ancestor = self.older.get(ancestor)
        return 0.0 if ancestor is None else self.before.stood[ancestor].at

    def stands_at(self, version: int) -> float:
        return self.now.stood[version].at

    def all(self, versions: Iterable[int], where: Callable[[int], float]) -> list[float]:
        return [where(version) for version in versions]


def _in_tenths(before: float, after: float, parts: Sequence[float]) -> list[int]:
    begin, end, tenths = round(before * 10), round(after * 10), [round(part * 10) for part in parts]
    largest = max(range(len(parts)), key=lambda place: abs(parts[place]))
    tenths[largest] += end - begin - sum(tenths)
    return [begin, end, *tenths]
