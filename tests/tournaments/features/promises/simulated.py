"""A simulated site: the real choices of who plays, what is sent and what is promised, under a clock of its own."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import ceil
from random import Random
from statistics import median

from engine.dice import Dice
from tournaments.ledger.dispatch import wait_bound as waits
from tournaments.ledger.dispatch.fair_share import HALF, Floor, Waiting, choose_sets, part_of_workers
from tournaments.ledger.matchmaking.pairing import Candidate, seatable, wave

AHEAD = 2  # sets a worker


@dataclass(slots=True)
class Bot:
    number: int
    ladder: int
    owner: int
    seconds: float  # of a match, when it is the slowest at the table
    since: float  # paired or entered
    sets: int = 0
    open: int = 0  # sets that are not over
    over: float = 0.0  # its last match
    promised: float = 0.0
    waits: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Set:
    ladder: int
    table: list[int]
    begun: bool = False


@dataclass(slots=True)
class Site:
    """Ladders of tables of `seats`; `speed[ladder]` is the seconds of an ordinary match there."""

    workers: int
    speed: list[float]
    seats: int = 4
    sets_wanted: int = 30
    pace: float = 20.0
    seed: int = 0
    now: float = 0.0
    bots: dict[int, Bot] = field(default_factory=dict)
    sets: dict[int, Set] = field(default_factory=dict)
    queue: list[int] = field(default_factory=list)  # sent, in this order
    busy: int = 0
    ends: list[tuple[float, int, int]] = field(default_factory=list)  # when, set, match
    paired: Counter[int] = field(default_factory=Counter)
    last_paired: dict[int, float] = field(default_factory=dict)
    seconds: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))  # of matches, by ladder
    lately: list[float] = field(default_factory=list)  # of the site
    usual: float = 0.0
    served: dict[str, int] = field(default_factory=dict)
    long_dealt: dict[int, float] = field(default_factory=dict)
    kept: int = 0
    broken: int = 0

    def enter(self, ladder: int, *, owner: int = 0, slower: float = 1.0) -> Bot:
        number = 1 + len(self.bots)
        bot = Bot(number, ladder, owner or number, slower * self.speed[ladder], self.now, over=self.now)
        self.bots[number] = bot
        self.promise([bot])
        return bot

    def run(self, until: float) -> None:
        while self.now < until:
            while self.ends and self.ends[0][0] <= self.now:
                _, number, match = heappop(self.ends)
                self.record(number, match)
            for bot in self.bots.values():
                if bot.promised < self.now:
                    self.broken += 1
                    self.promise([bot])
            self.pair()
            self.dispatch()
            self.begin()
            self.now += 0.5

    def slow(self, bot: Bot) -> bool:
        return bot.sets > 0 and 0.5 * bot.seconds > 4 * self.usual > 0

    def long(self, match_set: Set) -> bool:
        return any(self.slow(self.bots[number]) for number in match_set.table)

    def playing(self, ladder: int) -> list[Bot]:
        return [bot for bot in self.bots.values() if bot.ladder == ladder]

    def pair(self) -> None:
        due = {ladder for ladder in range(len(self.speed)) if self.now - self.last_paired.get(ladder, -99) >= self.pace}
        new = {bot.ladder for bot in self.bots.values() if bot.sets < self.sets_wanted}
        wanting = due | new
        ahead = ceil(max(4, AHEAD * self.workers) / max(1, len(wanting)))
        for ladder in sorted(wanting, key=lambda ladder: (self.long_dealt.get(ladder, 0.0), ladder)):
            while True:
                waiting = [s for s in self.sets.values() if s.ladder == ladder and not s.begun and not self.long(s)]
                if len(waiting) >= ahead or not self.deal(ladder, ahead - len(waiting), paced=ladder in due):
                    break
                due.discard(ladder)

    def deal(self, ladder: int, most: int, *, paced: bool) -> bool:
        bots = self.playing(ladder)
        needing = sum(bot.sets + bot.open < self.sets_wanted for bot in bots)
        tables = min(most, needing) or int(paced)
        candidates = [
            Candidate(
                bot.number, bot.owner, 1500.0, 350 / (1 + bot.sets + bot.open) ** 0.5, bot.sets + bot.open, bot.since
            )
            for bot in bots
        ]
        slow = {bot.number for bot in bots if self.slow(bot)}
        if slow:
            room = part_of_workers(self.workers, HALF) - sum(self.long(match_set) for match_set in self.sets.values())
            candidates, tables = seatable(candidates, slow, self.seats, tables, room)
        self.paired[ladder] += 1
        dealt = wave(
            candidates, self.seats, tables, Dice.of(f"{self.seed} {ladder} {self.paired[ladder]}"), most=self.seats
        )
        for table in dealt:
            self.sets[1 + sum(self.paired.values()) * 1000 + len(self.sets)] = Set(ladder, table)
            self.last_paired[ladder] = self.now
            if slow & set(table):
                self.long_dealt[ladder] = self.now
            for number in table:
                self.bots[number].since = self.now
                self.bots[number].open += 1
        return bool(dealt)

    def waiting(self, number: int) -> Waiting:
        match_set = self.sets[number]
        owners = frozenset(self.bots[bot].owner for bot in match_set.table)
        slow = frozenset(bot for bot in match_set.table if self.slow(self.bots[bot]))
        return Waiting(number, f"ladder {match_set.ladder}", "all", frozenset(match_set.table), owners, slow)

    def dispatch(self) -> None:
        flying = [number for number, match_set in self.sets.items() if match_set.begun or number in self.queue]
        room = Counter({"all": AHEAD * self.workers - len(self.queue)})
        floor = Floor({"all": self.workers}, room, served=self.served)
        for number in flying:
            floor.take(self.waiting(number))
        waiting = [self.waiting(number) for number in sorted(self.sets.keys() - set(flying))]
        self.queue += [choice.set for choice in choose_sets(waiting, floor)]

    def begin(self) -> None:
        while self.queue and self.busy < self.workers:
            number = self.queue.pop(0)
            self.sets[number].begun = True
            self.busy += 1
            heappush(self.ends, (self.now + self.length(number), number, 0))

    def length(self, number: int) -> float:
        draw = Random(f"{self.seed} {number}")
        return draw.uniform(0.5, 1.5) * max(self.bots[bot].seconds for bot in self.sets[number].table)

    def record(self, number: int, match: int) -> None:
        played = self.sets[number]
        table = [self.bots[bot] for bot in played.table]
        self.seconds[played.ladder] = [*self.seconds[played.ladder][-49:], self.length(number)]
        self.lately = [*self.lately[-199:], self.length(number)]
        self.usual = median(self.lately)
        last = match + 1 == len(table)
        if last:
            del self.sets[number]
            self.busy -= 1
        else:
            heappush(self.ends, (self.now + self.length(number), number, match + 1))
        for bot in table:
            bot.sets += last
            bot.open -= last
            bot.waits.append(self.now - bot.over)
            bot.over = self.now
            self.kept += 1
        self.promise(table)

    def promise(self, bots: list[Bot]) -> None:
        for bot in bots:
            bot.promised = self.now + waits.max_wait(self.estimated(bot.ladder), self.place(bot))

    def place(self, bot: Bot) -> waits.BotFigures:
        line = sorted(self.playing(bot.ladder), key=lambda other: (other.since, other.number))
        slow = [other for other in line if self.slow(other)]
        if bot not in slow:
            return waits.BotFigures(line.index(bot), dealt=bot.open > 0)
        turns = max(1.0, 4 / self.seats) * len(self.speed) / part_of_workers(self.workers, HALF)
        long = 1 + (1 + slow.index(bot)) * turns
        return waits.BotFigures(line.index(bot), 0, bot.open > 0, long, max(self.lately) * self.seats)

    def estimated(self, ladder: int) -> waits.LadderFigures:
        seconds = self.seconds[ladder] or [30.0 * self.seats]
        bots = self.playing(ladder)
        return waits.LadderFigures(
            seats=self.seats,
            pace=self.pace,
            due=sum(max(0, self.sets_wanted - bot.sets - bot.open) for bot in bots) / self.seats,
            waiting=sum(match_set.ladder == ladder and not match_set.begun for match_set in self.sets.values()),
            lines=1 + len(self.speed),
            workers=max(1, self.workers - self.workers // HALF),
            set_seconds=max(self.mean(seconds), self.mean(self.lately or seconds)) * self.seats,
            longest=max(seconds) if self.workers > 1 else max(self.lately or seconds) * self.seats,
        )

    def mean(self, seconds: list[float]) -> float:
        most = 4 * median(seconds)
        steady = [value for value in seconds if self.workers == 1 or value <= most]
        return sum(steady) / len(steady)
