"""`boardroom series`: the new version against the old on all cores, until the site's sequential test has decided."""

import tempfile
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from statistics import fmean

import click

from bots.command.errors import STOPPED
from bots.command.journal import Journal
from bots.command.options import (
    BotName,
    cores_option,
    distinct_names,
    game_argument,
    journal_option,
    json_option,
    options_named,
    rule_option,
    seed_option,
)
from bots.command.outcomes import Outcome, count_outcome
from bots.command.output import print_note, print_text, progress, to_stdout
from bots.command.play import show_tallies, tell_slips
from bots.command.series_decision import Series, share_in
from bots.command.worker_pool import WITHOUT_SANDBOX, Contest, Cores, contest_of, cores_here, refuse_windows
from bots.contest import find_contestant
from bots.rated_options import rated_options
from bots.sequential_test import ALPHA, BETA, MOST, Evidence, read_test
from engine.game import AnyGame
from engine.records import to_plain


@click.command(
    epilog="\b\nExamples:\n  boardroom series zaibatsu new.py old.py\n"
    "  boardroom series kaiju new/ old.zip greedy --test non-regression --journal night.jsonl\n"
    "  boardroom series zaibatsu new.py old.py --test=-20:10 --json > verdict.json"
)
@game_argument
@click.argument("bots", nargs=-1, type=BotName())
@click.option(
    "--test",
    "test_name",
    default="gain",
    show_default=True,
    help="gain (+30 Elo or +0), non-regression (+0 or -30), balanced (+15 or -15), or two bounds: --test=-20:10",
)
@click.option("--alpha", type=float, default=ALPHA, show_default=True, help="Nominal error of accepting.")
@click.option("--beta", type=float, default=BETA, show_default=True, help="Nominal error of refusing.")
@click.option("--most", type=click.IntRange(16, MOST), default=MOST, show_default=True, help="Sets at most.")
@seed_option
@rule_option
@journal_option
@cores_option
@json_option
def command(
    game: AnyGame,
    bots: Sequence[str],
    test_name: str,
    alpha: float,
    beta: float,
    most: int,
    seed: str,
    rules: Sequence[str],
    path: Path | None,
    cores: int | None,
    as_json: bool,
) -> int:
    """Play sets of GAME, the first of BOTS against the second, until it is decided which is better.

    Each deal is played once with every rotation of the seats; further bots fill the table. Ctrl-C tells how it stands;
    the same command with the same --journal goes on. Exit codes: 0 accepted, 3 refused, 130 stopped before that.
    """
    refuse_windows()
    options = options_named(game, bots, rules, rated_options(game.name))
    test = read_test(test_name, alpha, beta)
    with tempfile.TemporaryDirectory(prefix="boardroom-") as store:
        contestants = [find_contestant(game.name, bot, Path(store)) for bot in bots]
        names = distinct_names([bot.name for bot in contestants])
        decided = Series(names, Evidence(test, len(bots), most))
        contest = contest_of(game.name, options, contestants, seed)
        head = {"game": game.name, "rules": game.version, "options": to_plain(options), "seed": seed}
        with Journal(
            path, {**head, **series_identity(contest), "test": [test.elo0, test.elo1, alpha, beta, most]}
        ) as journal:
            print_note(WITHOUT_SANDBOX)
            is_stopped = not run_series(decided, journal, contest, cores or cores_here())
    tell(decided, head, as_json=as_json)
    return STOPPED if is_stopped else decided.exit_code


def series_identity(contest: Contest) -> dict[str, object]:
    return {"bots": [[bot.name, bot.bundle] for bot in contest.contestants]}


def run_series(decided: Series, journal: Journal, contest: Contest, cores: int) -> bool:
    """Play the series, and return whether the test decided; not if somebody pressed Ctrl-C."""
    outcomes = list(journal.outcomes)
    players = len(decided.names)
    if outcomes:
        print_note(f"{len(outcomes)} matches are in the journal; going on from there")
    try:
        for number in range(len(outcomes) // players):
            count_set(decided, outcomes[number * players : (number + 1) * players])
        if decided.evidence.accepted is None:
            with Cores(contest, cores) as players_at_work, progress("sets", decided.evidence.most) as advance:
                fresh = recorded_outcomes(players_at_work, journal, len(outcomes), decided.names)
                play_until_decided(decided, [*outcomes[len(outcomes) // players * players :]], fresh, advance)
    except KeyboardInterrupt:
        return False
    return True


def recorded_outcomes(cores: Cores, journal: Journal, first: int, names: Sequence[str]) -> Iterator[Outcome]:
    reported: set[int] = set()
    for done in cores.play(count(first)):
        journal.add(done.outcome)
        tell_slips(done.outcome, names, reported)
        yield done.outcome


def play_until_decided(decided: Series, begun: list[Outcome], fresh: Iterator[Outcome], advance: object) -> None:
    """Whole sets, in the order of their numbers, until the test decides."""
    assert callable(advance)
    for outcome in fresh:
        begun.append(outcome)
        if len(begun) == len(decided.names):
            count_set(decided, begun)
            begun = []
            advance(f"sets, {decided.ratio()}")
            if decided.evidence.accepted is not None:
                return


def count_set(decided: Series, outcomes: Sequence[Outcome]) -> None:
    if decided.evidence.accepted is not None:
        return
    for outcome in outcomes:
        for seat, bot in enumerate(outcome.seats):
            count_outcome(decided.tallies[bot], outcome, seat)
    result = tuple((*each.seats, *each.places, *each.scores, *each.answers) for each in outcomes)
    decided.results.add(result)
    decided.evidence.add(fmean(share_in(outcome.seats, outcome.places) for outcome in outcomes))


def tell(decided: Series, head: dict[str, object], *, as_json: bool) -> None:
    if as_json:
        to_stdout(decided.document(head))
        return
    if decided.evidence.sets:
        show_tallies(decided.tallies)
    for sentence in decided.sentences():
        print_text(sentence)
