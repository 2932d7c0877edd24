"""A ladder with three workers, one of which lies about time: in every set with its own bot, the other bot times out.

Dealing, recording, ratings, spot checks, voiding and blocking are the site's own; only bots and clocks are simulated.
The liar's bot is the weakest: half of its answers are the defaults. In a tick three workers play a set each, of two
matches, or two spot checks, which one worker plays at a time, as the dispatcher has it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from engine.core import Seat
from engine.dice import Dice
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Prompt, Reply, Verdict, run_match
from engine.replay import Player, record, write_replay
from tests.factories import AnyAnswers, a_ladder, a_version, rate
from tournaments.core.broker.available_workers import CHOSEN, AvailableWorkers
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.matchmaking.spot_checks import assign
from tournaments.ledger.recording import reports as recording
from tournaments.ledger.recording.divergent_workers import block_diverging, conclude_spot_checks
from tournaments.models import Entry, Ladder, Match, MatchSet, Rating, Worker
from workers.orders import TAG, MatchOrder, Order, Report
from workers.process_heartbeats import OnlineProcess

LIAR, WORKERS = "liar", ("liar", "bob", "eve")
BOTS = 8


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one liar: how many sets it lied about until it was blocked, if it was, and the most that its bot gained."""

    lies: int
    ticks: int
    blocked: bool
    gained: float


@dataclass
class World:
    draw: Random
    ladder: Ladder = field(default_factory=lambda: a_ladder(players=2))
    versions: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for _ in range(BOTS):
            version = a_version()
            enter_in_ladder(ladder=self.ladder, bot=version.bot, by=version.bot.owner)
            self.versions.append(version.pk)
        for name in WORKERS:
            Worker.objects.create(name=name)

    @property
    def own(self) -> int:
        """The version of the liar's owner."""
        return self.versions[0]

    def play_honestly(self, sets: int) -> None:
        for number in range(sets):
            self._set(WORKERS[number % len(WORKERS)], late=[])
        rate()

    def lie(self, ticks: int) -> Outcome:
        """Play on, the liar lying, until it is blocked."""
        before, gained, lies = self.elo(), 0.0, 0
        for tick in range(1, ticks + 1):
            self._check()
            if block_diverging():
                return Outcome(lies, tick, blocked=True, gained=gained)
            checking = MatchSet.objects.filter(rechecks__isnull=False, status="open").exists()
            for worker in self.draw.sample(WORKERS, 2 if checking else 3):
                lies += self._set(worker, late=self.versions[1:] if worker == LIAR else [])
            rate()
            gained = max(gained, self.elo() - before)
        return Outcome(lies, ticks, blocked=False, gained=gained)

    def elo(self) -> float:
        """Return the rating of the liar's bot."""
        return Rating.objects.get(version=self.own).elo or 0.0

    def _set(self, worker: str, late: Iterable[int]) -> bool:
        """Deal and play the next set. Returns whether the worker lied in it."""
        dealt = MatchSet.objects.filter(ladder=self.ladder, rechecks=None, status="open").first()
        dealt = dealt or create_set(ladder=self.ladder, versions=self.draw.sample(self._playing(), 2))
        lying = bool(late) and dealt.matches.filter(seats__version=self.own).exists()
        self._play(worker, dealt, late if lying else [])
        return lying

    def _playing(self) -> list[int]:
        entries = Entry.objects.filter(ladder=self.ladder, status=Entry.Status.PLAYING)
        return list(entries.order_by("bot").values_list("bot__versions", flat=True))

    def _check(self) -> None:
        """Play two of the spot checks that wait, each by the worker that the site assigns."""
        processes = tuple(OnlineProcess.of(f"{worker}/1", TAG, ["python"]) for worker in WORKERS)
        for _ in range(2):
            assign(AvailableWorkers(processes, any_online=True, tags=(TAG,)))
            if check := MatchSet.objects.filter(rechecks__isnull=False, status="open").order_by("pk").first():
                self._play(check.needs.removeprefix(CHOSEN).partition("/")[0], check, [])
            conclude_spot_checks()

    def _play(self, worker: str, played: MatchSet, late: Iterable[int]) -> None:
        order = order_of_set(played, claim(match_set=played))
        for match in order.matches:
            report = _report(order, match, self.own, dict.fromkeys(late, Verdict.TIMED_OUT))
            assert recording.record_report(replace(report, worker=f"{worker}/1")) == recording.RECORDED


def _report(order: Order, match: MatchOrder, weak: int, late: Mapping[int, Verdict]) -> Report:
    game, options = GAMES[order.game], GAMES[order.game].read_options(order.options)
    versions = list(Match.objects.get(pk=match.match).seats.order_by("number").values_list("version", flat=True))
    failing = {seat: late[version] for seat, version in enumerate(versions) if version in late}
    table = Answers(Dice.of(f"{order.seed} {versions}"), failing, versions.index(weak) if weak in versions else -1)
    played = run_match(game, options, order.seed, table, strikes=order.strikes)
    competitors = [order.competitors[index] for index in match.seats]
    players = [Player(competitor.name, competitor.version, competitor.bundle) for competitor in competitors]
    return Report(
        match=match.match,
        lease=match.lease,
        worker="",
        outcome="played",
        replay=write_replay(record(game, options, order.seed, players, played)),
        faults=played.faults,
        cpu_ms=[1.5] * options.players,
        seconds=0.25,
        tier="none",
        secret=match.secret,
    )


@dataclass(slots=True)
class Answers(AnyAnswers):
    """Drawn answers, but for half of the weak bot's, which are the defaults."""

    weak: Seat

    def _reply(self, seat: Seat, prompt: Prompt) -> Reply:
        if seat == self.weak and self.dice.below(2):
            return Reply(to_plain(prompt.question.default()), 1.0)
        return super(Answers, self)._reply(seat, prompt)
