"""`boardroom tune`: a bot's parameters by SPSA on duplicate deals, and a series that shows whether it was luck."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from statistics import fmean
from typing import Any

import click

from bots.command.errors import FAILED, STOPPED, KitError
from bots.command.journal import Journal
from bots.command.options import (
    BotName,
    cores_option,
    game_argument,
    journal_option,
    json_option,
    options_named,
    rule_option,
    seed_option,
)
from bots.command.outcomes import Outcome
from bots.command.output import print_note, print_text, progress, to_stdout
from bots.command.parameters import Parameter, Point, number_text, read_parameters, values, variables
from bots.command.play import tell_slips
from bots.command.series_decision import share_in
from bots.command.spsa import Spsa
from bots.command.worker_pool import WITHOUT_SANDBOX, Contest, Cores, cores_here, refuse_windows
from bots.contest import Match, find_contestant
from bots.sdk import PARAMETER
from bots.sequential_test import MOST, Evidence, SequentialTest, elo_of
from engine.game import AnyGame
from engine.records import to_plain

BLIND = 10  # steps in which no set told the two apart: then it reads no parameter
Variables = dict[str, str]


@dataclass(frozen=True, slots=True)
class Trial:
    """An order for one match: its number, its deal, how far the seats are turned, and what the two read."""

    number: int
    deal: str
    turn: int
    variables: tuple[Variables, Variables]


@dataclass(frozen=True, slots=True)
class Trials(Contest):
    """The first two contestants are one bot, with the variables of each trial."""

    def number_of(self, order: Any) -> int:
        return int(order.number)

    def match(self, order: Any) -> Match:
        """Raises PlatformFault."""
        first, second, *rivals = self.contestants
        two = [replace(bot, variables=read) for bot, read in zip((first, second), order.variables, strict=True)]
        seats = [(seat + order.turn) % len(self.contestants) for seat in range(len(self.contestants))]
        return replace(self, contestants=[*two, *rivals]).played(seats, order.deal)


@dataclass(slots=True)
class Tuning:
    """What is tuned, and how far it is."""

    search: Spsa
    contest: Trials
    journal: Journal
    sets: int  # in each step
    evidence: Evidence  # of the best against the start
    confirm: int  # sets of it
    advance: Callable[..., None] = lambda *_, **__: None

    @property
    def seats(self) -> int:
        return len(self.contest.contestants)

    def run(self, cores: Cores) -> None:
        """Raises KitError where nothing can be learned."""
        is_blind = True
        for step in range(self.search.steps):
            plus, minus = self.search.pair()
            shares = list(self.shares(cores, step * self.sets, self.sets, "tune", (plus, minus)))
            is_blind = is_blind and all(share == 0.5 for share in shares)
            if is_blind and step + 1 == min(BLIND, self.search.steps):
                raise blind(self.search.parameters, step + 1)
            self.search.learn(fmean(shares))
        if self.best != self.start:
            pair = (self.search.best(), [parameter.first for parameter in self.search.parameters])
            for share in self.shares(cores, self.search.steps * self.sets, self.confirm, "confirm", pair):
                self.evidence.add(share)

    @property
    def start(self) -> dict[str, float]:
        return values(self.search.parameters, [parameter.first for parameter in self.search.parameters])

    @property
    def best(self) -> dict[str, float]:
        return values(self.search.parameters, self.search.best())

    def shares(self, cores: Cores, first: int, sets: int, name: str, pair: tuple[Point, Point]) -> Iterator[float]:
        """Return what the first of the pair took in each set; those in the journal are not played again."""
        read = (dict(variables(self.search.parameters, pair[0])), dict(variables(self.search.parameters, pair[1])))
        orders = [
            Trial(deal * self.seats + turn, f"{self.contest.seed}/{name}/{deal}", turn, read)
            for deal in range(first, first + sets)
            for turn in range(self.seats)
        ]
        recorded = self.journal.outcomes[first * self.seats : (first + sets) * self.seats]
        self.advance(name, steps=len(recorded))
        outcomes = chain(recorded, self.kept(cores, orders[len(recorded) :]))
        while complete := list(islice(outcomes, self.seats)):
            yield fmean(share_in(outcome.seats, outcome.places) for outcome in complete)

    def kept(self, cores: Cores, orders: Sequence[Trial]) -> Iterator[Outcome]:
        for done in cores.play(orders):
            self.journal.add(done.outcome)
            if len(self.journal.outcomes) == self.seats:
                self._check_faults()
            self.advance()
            yield done.outcome

    def _check_faults(self) -> None:
        """Refuse a bot that faults in every match of the first set: it has no strength to tune."""
        outcomes = self.journal.outcomes
        names = [bot.name for bot in self.contest.contestants]
        if all(any(match.seats[slip.seat] < 2 for slip in match.slips) for match in outcomes):
            slip = next(slip for slip in outcomes[0].slips if outcomes[0].seats[slip.seat] < 2)
            message = f"{names[0]} is at fault in every match of the first set: {slip.verdict}: {slip.detail}"
            raise KitError("bot_faults", message, FAILED)
        told_of: set[int] = set()
        for outcome in outcomes:
            tell_slips(outcome, names, told_of)


def blind(parameters: Sequence[Parameter], steps: int) -> KitError:
    read = ", ".join(f"{PARAMETER}{parameter.name}" for parameter in parameters)
    message = f"in {steps} steps every set ended level: does the bot read {read} from its environment?"
    return KitError("no_difference", message, FAILED)


@click.command(
    epilog="\b\nExamples:\n  boardroom tune zaibatsu mybot.py --param REACH=0:4\n"
    "  boardroom tune kaiju mybot.py --param DEPTH=1:2:6 --param WEIGHT=0:0.5:2 --steps 300 --journal tune.jsonl\n"
    "  boardroom tune network mybot.py --param PATIENCE=0:10 --beside greedy --json > tuned.json"
)
@game_argument
@click.argument("bot", type=BotName())
@click.option(
    "--param",
    "texts",
    multiple=True,
    required=True,
    metavar="NAME=LOW:HIGH",
    help="Or NAME=LOW:START:HIGH; without START it begins in the middle. Whole bounds: whole values. Repeatable.",
)
@click.option("--steps", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Of SPSA.")
@click.option("--sets", type=click.IntRange(1, 1000), default=4, show_default=True, help="In each step.")
@click.option("--confirm", type=click.IntRange(4, MOST), default=100, show_default=True, help="Sets, at the end.")
@click.option("--beside", "companions", multiple=True, metavar="BOT", help="Sits at the table too; repeatable.")
@seed_option
@rule_option
@journal_option
@cores_option
@json_option
def command(
    game: AnyGame,
    bot: str,
    texts: Sequence[str],
    steps: int,
    sets: int,
    confirm: int,
    companions: Sequence[str],
    seed: str,
    rules: Sequence[str],
    path: Path | None,
    cores: int | None,
    as_json: bool,
) -> int:
    """Tune numbers that BOT reads from its environment: BOARDROOM_PARAM_NAME, in Python bots.sdk.parameter.

    In each step two versions of it meet on the same deals from the same seats, and the numbers go towards the one that
    did better. At the end the best found plays the start on fresh deals, so that luck is not sold as progress. Ctrl-C
    tells how it stands; the same command with the same --journal goes on. Exit codes: 0 tuned, 130 stopped before that.
    """
    refuse_windows()
    parameters = read_parameters(texts)
    named = [bot, bot, *companions]
    options = to_plain(options_named(game, named, rules))
    with tempfile.TemporaryDirectory(prefix="boardroom-") as store:
        contestants = [find_contestant(game.name, name, Path(store)) for name in named]
        contest = Trials(game.name, options, contestants, seed)
        head = {"game": game.name, "rules": game.version, "options": options, "seed": seed, "tune": list(texts)}
        head |= {"steps": steps, "sets": sets, "bots": [[name.name, name.bundle] for name in contestants]}
        with Journal(path, head) as journal:
            evidence = Evidence(SequentialTest(), len(named))
            tuning = Tuning(Spsa(parameters, steps, seed), contest, journal, sets, evidence, confirm)
            print_note(WITHOUT_SANDBOX)
            is_whole = run_tuning(tuning, cores or cores_here())
    tell(tuning, head, as_json=as_json)
    return 0 if is_whole else STOPPED


def run_tuning(tuning: Tuning, cores: int) -> bool:
    """Whether it came to its end; not if somebody pressed Ctrl-C."""
    if tuning.journal.outcomes:
        print_note(f"{len(tuning.journal.outcomes)} matches are in the journal; going on from there")
    matches = (tuning.search.steps * tuning.sets + tuning.confirm) * tuning.seats
    try:
        with Cores(tuning.contest, cores) as players, progress("matches", matches) as tuning.advance:
            tuning.run(players)
    except KeyboardInterrupt:
        return False
    return True


def tell(tuning: Tuning, head: dict[str, object], *, as_json: bool) -> None:
    if as_json:
        to_stdout(tuning_document(tuning, head))
        return
    for name, value in tuning.best.items():
        print_text(f"{name} = {number_text(value)} (start {number_text(tuning.start[name])})")
    print_text(tuning_verdict(tuning))


def tuning_verdict(tuning: Tuning) -> str:
    evidence = tuning.evidence
    done = f"{len(tuning.search.path)} of {tuning.search.steps} steps"
    if tuning.best == tuning.start:
        return f"After {done} the best is the start."
    if not evidence.sets:
        return f"After {done}; not confirmed, so that it may be luck."
    low, high = (elo_of(share) for share in evidence.interval)
    result = "better than" if low > 0 else "worse than" if high < 0 else "not shown to be better than"
    measured = f"{elo_of(evidence.mean):+.0f} Elo, 95 % from {low:+.0f} to {high:+.0f}"
    return f"It is {result} the start: {measured}, in {evidence.sets} sets on fresh deals."


def tuning_document(tuning: Tuning, head: dict[str, object]) -> dict[str, object]:
    evidence = tuning.evidence
    confirmed = {
        "sets": evidence.sets,
        "share": evidence.mean,
        "interval": evidence.interval,
        "elo": elo_of(evidence.mean),
        "elo_interval": [elo_of(share) for share in evidence.interval],
    }
    path = [values(tuning.search.parameters, point) for point in tuning.search.path]
    return {
        **head,
        "start": tuning.start,
        "best": tuning.best,
        "steps_done": len(path),
        "confirmed": confirmed if evidence.sets else None,
        "path": path,
    }
