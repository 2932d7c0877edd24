"""What each entrant of a points table still needs, in sentences that hold if all sets to come are played and nobody
leaves.

Entrants whom sets to come link make a *cluster*. Where all tables to come are known, each outcome of a cluster is gone
through, as long as there are not too many: so rivals who meet each other do not both win. Of other clusters only bounds
are known, which need not be reached together; what they leave open is not claimed.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import gcd
from operator import add

from bots.formats.crosstable import Crosstable
from bots.formats.model import POINT
from engine.sentences import Sentence

MOST_OUTCOMES = 5000  # that are gone through, of all clusters together
MOST_LINKED = 6  # members of a cluster; seven have more outcomes than that
MOST_TABLES = 1000  # to come, of which it is looked at who meets
MOST_AT_TABLE = 27  # seats to the power of those among them who are in the race
Table = Collection[int]
Gains = tuple[int, ...]  # in 1680ths of a point, of the members of a cluster


@dataclass(frozen=True, slots=True)
class Left:
    """The sets that an entrant still plays: where byes are still to be drawn, between two numbers. `in_all` counts its
    byes to come too."""

    fewest: int
    most: int
    in_all: int


@dataclass(frozen=True, slots=True)
class Account:
    """What an entrant has, and what it may come to, in 1680ths of a point."""

    points: int
    sets: int
    in_all: int  # sets and byes of the whole stage
    left: Left

    def score_after(self, gain: int, sets: int) -> int:
        """Return its score after so many more sets. Those that are spared score the mean of the others."""
        points, played = self.points + gain, self.sets + sets
        return points + (self.in_all - played) * (points // played if played else POINT // 2)

    def with_all(self, share: int) -> int:
        """Return the most that it has in the end if each set to come brings that share of it."""
        return max(self.score_after(sets * share, sets) for sets in range(self.left.fewest, self.left.most + 1))

    @property
    def lowest(self) -> int:
        return self.score_after(0, self.left.most)

    @property
    def highest(self) -> int:
        return self.score_after(self.left.most * POINT, self.left.most)


def _account(played: Crosstable, entrant: int, left: Left) -> Account:
    sets = played.sets[entrant]
    return Account(played.points[entrant], sets, sets + played.spared[entrant] + left.in_all, left)


def needs(
    played: Crosstable, left: Mapping[int, Left], tables: Sequence[Table] | None, places: int, goal: Sentence
) -> dict[int, str]:
    """`left`: of those who may come first, or among the first few, which is the goal; `tables`: the sets to come, where
    all are known."""
    best_first = sorted(left, key=lambda entrant: -played.points[entrant])  # outcomes are for them, if not for all
    accounts = {entrant: _account(played, entrant, left[entrant]) for entrant in best_first}
    return dict(_Race(accounts, tables, places, goal).needs())


def goal_of(places: int) -> Sentence:
    return Sentence("first place") if places == 1 else Sentence("one of the first %(places)s places", places=places)


@dataclass(frozen=True, slots=True)
class _Cluster:
    """How many of its members have a score in the end: at most as many as there are `highs` of it, at least as many as
    `lows`; and in some outcome no more than as many as `easy`, whatever the score."""

    members: Sequence[int]
    outcomes: Sequence[tuple[Gains, Gains]]  # gained, and had in the end; none where only bounds are known
    highs: Sequence[int]
    lows: Sequence[int]
    easy: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Case:
    """What a gain comes to: for sure a place; for sure a tie for one; in some outcome a place; for sure no place."""

    sure: bool
    safe: bool
    open: bool
    lost: bool


def _ahead(everybody: Sequence[int], own: Iterable[int], score: int) -> int:
    """Return how many of all, in order, have that score, without those of one's own."""
    return len(everybody) - bisect_left(everybody, score) - sum(mine >= score for mine in own)


