"""`boardroom league`: many bots against each other on all cores, and their ratings with intervals."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from bots.command.errors import STOPPED, KitError
from bots.command.journal import Journal
from bots.command.league_asked import Asked
from bots.command.league_formats import FormatName
from bots.command.league_rounds import play_event
from bots.command.league_standings import league_table, tell
from bots.command.league_tables import FORMATS, League, tables_of
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
from bots.command.output import print_note, progress
from bots.command.play import tell_slips
from bots.command.worker_pool import WITHOUT_SANDBOX, Cores, cores_here, refuse_windows
from engine.game import AnyGame
from engine.records import to_plain

ROUNDS = 10  # of all tables, if nothing is said


@click.command(
    epilog="\b\nExamples:\n  boardroom league zaibatsu old.py new.py blend marginal\n"
    "  boardroom league kaiju mine/ greedy random search --table 3 --rounds 20 --journal league.jsonl\n"
    "  boardroom league network new.py v1.py v2.py v3.py --format gauntlet --json > league.json\n"
    "  boardroom league zaibatsu mine.py rung3 rung5 rung7 rung9 --format swiss --journal swiss.jsonl\n"
    "  boardroom league zaibatsu *.py --format event.json"
)
@game_argument
@click.argument("bots", nargs=-1, type=BotName())
@click.option("--format", "format_name", type=FormatName(), default=FORMATS[0], show_default=True)
@click.option("--table", "seats", type=click.IntRange(2), metavar="N", help="Bots at a table; default: the fewest.")
@click.option("--rounds", type=click.IntRange(1, 100_000), help="Default: 10; of a Swiss, as many as decide it.")
@seed_option
@rule_option
@journal_option
@cores_option
@json_option
def command(
    game: AnyGame,
    bots: Sequence[str],
    format_name: str,
    seats: int | None,
    rounds: int | None,
    seed: str,
    rules: Sequence[str],
    path: Path | None,
    cores: int | None,
    as_json: bool,
) -> int:
    """Play BOTS of GAME against each other, and rate them: Elo over the mean of all, with 95 % intervals.

    In a round-robin everybody meets everybody, in a gauntlet the first of BOTS meets all others. Neighbours meet who
    are named at most three places apart: name them in the order of their strength. There each round has a set at each
    table: one deal, once with every rotation of the seats. A swiss, a knockout, a double-elimination or a
    king-of-the-hill is played as on a site, and FILE.json with the settings of any format, as the API of a site has
    them; the bots are seeded as they are named. Ctrl-C tells how it stands; the same command with the same --journal
    goes on, in the formats with rounds of all tables with more --rounds too. Exit codes: 0 played, 130 stopped before
    that.
    """
    refuse_windows()
    size = seats or game.players[0]
    if len(bots) < max(2, size):
        raise KitError("too_few_bots", f"{len(bots)} bots are named; a table has {size}, so name at least {size}")
    asked = Asked(game, bots, seed, rules, path, cores or cores_here(), as_json)
    if format_name in FORMATS:
        return play_tables(asked, format_name, size, rounds or ROUNDS)
    return play_event(asked, format_name, seats, rounds)


def play_tables(asked: Asked, format_name: str, size: int, rounds: int) -> int:
    """A set at each table in every round. The exit code."""
    options = to_plain(options_named(asked.game, asked.bots[:size], asked.rules))
    with tempfile.TemporaryDirectory(prefix="boardroom-") as store:
        contestants = asked.contestants(store)
        names = distinct_names([bot.name for bot in contestants])
        tables = tables_of(len(names), size, format_name)
        matches = rounds * len(tables) * size
        league = League(asked.game.name, options, contestants, asked.seed, -1, tables)
        head = asked.head(options, format_name, contestants)
        with Journal(asked.path, head) as journal:
            print_note(WITHOUT_SANDBOX)
            is_whole = play_missing(league, journal, names, matches, asked.cores)
            outcomes = journal.outcomes[:matches]
    tell(league_table(outcomes, names, size), {**head, "rounds": rounds}, as_json=asked.as_json)
    return 0 if is_whole else STOPPED


def play_missing(league: League, journal: Journal, names: Sequence[str], matches: int, cores: int) -> bool:
    """Play what is missing, and return whether all was played: not if somebody pressed Ctrl-C."""
    already = min(len(journal.outcomes), matches)
    if already:
        print_note(f"{already} matches are in the journal; going on from there")
    if already == matches:
        return True
    reported: set[int] = set()
    try:
        with Cores(league, min(cores, matches - already)) as players, progress("matches", matches) as advance:
            advance(steps=already)
            for done in players.play(range(already, matches)):
                journal.add(done.outcome)
                tell_slips(done.outcome, names, reported)
                advance()
    except KeyboardInterrupt:
        return False
    return True
