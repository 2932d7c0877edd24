"""`boardroom check`: puts a bot into many positions, and reports everything that a site would object to."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import inf
from pathlib import Path

import click

from bots.command.errors import FAILED
from bots.command.options import BotName, game_argument, json_option, seed_option
from bots.command.output import print_note, print_text, progress, to_stdout
from bots.command.worker_pool import WITHOUT_SANDBOX, refuse_windows
from bots.contest import Contestant, bundle_named, closed, ready, surroundings
from bots.doctor.examination import Budget, Repetition, compared, examination_is_over, is_whole, planned
from bots.doctor.findings import SHOWN, Finding, findings
from bots.doctor.imported import read_imports
from bots.doctor.session import Place, Sitting, repeat_sitting, sit
from bots.interrupts import held
from bots.process import Local, share_one_core
from bots.protocol import RANGES, Clock
from bots.table import ProcessTable
from engine.core import Seat
from engine.game import AnyGame, Options
from engine.records import to_plain

QUESTIONS, SECONDS = Budget().questions, int(Budget().wall_s)


@click.command(
    epilog="\b\nExamples:\n  boardroom check zaibatsu mybot.py\n  boardroom check kaiju mybot/ --questions 9000\n"
    "  boardroom check network mybot.zip --answer-ms 200 --bank-ms 5000"
)
@game_argument
@click.argument("bot", type=BotName())
@click.option("--questions", type=click.IntRange(1, 1_000_000), default=QUESTIONS, show_default=True, help="At least.")
@click.option(
    "--seconds",
    type=click.IntRange(1, 86_400),
    default=SECONDS,
    show_default=True,
    help="Then it ends, too.",
)
@click.option("--answer-ms", type=click.IntRange(*RANGES["answer_ms"]), default=Clock().answer_ms, show_default=True)
@click.option("--bank-ms", type=click.IntRange(*RANGES["bank_ms"]), default=Clock().bank_ms, show_default=True)
@seed_option
@json_option
def command(
    game: AnyGame, bot: str, questions: int, seconds: int, answer_ms: int, bank_ms: int, seed: str, as_json: bool
) -> int:
    """Ask BOT thousands of questions of GAME: each kind, for every number of players and choice of options.

    In a third of the matches its own answers count; in the others some are replaced, by lot or as after a fault. Told
    are start, illegal answers, noise, time and memory, and whether it plays the same way twice. Exit codes: 0 sound, 1
    it fails somewhere, 2 it cannot be played.
    """
    refuse_windows()
    clock, budget = Clock(answer_ms, bank_ms), Budget(questions, seconds, seconds)
    with tempfile.TemporaryDirectory(prefix="boardroom-") as store:
        name, bundle = bundle_named(game.name, bot)
        contestant = ready(name, bundle, Path(store))
        print_note(WITHOUT_SANDBOX)
        share_one_core(0)
        place = place_at_home(contestant, game, clock)
        sittings = sat(place, game, budget, seed)
        results = findings(
            sittings, clock, budget, read_imports(bundle, at_home=True), same_again(place, game, sittings)
        )
    tell(contestant, game, sittings, results, as_json=as_json)
    return FAILED if any(finding.status == "failure" for finding in results) else 0


def place_at_home(bot: Contestant, game: AnyGame, clock: Clock) -> Place:
    """Return how the bot is started: as an ordinary process of this machine."""

    @contextmanager
    def seated(options: Options, seat: Seat) -> Iterator[ProcessTable]:
        """Return a table with the bot's process, which is not left behind, whenever a signal comes."""
        with ExitStack() as at_the_end:
            with held():
                processes: list[Local | None] = [None] * options.players
                processes[seat] = Local(bot.folder, "", bot.command, environment=surroundings())
                table = ProcessTable(processes, game, options, clock)
                at_the_end.callback(closed, table)
            yield table

    return seated


def sat(place: Place, game: AnyGame, budget: Budget, seed: str) -> list[Sitting]:
    """Matches until there are enough questions, or it is late, or the bot has ended often enough."""
    sittings: list[Sitting] = []
    began = time.monotonic()
    with progress("questions", budget.questions) as advance:
        for match in planned(game, seed):
            sittings.append(sit(place, game, match, began + budget.wall_s))
            advance(steps=len(sittings[-1].asked))
            if examination_is_over(sittings, budget, time.monotonic() - began):
                break
    return sittings


def same_again(place: Place, game: AnyGame, sittings: Sequence[Sitting]) -> Repetition | None:
    """Play the first complete match again, and return whether the bot did the same; None without a complete match."""
    sitting = next(filter(is_whole, sittings), None)
    return compared(sitting, repeat_sitting(place, game, sitting, inf)) if sitting else None


def tell(
    bot: Contestant, game: AnyGame, sittings: Sequence[Sitting], results: Sequence[Finding], *, as_json: bool
) -> None:
    if as_json:
        head = {"bot": bot.name, "bundle": bot.bundle, "game": game.name, "rules": game.version}
        to_stdout({**head, "matches": len(sittings), "findings": to_plain(list(results))})
        return
    for finding in results:
        print_text(f"{SHOWN[finding.status]:<8} {finding.title}: {finding.text}")
