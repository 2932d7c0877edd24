"""A simulation of the platform, event by event, pure and seeded: how much comes out, and what is full first.

The dispatcher deals and sends sets while few of them wait; a worker plays a set match by match, and tells of it in
messages: what ended within a second goes in one, and while nothing ends there is one every ten seconds. Each message
waits for a recorder. All of them take time of the database and of the broker besides.
All serve in the order of arrival. The seconds that a piece of work takes are drawn about the mean that was measured.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush, heapreplace
from itertools import count
from random import Random

from tournaments.ledger.dispatch.fair_share import SETS_A_WORKER
from tournaments.ops.dispatcher import BUSY
from workers.heartbeat import EVERY
from workers.set_progress import SOON

MATCHES = 4  # of a set
FEWEST_SECONDS = 10.0  # that are simulated, and as many before them
DISPATCHER, RECORDERS, DATABASE, BROKER = "dispatcher", "recorders", "database", "broker"
ROUND, ORDER, MESSAGE, REPORT = "round", "order", "message", "report"  # of a message, and of each report in it


Work = Mapping[str, int]  # how much of each kind is done at once


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one piece of work: seconds of the process that does it, and of the database's and the broker's beside it."""

    own: float
    database: float = 0.0
    broker: float = 0.0
    commits: float = 0.0
    commands: float = 0.0
    bytes: float = 0.0  # to and from the broker


@dataclass(frozen=True, slots=True)
class Site:
    workers: int
    seconds: float  # that a match takes
    recorders: int = 1
    cores: int = 4  # that the database has


@dataclass(frozen=True, slots=True)
class Outcome:
    """By the second, once all are at work."""

    matches: float
    lag: float  # seconds from the end of a match to its record, in the mean of those that were recorded
    load: Mapping[str, float]  # of each part; 1 is all that it can do
    work: Mapping[str, float]  # how often each kind of it was done

    @property
    def fullest(self) -> str:
        return max(self.load, key=self.load.__getitem__)


def simulate(site: Site, costs: Mapping[str, Cost], *, seed: str = "fleet") -> Outcome:
    """`costs`: of a round, an order, a message and each report in it."""
    return _Run(site, costs, Random(seed)).outcome()


@dataclass(slots=True)
class Shared:
    """Servers whose time others take: each is asked at the moment it is needed, so nobody need be told when."""

    free: list[float]
    spent: float = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """Return when it is done."""
        self.spent += seconds
        done = max(now, self.free[0]) + seconds
        heapreplace(self.free, done)
        return done


@dataclass(slots=True)
class Crew:
    """Processes that take work from one line; each is busy until all that its work needs is done."""

    free: int
    spent: float = 0.0
    line: deque[tuple[Work, Callable[[], object]]] = field(default_factory=deque)


@dataclass(slots=True)
class Play:
    """A set at a worker: matches that are left, when those ended that it has not told of, and how often it told."""

    left: int = MATCHES
    ended: list[float] = field(default_factory=list)
    told: int = 0
    heard: bool = False


