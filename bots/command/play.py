"""`boardroom play`: matches at home, each deal once with every rotation of the seats."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from bots.command.errors import KitError
from bots.command.note_file import write_notes
from bots.command.options import (
    BotName,
    cores_option,
    distinct_names,
    game_argument,
    json_option,
    options_named,
    rule_option,
    seed_option,
)
from bots.command.outcomes import Outcome, tallied
from bots.command.output import print_note, print_table, progress, to_stdout
from bots.command.whole_files import write_whole
from bots.command.worker_pool import WITHOUT_SANDBOX, Cores, Done, contest_of, cores_here, refuse_windows
from bots.contest import find_contestant
from bots.results_table import HEADS, Tally, tally_rows
from engine.game import AnyGame
from engine.records import to_plain


@click.command(
    epilog="\b\nExamples:\n  boardroom play zaibatsu mybot.py random random\n"
    "  boardroom play kaiju mybot/ greedy --games 60 --seed spring --replay last.json.gz\n"
    "  boardroom play zaibatsu a.py b.py --option piles=closed --json > results.json"
)
@game_argument
@click.argument("bots", nargs=-1, type=BotName())
@click.option("--games", type=click.IntRange(1, 1_000_000), default=12, show_default=True, help="Matches to play.")
@seed_option
@rule_option
@click.option("--replay", type=click.Path(path_type=Path), help="Write the last match's replay to this file.")
@click.option("--notes", type=click.Path(path_type=Path), help="Write what its bots noted to this file, for watch.")
@cores_option
@json_option
def command(
    game: AnyGame,
    bots: Sequence[str],
    games: int,
    seed: str,
    rules: Sequence[str],
    replay: Path | None,
    notes: Path | None,
    cores: int | None,
    as_json: bool,
) -> None:
    """Play matches of GAME between BOTs: samples by name, files as you would upload them, or folders.

    Games are best a multiple of the number of bots: each deal is then played from every seat.
    """
    refuse_windows()
    options = options_named(game, bots, rules)
    check_out("--replay", replay)
    check_out("--notes", notes)
    with tempfile.TemporaryDirectory(prefix="boardroom-") as store:
        contestants = [find_contestant(game.name, bot, Path(store)) for bot in bots]
        names = distinct_names([bot.name for bot in contestants])
        contest = contest_of(game.name, options, contestants, seed, games - 1 if replay or notes else -1)
        print_note(WITHOUT_SANDBOX)
        with Cores(contest, min(cores or cores_here(), games)) as players:
            done = list(with_progress(players.play(range(games)), names, games))
    if replay:
        write_whole(replay, done[-1].replay or b"")
    if notes:
        write_notes(notes, done[-1].notes)
    head = {"game": game.name, "rules": game.version, "options": to_plain(options), "seed": seed}
    tell(head, names, [match.outcome for match in done], as_json=as_json)


def check_out(option: str, out: Path | None) -> None:
    """Refuse a file that cannot be written before anything is played. Raises KitError."""
    if out and not out.absolute().parent.is_dir():
        raise KitError("missing_folder", f"{option}: there is no folder {out.absolute().parent}")
    if out and out.is_dir():
        raise KitError("is_folder", f"{option}: {out} is a folder; name a file")


def with_progress(done: Iterator[Done], names: Sequence[str], games: int) -> Iterator[Done]:
    """Return the matches, while showing progress and the first fault of each bot."""
    reported: set[int] = set()
    with progress("matches", games) as advance:
        for match in done:
            tell_slips(match.outcome, names, reported)
            advance()
            yield match


def tell_slips(outcome: Outcome, names: Sequence[str], reported: set[int]) -> None:
    for slip in outcome.slips:
        if (bot := outcome.seats[slip.seat]) not in reported:
            reported.add(bot)
            print(f"{names[bot]} in match {outcome.number + 1}: {slip.verdict}: {slip.detail}", file=sys.stderr)


def tell(head: dict[str, object], names: Sequence[str], outcomes: Sequence[Outcome], *, as_json: bool) -> None:
    tallies = tallied(names, outcomes)
    if as_json:
        to_stdout({**head, "bots": to_plain(tallies), "matches": to_plain(outcomes)})
    else:
        show_tallies(tallies)


def show_tallies(tallies: Sequence[Tally]) -> None:
    print_table(HEADS, tally_rows(tallies))
