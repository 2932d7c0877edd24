"""Matches at home, in ordinary processes without a sandbox: play only bots you trust.

    python3 -m bots.play zaibatsu random marginal
    python3 -m bots.play zaibatsu mybot.py blend blend --games 60 --seed spring --replay last.json.gz
    python3 -m bots.play zaibatsu new.py old.py blend --sprt gain

A bot is a sample's name, a file as you would upload it, or a folder to be zipped. Each deal is played once with every
rotation of the seats, so games are best a multiple of the number of bots. With --sprt the first bot is tested against
the second, as the site's gate does it: sets are played until that is decided, 2000 at most; Ctrl-C prints how it
stands. Exit codes: 0 played or accepted, 1 the machine failed, 2 bad command, 3 refused, 130 stopped.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from bots.contest import Contestant, ContestError, Match, contest, find, replay_of, sample_names, surroundings
from bots.forked import forking
from bots.process import share_one_core
from bots.results_table import as_table, tally
from bots.sequential_test import ALPHA, BETA, MOST, BadTest, Evidence, read_test
from bots.until_decided import UntilDecided, on_one_line
from engine.game import AnyGame, Options
from engine.games import GAMES
from engine.records import RecordError, show, to_plain
from engine.referee import PlatformFault
from engine.replay import write

BAR = 30  # characters
GAMES_PLAYED = 12  # if nothing is said


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="boardroom-") as store, ExitStack() as at_the_end:
            return _play(options, Path(store), at_the_end)
    except (ContestError, BadTest) as error:
        print(f"error: {error} [{error.code}]", file=sys.stderr)
        return 2
    except PlatformFault as error:
        print(f"error: {error} [platform_fault]", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    about, *epilog = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        "python3 -m bots.play",
        description=about,
        epilog="".join(epilog),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    shelf = "; ".join(f"{name} (samples: {', '.join(sample_names(name))})" for name in GAMES)
    parser.add_argument("game", help=f"one of: {shelf}")
    parser.add_argument("bots", nargs="*", metavar="BOT", help="a sample's name, a file or a folder; seat 0 first")
    parser.add_argument("--games", type=int, help=f"matches to play (default {GAMES_PLAYED})")
    parser.add_argument(
        "--sprt",
        metavar="TEST",
        help="play sets until it is decided: gain (+30 Elo or +0), non-regression (+0 or -30), balanced (+15 or -15), "
        "or two bounds in Elo, as in --sprt=-20:10",
    )
    parser.add_argument("--alpha", type=float, default=ALPHA, help=f"nominal error of accepting (default {ALPHA})")
    parser.add_argument("--beta", type=float, default=BETA, help=f"nominal error of refusing (default {BETA})")
    parser.add_argument("--seed", default="home", help="any text; the same seed, the same deals (default: home)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="of the game; may be repeated"
    )
    parser.add_argument("--replay", type=Path, metavar="FILE", help="write the last match's replay")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser


def _play(namespace: argparse.Namespace, store: Path, at_the_end: ExitStack) -> int:
    game = game_named(namespace.game)
    options = options_named(game, namespace.bots, namespace.option)
    evidence = _evidence(namespace)
    if namespace.replay and not namespace.replay.absolute().parent.is_dir():
        raise ContestError("missing_folder", f"--replay: there is no folder {namespace.replay.absolute().parent}")
    contestants = [find(game.name, bot, store) for bot in namespace.bots]
    names = distinct_names([bot.name for bot in contestants])
    share_one_core(0)
    at_the_end.enter_context(forking(game.name, surroundings()))
    games = MOST * len(names) if evidence else namespace.games
    matches = _telling(contest(game, options, contestants, namespace.seed, games), names)
    head = {"game": game.name, "rules": game.version, "options": to_plain(options)}
    if evidence:
        decided = UntilDecided(names, evidence)
        try:
            decided.play(matches, on_one_line)
        finally:  # also after Ctrl-C, and where the machine fails
            _clear()
            print(decided.as_json(head) if namespace.json else decided.as_text())
            _keep(namespace.replay, game, options, contestants, decided.last)
        return decided.exit_code
    played = list(_watched(matches, games))
    _keep(namespace.replay, game, options, contestants, played[-1])
    print(_as_json(head, names, played) if namespace.json else as_table(tally(names, played)))
    return 0


def _evidence(namespace: argparse.Namespace) -> Evidence | None:
    """Return the evidence of the test that is asked for, if one is. Raises BadTest and ContestError."""
    if namespace.sprt is None:
        namespace.games = GAMES_PLAYED if namespace.games is None else namespace.games
        if namespace.games < 1:
            raise ContestError("bad_games", f"--games must be at least 1, not {namespace.games}")
        if (namespace.alpha, namespace.beta) != (ALPHA, BETA):
            raise ContestError("no_test", "--alpha and --beta are of a test; name one with --sprt")
        return None
    if namespace.games is not None:
        raise ContestError("bad_games", "--sprt plays until it is decided; leave out --games")
    return Evidence(read_test(namespace.sprt, namespace.alpha, namespace.beta), len(namespace.bots))


def _keep(
    file: Path | None, game: AnyGame, options: Options, contestants: Sequence[Contestant], last: Match | None
) -> None:
    if file and last:
        file.write_bytes(write(replay_of(game, options, contestants, last)))


def game_named(name: str) -> AnyGame:
    if name not in GAMES:
        raise ContestError("unknown_game", f"there is no game {show(name)}; games: {', '.join(GAMES)}")
    return GAMES[name]


def options_named(game: AnyGame, bots: Sequence[str], given: Iterable[str]) -> Options:
    if len(bots) not in game.players:
        fewest, most = game.players[0], game.players[-1]
        raise ContestError(
            "wrong_number_of_players", f"{game.title} is for {fewest} to {most} players; {len(bots)} bots are named"
        )
    plain: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name == "players":
            raise ContestError("bad_option", f"--option {show(text)}: write NAME=VALUE; the players are the bots named")
        plain[name] = _value(value)
    try:
        options: Options = game.read_options({**plain, "players": len(bots)})
    except RecordError as error:
        raise ContestError("bad_option", str(error)) from error
    return options


def _value(text: str) -> object:
    """A number or another JSON value; what is not JSON is a text."""
    with suppress(ValueError):
        return json.loads(text)
    return text


def distinct_names(names: Sequence[str]) -> list[str]:
    """Distinct names of the bots: "random", "random #2"."""
    return [f"{name} #{names[: i + 1].count(name)}" if name in names[:i] else name for i, name in enumerate(names)]


def _telling(matches: Iterable[Match], names: Sequence[str]) -> Iterator[Match]:
    """The matches, with the first fault of each bot on stderr."""
    shown: set[int] = set()
    for number, match in enumerate(matches, 1):
        for fault in match.played.faults:
            bot = match.seats[fault.seat]
            if bot not in shown:
                shown.add(bot)
                _clear()
                print(f"{names[bot]} in match {number}: {fault.verdict}: {fault.detail}", file=sys.stderr)
        yield match


def _watched(matches: Iterable[Match], games: int) -> Iterator[Match]:
    """The matches, with a progress bar for a person."""
    _progress(0, games)
    for number, match in enumerate(matches, 1):
        _progress(number, games)
        yield match
    _clear()


def _progress(done: int, games: int) -> None:
    if sys.stderr.isatty():
        filled = BAR * done // games
        print(f"\r[{'#' * filled}{' ' * (BAR - filled)}] {done} of {games}", end="", file=sys.stderr, flush=True)


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)


def _as_json(head: dict[str, object], names: Sequence[str], matches: Sequence[Match]) -> str:
    played = [
        {
            "seed": match.seed,
            "seats": [names[bot] for bot in match.seats],
            "result": to_plain(match.played.result),
            "faults": to_plain(match.played.faults),
        }
        for match in matches
    ]
    bots = [to_plain(line) for line in tally(names, matches)]
    return json.dumps({**head, "bots": bots, "matches": played}, indent=2)


if __name__ == "__main__":
    sys.exit(main())