class _Run:
    def __init__(self, site: Site, costs: Mapping[str, Cost], draw: Random) -> None:
        self.site, self.costs, self.draw = site, costs, draw
        self.now, self.ticket = 0.0, count()
        self.events: list[tuple[float, int, Callable[[], object]]] = []
        self.crews = {DISPATCHER: Crew(1), RECORDERS: Crew(site.recorders)}
        self.shared = {DATABASE: Shared([0.0] * site.cores), BROKER: Shared([0.0])}
        self.idle = self.ready = self.unheard = 0  # workers; sets in the queue; sets of which nothing is recorded
        self.lags: list[float] = []
        self.work = Counter[str]()

    def outcome(self) -> Outcome:
        """Workers come one by one in the time that a set takes; what is counted begins when the first sets are over."""
        length = MATCHES * self.site.seconds
        for _ in range(self.site.workers):
            self.at(self.draw.uniform(0, length), self.free)
        self.at(0, self.round)
        window = max(FEWEST_SECONDS, length)
        self.until(2 * window)
        spent, work = self.spent(), self.work.copy()
        self.lags.clear()
        self.until(3 * window)
        load = {name: (seconds - spent[name]) / window for name, seconds in self.spent().items()}
        rates = {kind: (self.work[kind] - work[kind]) / window for kind in self.costs}
        return Outcome(len(self.lags) / window, sum(self.lags) / max(1, len(self.lags)), load, rates)

    def spent(self) -> dict[str, float]:
        """Seconds of each part, as shares of what it has."""
        site = self.site
        servers = {DISPATCHER: 1, RECORDERS: site.recorders, DATABASE: site.cores, BROKER: 1}
        parts: dict[str, Crew | Shared] = {**self.crews, **self.shared}
        return {name: part.spent / servers[name] for name, part in parts.items()}

    # --- time ------------------------------------------------------------------------------------------------------

    def at(self, seconds: float, act: Callable[[], object]) -> None:
        heappush(self.events, (self.now + seconds, next(self.ticket), act))

    def until(self, end: float) -> None:
        while self.events and self.events[0][0] <= end:
            self.now, _, act = heappop(self.events)
            act()
        self.now = end

    # --- the parts -------------------------------------------------------------------------------------------------

    def ask(self, name: str, work: Work, then: Callable[[], object]) -> None:
        crew = self.crews[name]
        crew.line.append((work, then))
        self.begin(crew)

    def begin(self, crew: Crew) -> None:
        if crew.free and crew.line:
            work, then = crew.line.popleft()
            crew.free -= 1
            took = self.took(work)
            crew.spent += took
            self.at(took, partial(self.end, crew, work, then))

    def end(self, crew: Crew, work: Work, then: Callable[[], object]) -> None:
        crew.free += 1
        self.work.update(work)
        then()
        self.begin(crew)

    def took(self, work: Work) -> float:
        process, database, broker = (
            self.about(sum(times * getattr(self.costs[kind], part) for kind, times in work.items()))
            for part in ("own", "database", "broker")
        )
        served = self.shared[DATABASE].serve(self.now, database) + self.shared[BROKER].serve(self.now, broker)
        return process + served - 2 * self.now

    def about(self, mean: float) -> float:
        return self.draw.uniform(0.5, 1.5) * mean

    # --- a set -----------------------------------------------------------------------------------------------------

    def round(self) -> None:
        """Send as many sets as the workers will soon need, and look again when the last of them is sent."""
        for _ in range(SETS_A_WORKER * self.site.workers - self.unheard):
            self.ask(DISPATCHER, {ORDER: 1}, self.sent)
        self.ask(DISPATCHER, {ROUND: 1}, lambda: self.at(BUSY, self.round))

    def sent(self) -> None:
        self.ready, self.unheard = self.ready + 1, self.unheard + 1
        self.take()

    def free(self) -> None:
        self.idle += 1
        self.take()

    def take(self) -> None:
        if self.idle and self.ready:
            self.idle, self.ready = self.idle - 1, self.ready - 1
            play = Play()
            self.play(play)
            self.at(SOON, partial(self.silent, play, play.told))

    def play(self, play: Play) -> None:
        self.at(self.about(self.site.seconds), partial(self.over, play))

    def over(self, play: Play) -> None:
        play.left -= 1
        play.ended.append(self.now)
        if not play.left:
            self.tell(play)
            return self.free()
        if len(play.ended) == 1:
            self.at(SOON, partial(self.silent, play, play.told))
        return self.play(play)

    def silent(self, play: Play, messages: int) -> None:
        """Tell again, if it has not told of its set since."""
        if play.left and play.told == messages:
            self.tell(play)

    def tell(self, play: Play) -> None:
        ended, play.ended = play.ended, []
        play.told += 1
        self.ask(RECORDERS, {MESSAGE: 1, REPORT: len(ended)}, partial(self.record, play, ended))
        if play.left:
            self.at(EVERY, partial(self.silent, play, play.told))

    def record(self, play: Play, ended: list[float]) -> None:
        self.lags += [self.now - end for end in ended]
        self.unheard -= not play.heard
        play.heard = True
