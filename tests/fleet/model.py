"""A simulation of the platform, event by event, pure and seeded: how much comes out, and what is full first.

The dispatcher deals and sends sets while few of them wait; a worker plays a set match by match, with heartbeats;
each heartbeat and each report waits for a recorder. All of them take time of the database and of the broker besides.
All serve in the order of arrival. The seconds that a piece of work takes are drawn about the mean that was measured.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush, heapreplace
from itertools import count
from random import Random

from tournaments.dispatch.queue import SETS_A_WORKER
from tournaments.dispatcher import BUSY
from workers.heartbeat import EVERY

MATCHES = 4  # of a set
FEWEST_SECONDS = 10.0  # that are simulated, and as many before them
DISPATCHER, RECORDERS, DATABASE, BROKER = "dispatcher", "recorders", "database", "broker"
ROUND, ORDER, HEARTBEAT, REPORT = "round", "order", "heartbeat", "report"


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
    """`costs`: of a round, an order, a heartbeat and a report."""
    return _Run(site, costs, Random(seed)).outcome()


@dataclass(slots=True)
class Shared:
    """Servers whose time others take: each is asked at the moment it is needed, so nobody need be told when."""

    free: list[float]
    spent: float = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """When it is done."""
        self.spent += seconds
        done = max(now, self.free[0]) + seconds
        heapreplace(self.free, done)
        return done


@dataclass(slots=True)
class Crew:
    """Processes that take work from one line; each is busy until all that its work needs is done."""

    free: int
    spent: float = 0.0
    line: deque[tuple[str, Callable[[], object]]] = field(default_factory=deque)


class _Run:
    def __init__(self, site: Site, costs: Mapping[str, Cost], draw: Random) -> None:
        self.site, self.costs, self.draw = site, costs, draw
        self.now, self.ticket = 0.0, count()
        self.events: list[tuple[float, int, Callable[[], object]]] = []
        self.crews = {DISPATCHER: Crew(1), RECORDERS: Crew(site.recorders)}
        self.shared = {DATABASE: Shared([0.0] * site.cores), BROKER: Shared([0.0])}
        self.idle = self.ready = self.unheard = 0  # workers; sets in the queue; sets of which no heartbeat is recorded
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
        servers = {DISPATCHER: 1, RECORDERS: self.site.recorders, DATABASE: self.site.cores, BROKER: 1}
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

    def ask(self, name: str, kind: str, then: Callable[[], object]) -> None:
        crew = self.crews[name]
        crew.line.append((kind, then))
        self.begin(crew)

    def begin(self, crew: Crew) -> None:
        if crew.free and crew.line:
            kind, then = crew.line.popleft()
            crew.free -= 1
            took = self.took(self.costs[kind])
            crew.spent += took
            self.at(took, partial(self.end, crew, kind, then))

    def end(self, crew: Crew, kind: str, then: Callable[[], object]) -> None:
        crew.free += 1
        self.work[kind] += 1
        then()
        self.begin(crew)

    def took(self, cost: Cost) -> float:
        database = self.shared[DATABASE].serve(self.now, self.about(cost.database))
        broker = self.shared[BROKER].serve(self.now, self.about(cost.broker))
        return self.about(cost.own) + database - self.now + broker - self.now

    def about(self, mean: float) -> float:
        return self.draw.uniform(0.5, 1.5) * mean

    # --- a set -----------------------------------------------------------------------------------------------------

    def round(self) -> None:
        """Send as many sets as the workers will soon need, and look again when the last of them is sent."""
        for _ in range(SETS_A_WORKER * self.site.workers - self.unheard):
            self.ask(DISPATCHER, ORDER, self.sent)
        self.ask(DISPATCHER, ROUND, lambda: self.at(BUSY, self.round))

    def sent(self) -> None:
        self.ready, self.unheard = self.ready + 1, self.unheard + 1
        self.take()

    def heard(self) -> None:
        self.unheard -= 1

    def free(self) -> None:
        self.idle += 1
        self.take()

    def take(self) -> None:
        if self.idle and self.ready:
            self.idle, self.ready = self.idle - 1, self.ready - 1
            left = [MATCHES]
            self.play(left, self.heard)
            self.at(EVERY, partial(self.heartbeat, left))

    def play(self, left: list[int], heard: Callable[[], object]) -> None:
        self.ask(RECORDERS, HEARTBEAT, heard)
        self.at(self.about(self.site.seconds), partial(self.over, left))

    def over(self, left: list[int]) -> None:
        left[0] -= 1
        self.ask(RECORDERS, REPORT, partial(self.record, self.now))
        if left[0]:
            self.play(left, _nothing)
        else:
            self.free()

    def heartbeat(self, left: list[int]) -> None:
        """A worker gives a heartbeat for every match of its set that is not over."""
        for _ in range(left[0]):
            self.ask(RECORDERS, HEARTBEAT, _nothing)
        if left[0]:
            self.at(EVERY, partial(self.heartbeat, left))

    def record(self, ended: float) -> None:
        self.lags.append(self.now - ended)


def _nothing() -> None:
    """Nobody waits for it."""
