"""Which sets are sent next: a pure choice among those that wait.

Sets stand in lines: one for each ladder, its trials among them, one for each event, and one each for checks, requests
and spot checks. Checks come first, on half of several workers while anything else is open, of whose sets few are sent
ahead while a check waits. Checks of owners who have used up the day's time for it come after other checks, and of one
worker have half of its time. Then come requests, unless they take long, while they hold no more than their quota of the
workers. After that the line that holds the fewest workers is next, of several that which was served longest ago, and
the oldest set of it.
So a line of any length delays another by its share of the workers and no more. All lines of a space have one share
together, and divide it among them likewise. Workers of a space's own are a pool apart: what they play counts for no
share of the site's.
"""

import math
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from workers.orders import space_of_queue

CHECK, ASKED, AGAIN = "check", "asked", "again"  # the lines of checks, requests and spot checks
TURNS = "turns"  # checks that take turns
HOUSE = 1  # `used` of checks of the site's own bots, which come after those that come first and take no turns
Holder = tuple[str, int]  # VERSION or OWNER, and its id
VERSION, OWNER = "version", "owner"
SETS_A_WORKER = 2  # in the queue, so that nobody waits and leases are short
HALF, QUOTA, SPOTS = 2, 4, 10  # one in so many workers, and one at least


@dataclass(frozen=True, slots=True)
class Waiting:
    """A set that waits, or is with a worker or on the way to one. `slow` are the versions that make it take far longer
    than most."""

    set: int
    line: str
    queue: str
    versions: frozenset[int] = frozenset()
    owners: frozenset[int] = frozenset()
    slow: frozenset[int] = frozenset()
    pool: str = ""  # the space to whose own workers it goes; "" is the site's
    used: int = 0  # milliseconds that checks of its owner took today, of a check that takes turns

    @property
    def long(self) -> bool:
        return bool(self.slow)

    @property
    def counted(self) -> str:
        """The line as it is counted among those of its pool."""
        return f"{self.pool} {self.line}" if self.pool else self.line

    @property
    def holders(self) -> Iterator[Holder]:
        yield from ((VERSION, version) for version in self.versions)
        yield from ((OWNER, owner) for owner in self.owners)


def _of(item: Waiting) -> list[tuple[str, object]]:
    """Return the keys under which a set is counted. A check is counted for its owners too: their other sets do not hold
    it up."""
    checks = [(CHECK, owner) for owner in item.owners] if item.line == CHECK else []
    kinds = {CHECK: item.line == CHECK and item.used != HOUSE, TURNS: item.used > HOUSE}
    in_all_queues: list[tuple[str, object]] = [(item.pool, kind) for kind, counts in kinds.items() if counts]
    return [*in_all_queues, *((item.queue, what) for what in (*item.holders, *checks, item.line, item.long))]


