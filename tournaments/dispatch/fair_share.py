"""Which sets are sent next: a pure choice among those that wait.

Sets stand in lines: one for each ladder, its trials among them, one for each event, and one each for checks, requests
and spot checks. Checks come first; those of owners who have used up the day's time for it have half of the workers at
most, and of one worker half of its time. Then come requests, unless they take long, while they hold no more than their
quota of the workers. After that
the line that holds the fewest workers is next, of several that which was served longest ago, and the oldest set of it.
So a line of any length delays another by its share of the workers and no more. All lines of a space have one share
together, and divide it among them likewise. Workers of a space's own are a pool apart: what they play counts for no
share of the site's.
"""

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


def _of(each: Waiting) -> list[tuple[str, object]]:
    """What is counted with it. Of checks, also whose they are: other sets of an owner do not hold them up."""
    checks = [(CHECK, owner) for owner in each.owners] if each.line == CHECK else []
    turns: list[tuple[str, object]] = [(each.pool, TURNS)] if each.used > HOUSE else []  # in all queues together
    return [*turns, *((each.queue, what) for what in (*each.holders, *checks, each.line, each.long))]


def share(workers: int, one_in: int) -> int:
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

    def __post_init__(self) -> None:
        for line, space in self.spaces.items():
            self.lines[space] += self.lines[line]

    def share_of(self, line: str) -> str:
        """Whose share it has: its space's, else its own."""
        return self.spaces.get(line, line)

    def take(self, each: Waiting) -> None:
        for whose in {each.counted, self.share_of(each.counted)}:
            self.lines[whose] += 1
        self.held.update(_of(each))

    def leave(self, each: Waiting) -> None:
        """It is over, and was taken as it is here."""
        for whose in {each.counted, self.share_of(each.counted)}:
            self.lines[whose] -= 1
        self.held.subtract(_of(each))

    def admits(self, each: Waiting, *, strictly: bool) -> bool:
        """`strictly`: no holder may be in more than half of the workers' sets. Long sets never get more than half."""
        workers, held = self.workers.get(each.queue, 0), self.held
        if self.room[each.queue] <= 0:
            return False
        is_check = each.line == CHECK
        if is_check and each.used == HOUSE:
            return not self.first_waits
        if is_check and any(held[each.queue, (CHECK, owner)] >= workers for owner in each.owners):
            return False
        if each.line == AGAIN and held[each.queue, AGAIN] >= share(workers, SPOTS):
            return False
        half = share(workers, HALF)
        rests = self.first_waits or (workers <= 1 and self.checks_rest)
        if each.used and (rests or held[each.pool, TURNS] >= self._most_turns(each.pool)):
            return False
        if each.long and held[each.queue, True] >= half:
            return False
        return not strictly or all(held[each.queue, holder] < half for holder in each.holders)

    def _most_turns(self, pool: str) -> int:
        """Return how many checks that take turns these workers have at once."""
        queues = (count for queue, count in self.workers.items() if space_of_queue(queue) == pool)
        return share(max(queues, default=0), HALF)

    def crowded(self, queue: str, waiting: Iterable[Waiting]) -> set[Holder]:
        """Holders of half of the workers' sets, and slow versions while long sets have half of them."""
        half = share(self.workers.get(queue, 0), HALF)
        slow = {(VERSION, version) for each in waiting for version in each.slow}
        busy = {holder for each in waiting for holder in each.holders if self.held[queue, holder] >= half}
        return busy | slow if self.held[queue, True] >= half else busy

    def send(self, each: Waiting) -> None:
        self.take(each)
        self.room[each.queue] -= 1
        served = {each.counted, self.share_of(each.counted)}
        self.served |= dict.fromkeys(served, 1 + max(self.served.values(), default=0))

    def rank(self, each: Waiting) -> tuple[int, ...]:
        """The sort key: the lowest is next."""
        if each.line == CHECK:
            return 0, each.used, each.set
        quota = share(self.workers.get(each.queue, 0), QUOTA)
        if each.line == ASKED and not each.long and self.held[each.queue, ASKED] < quota:
            return 1, each.set
        whose = (self.share_of(each.counted), each.counted)
        return 2, *(count for one in whose for count in (self.lines[one], self.served.get(one, 0))), each.set


def choose(waiting: Sequence[Waiting], floor: Floor) -> list[Waiting]:
    """Those of `waiting`, each line in its own order, to send now; the floor takes them. Holders of half of
    the workers' sets come after all others."""
    first = _pass(waiting, floor, strictly=True)
    sent = {each.set for each in first}
    return [*first, *_pass([each for each in waiting if each.set not in sent], floor, strictly=False)]


def _pass(waiting: Sequence[Waiting], floor: Floor, *, strictly: bool) -> list[Waiting]:
    lines: dict[str, deque[Waiting]] = {}
    for each in waiting:
        lines.setdefault(each.counted, deque()).append(each)
    heads = [(floor.rank(line[0]), name) for name, line in lines.items()]
    heapify(heads)
    chosen: list[Waiting] = []
    while heads:
        known, name = heappop(heads)
        line = lines[name]
        if (rank := floor.rank(line[0])) > known:  # another line of its space was served since
            heappush(heads, (rank, name))
            continue
        each = line.popleft()
        if floor.admits(each, strictly=strictly):
            floor.send(each)
            chosen.append(each)
        if line:
            heappush(heads, (floor.rank(line[0]), name))
    return chosen