class _Race:
    def __init__(
        self, accounts: Mapping[int, Account], tables: Sequence[Table] | None, places: int, goal: Sentence
    ) -> None:
        self.accounts, self.places, self.goal = accounts, places, goal
        self.spent = 0
        self.clusters = [self._bounded([*accounts])]
        if tables is not None:
            self.clusters = [self._cluster(*linked) for linked in _linked(accounts, tables)]
        self.is_exact = all(cluster.outcomes for cluster in self.clusters)
        self.highs = sorted(score for cluster in self.clusters for score in cluster.highs)
        self.lows = sorted(score for cluster in self.clusters for score in cluster.lows)
        self.easy = sorted(score for cluster in self.clusters for score in cluster.easy)
        self.shared = _shared(tables if tables and len(tables) <= MOST_TABLES else ())

    def needs(self) -> Iterator[tuple[int, str]]:
        for cluster in self.clusters:
            for seat, entrant in enumerate(cluster.members):
                yield entrant, self._by_outcomes(cluster, seat) if cluster.outcomes else self._by_bounds(entrant)

    # --- what can happen ------------------------------------------------------------------------------------------

    def _cluster(self, members: Sequence[int], tables: Sequence[Table]) -> _Cluster:
        gains = self._gains(members, tables) if len(members) <= MOST_LINKED else ()
        if not gains:
            return self._bounded(members)
        accounts = [self.accounts[member] for member in members]
        finals = [
            tuple(mine.score_after(gain, mine.left.most) for mine, gain in zip(accounts, row, strict=True))
            for row in gains
        ]
        best_first = [sorted(row, reverse=True) for row in finals]
        highs, lows = ([end(column) for column in zip(*best_first, strict=True)] for end in (max, min))
        return _Cluster(members, list(zip(gains, finals, strict=True)), highs, lows, lows)

    def _bounded(self, members: Sequence[int]) -> _Cluster:
        accounts = [self.accounts[member] for member in members]
        ends = ([mine.highest for mine in accounts], [mine.lowest for mine in accounts])
        return _Cluster(members, (), *ends, [mine.with_all(POINT // 2) for mine in accounts])  # all tie

    def _gains(self, members: Sequence[int], tables: Sequence[Table]) -> Sequence[Gains]:
        """Return what the members may gain together; nothing where that is too much to go through."""
        seat = {member: number for number, member in enumerate(members)}
        rows: Collection[Gains] = {(0,) * len(members)}
        if len(members) == 1:  # what it does not win nobody else in the race wins
            unit = gcd(*(half_game(len(table)) for table in tables)) or POINT
            rows, tables = [(gain,) for gain in range(0, len(tables) * POINT + 1, unit)], ()
            self.spent += len(rows)
        for table in tables:
            seated = [seat[entrant] for entrant in table if entrant in seat]
            results = shares_in_set(len(table), len(seated))
            more = len(rows) * len(results)
            if not results or self.spent + more > MOST_OUTCOMES:
                return ()
            self.spent += more
            rows = {_added(row, seated, result) for row in rows for result in results}
        return list(rows) if self.spent <= MOST_OUTCOMES else ()

    # --- what is said of it ---------------------------------------------------------------------------------------

    def _by_outcomes(self, cluster: _Cluster, seat: int) -> str:
        left, cases = self.accounts[cluster.members[seat]].left, self._cases(cluster, seat)
        if all(case.lost for case in cases.values()):
            return Sentence("cannot reach %(goal)s any more", goal=self.goal)
        if (gain := _enough({gain: case.sure for gain, case in cases.items()})) is not None:
            return self._sure(-(-gain * 100 // POINT), left)
        if self.is_exact and not any(case.open for case in cases.values()):
            return Sentence("can at best tie for %(goal)s; %(sets)s to play", goal=self.goal, sets=sets_in_words(left))
        if (gain := _enough({gain: case.safe for gain, case in cases.items()})) is not None:
            return self._safe(-(-gain * 100 // POINT), left)
        if self.is_exact:
            others = "can reach %(goal)s if others lose points; %(sets)s to play"
            return Sentence(others, goal=self.goal, sets=sets_in_words(left))
        return self._open(left, is_open=any(case.open for case in cases.values()))

    def _cases(self, cluster: _Cluster, seat: int) -> dict[int, _Case]:
        """Return what the entrant of that seat has reached, by what it gains."""
        counts: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)  # of those level or ahead, and ahead
        scores: dict[int, int] = {}
        for gains, finals in cluster.outcomes:
            gain, scores[gain] = gains[seat], finals[seat]
            level = sum(score >= finals[seat] for score in finals) - 1
            counts[gain].append((level, sum(score > finals[seat] for score in finals)))
        return {gain: self._case(cluster, scores[gain], rows) for gain, rows in counts.items()}

    def _case(self, cluster: _Cluster, score: int, counts: Sequence[tuple[int, int]]) -> _Case:
        level, ahead = zip(*counts, strict=True)
        return _Case(
            sure=max(level) + _ahead(self.highs, cluster.highs, score) < self.places,
            safe=max(ahead) + _ahead(self.highs, cluster.highs, score + 1) < self.places,
            open=min(level) + _ahead(self.easy, cluster.easy, score) < self.places,
            lost=min(ahead) + _ahead(self.lows, cluster.lows, score + 1) >= self.places,
        )

    def _by_bounds(self, entrant: int) -> str:
        mine = self.accounts[entrant]
        if _ahead(self.lows, [mine.lowest], mine.highest + 1) >= self.places:
            return Sentence("cannot reach %(goal)s any more", goal=self.goal)
        if self._is_enough(entrant, most := 100 * mine.left.fewest):
            return self._sure(bisect_left(range(most), 1, key=lambda least: self._is_enough(entrant, least)), mine.left)
        wins = mine.score_after(mine.left.fewest * POINT, mine.left.fewest)
        is_open = _ahead(self.easy, [mine.with_all(POINT // 2)], wins) < self.places
        return self._open(mine.left, is_open=is_open)

    def _is_enough(self, entrant: int, hundredths: int) -> bool:
        """Return whether so much is enough, were all others to win whatever it does not win from them itself."""
        mine, gain = self.accounts[entrant], -(-hundredths * POINT // 100)
        score, over = mine.score_after(gain, mine.left.most), gain - mine.left.most * POINT
        ahead = _ahead(self.highs, [mine.highest], score)
        for rival, shared in self.shared[entrant].items():
            if rival in self.accounts and over + shared > 0:
                theirs = self.accounts[rival]
                less = theirs.score_after(theirs.left.most * POINT - over - shared, theirs.left.most)
                ahead -= theirs.highest >= score > less
        return ahead < self.places

    def _sure(self, hundredths: int, left: Left) -> str:
        if not hundredths:
            return Sentence("is sure of %(goal)s", goal=self.goal)
        sure = "is sure of %(goal)s with %(points)s points from %(sets)s"
        return Sentence(sure, goal=self.goal, points=f"{hundredths / 100:.2f}", sets=sets_in_words(left))

    def _safe(self, hundredths: int, left: Left) -> str:
        if not hundredths:
            return Sentence(
                "is sure of at least a tie for %(goal)s; %(sets)s to play", goal=self.goal, sets=sets_in_words(left)
            )
        safe = "is sure of at least a tie for %(goal)s with %(points)s points from %(sets)s"
        return Sentence(safe, goal=self.goal, points=f"{hundredths / 100:.2f}", sets=sets_in_words(left))

    def _open(self, left: Left, *, is_open: bool) -> str:
        if is_open:
            return Sentence("can reach %(goal)s; %(sets)s to play", goal=self.goal, sets=sets_in_words(left))
        return Sentence("has %(sets)s to play", sets=sets_in_words(left))


def _enough(holds: Mapping[int, bool]) -> int | None:
    """Return the least gain from which on it holds; None if it does not with the most."""
    short = max((gain for gain, is_held in holds.items() if not is_held), default=-1)
    return min((gain for gain in holds if gain > short), default=None)


def _linked(racing: Collection[int], tables: Sequence[Table]) -> Iterator[tuple[list[int], list[Table]]]:
    """Yield the entrants whom tables link, each time with these."""
    part = {entrant: {entrant} for entrant in racing}
    for table in tables:
        parts = {id(part[entrant]): part[entrant] for entrant in table if entrant in part}
        if len(parts) > 1:
            joined = set[int]().union(*parts.values())
            part.update(dict.fromkeys(joined, joined))
    at = defaultdict[int, list[Table]](list)
    for table in tables:
        if (first := next((entrant for entrant in table if entrant in part), None)) is not None:
            at[id(part[first])].append(table)
    for members in {id(members): members for members in part.values()}.values():
        yield sorted(members), at[id(members)]


def _shared(tables: Iterable[Table]) -> defaultdict[int, Counter[int]]:
    """Return what each entrant cannot win without its being lost by another, for each other."""
    shared: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for table in tables:
        for entrant, rival in permutations(table, 2):
            shared[entrant][rival] += POINT // (len(table) - 1)
    return shared


def half_game(seats: int) -> int:
    """Return what a tie with one of the others brings in one game of a set."""
    return POINT // (2 * seats * (seats - 1))


@cache
def shares_in_set(seats: int, count: int) -> Sequence[Gains]:
    """Return what `count` of those at a table may score in a set; nothing where that is too much to go through."""
    unit = half_game(seats)
    if count == 1:
        return [(unit * half_games,) for half_games in range(2 * seats * (seats - 1) + 1)]
    if seats**count > MOST_AT_TABLE:
        return ()
    games = {
        tuple(sum(1 + (mine < other) - (mine > other) for other in places) - 1 for mine in places[:count])
        for places in product(range(seats), repeat=seats)
    }
    rows = {(0,) * count}
    for _ in range(seats):
        rows = {tuple(map(add, row, game)) for row in rows for game in games}
    return [tuple(unit * half_games for half_games in row) for row in rows]


def _added(row: Gains, seated: Sequence[int], result: Gains) -> Gains:
    gained = dict(zip(seated, result, strict=True))
    return tuple(gain + gained.get(seat, 0) for seat, gain in enumerate(row))


def sets_in_words(left: Left) -> Sentence:
    if not left.most:
        return Sentence("no more sets")
    if left.most == 1:
        return Sentence("1 set") if left.fewest else Sentence("1 set at most")
    if left.fewest < left.most:
        return Sentence("up to %(sets)s sets", sets=left.most)
    return Sentence("%(sets)s sets", sets=left.most)