def part_of_workers(workers: int, one_in: int) -> int:
    return max(1, workers // one_in)


@dataclass(slots=True)
class Floor:
    """How many workers each holds, in sets under way and chosen."""

    workers: Mapping[str, int]  # by queue
    room: Counter[str]  # by queue: how many more may be sent
    lines: Counter[str] = field(default_factory=Counter)
    held: Counter[tuple[str, object]] = field(default_factory=Counter)  # by queue, and who or what holds them
    served: dict[str, int] = field(default_factory=dict)  # by line: a count that grows with every set sent
    spaces: Mapping[str, str] = field(default_factory=dict)  # by line: the space whose share it has
    checks_rest: bool = False  # others wait that have had less time of late than checks
    first_waits: bool = False  # a check that comes first is not being played yet
    only_checks: bool = False  # nothing else is open

    def __post_init__(self) -> None:
        for line, space in self.spaces.items():
            self.lines[space] += self.lines[line]

    def share_of(self, line: str) -> str:
        """Return the name under which a line has its share: its space's, else its own."""
        return self.spaces.get(line, line)

    def take(self, item: Waiting) -> None:
        for line in {item.counted, self.share_of(item.counted)}:
            self.lines[line] += 1
        self.held.update(_of(item))

    def leave(self, item: Waiting) -> None:
        """Stop counting a set that is over; it was taken as it is here."""
        for line in {item.counted, self.share_of(item.counted)}:
            self.lines[line] -= 1
        self.held.subtract(_of(item))

    def admits(self, item: Waiting, *, strictly: bool) -> bool:
        """`strictly`: no holder may be in more than half of the workers' sets. Long sets never get more than half."""
        workers, held = self.workers.get(item.queue, 0), self.held
        half = part_of_workers(workers, HALF)
        is_check = item.line == CHECK
        if self.room[item.queue] <= (0 if is_check else self._kept_free(item, workers)):
            return False
        if is_check and item.used == HOUSE:
            return not self.first_waits
        if is_check and any(held[item.queue, (CHECK, owner)] >= workers for owner in item.owners):
            return False
        if is_check and held[item.pool, CHECK] >= self._most_checks(item.pool):
            return False
        if item.line == AGAIN and held[item.queue, AGAIN] >= part_of_workers(workers, SPOTS):
            return False
        rests = self.first_waits or (workers <= 1 and self.checks_rest)
        if item.used and (rests or held[item.pool, TURNS] >= part_of_workers(self._workers_of(item.pool), HALF)):
            return False
        if item.long and held[item.queue, True] >= half:
            return False
        return not strictly or all(held[item.queue, holder] < half for holder in item.holders)

    def _kept_free(self, item: Waiting, workers: int) -> int:
        """Return how much room others leave: that of workers with a check, and more while a check waits that comes
        first."""
        if workers <= 1:
            return 0
        with_checks = SETS_A_WORKER * min(self.held[item.pool, CHECK], workers - 1)
        return max(with_checks, workers if self.first_waits else 0)

    def _most_checks(self, pool: str) -> float:
        """Return how many checks these workers have at once."""
        workers = self._workers_of(pool)
        return math.inf if self.only_checks or workers <= 1 else part_of_workers(workers, HALF)

    def _workers_of(self, pool: str) -> int:
        """Return how many workers there are, as the queue with most of them says."""
        return max((count for queue, count in self.workers.items() if space_of_queue(queue) == pool), default=0)

    def crowded(self, queue: str, waiting: Iterable[Waiting]) -> set[Holder]:
        """Holders of half of the workers' sets, and slow versions while long sets have half of them."""
        half = part_of_workers(self.workers.get(queue, 0), HALF)
        slow = {(VERSION, version) for item in waiting for version in item.slow}
        busy = {holder for item in waiting for holder in item.holders if self.held[queue, holder] >= half}
        return busy | slow if self.held[queue, True] >= half else busy

    def send(self, item: Waiting) -> None:
        self.take(item)
        self.room[item.queue] -= 1
        served = {item.counted, self.share_of(item.counted)}
        self.served |= dict.fromkeys(served, 1 + max(self.served.values(), default=0))

    def rank(self, item: Waiting) -> tuple[int, ...]:
        """The sort key: the lowest is next."""
        if item.line == CHECK:
            return 0, item.used, item.set
        quota = part_of_workers(self.workers.get(item.queue, 0), QUOTA)
        if item.line == ASKED and not item.long and self.held[item.queue, ASKED] < quota:
            return 1, item.set
        lines = (self.share_of(item.counted), item.counted)
        return 2, *(count for line in lines for count in (self.lines[line], self.served.get(line, 0))), item.set


def choose_sets(waiting: Sequence[Waiting], floor: Floor) -> list[Waiting]:
    """Return the sets of `waiting` to send now, each line in its own order; the floor takes them. Holders of half of
    the workers' sets come after all others."""
    first = _pass(waiting, floor, strictly=True)
    sent = {item.set for item in first}
    return [*first, *_pass([item for item in waiting if item.set not in sent], floor, strictly=False)]


def _pass(waiting: Sequence[Waiting], floor: Floor, *, strictly: bool) -> list[Waiting]:
    lines: dict[str, deque[Waiting]] = {}
    for item in waiting:
        lines.setdefault(item.counted, deque()).append(item)
    heads = [(floor.rank(line[0]), name) for name, line in lines.items()]
    heapify(heads)
    chosen: list[Waiting] = []
    while heads:
        queued_rank, name = heappop(heads)
        line = lines[name]
        if (rank := floor.rank(line[0])) > queued_rank:  # another line of its space was served since
            heappush(heads, (rank, name))
            continue
        item = line.popleft()
        if floor.admits(item, strictly=strictly):
            floor.send(item)
            chosen.append(item)
        if line:
            heappush(heads, (floor.rank(line[0]), name))
    return chosen
