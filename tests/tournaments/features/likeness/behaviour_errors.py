"""How often two different bots seem to play alike, and how many copies are found: of the field's 60 bots and the
samples, on recorded views.

    python3 -m tests.tournaments.features.likeness.behaviour_errors [GAME...] [--matches 6] [--answers 120]

Played by processes of this machine through the worker's own `Rehearsal`, and weighed by the site's own
`compare_answers`. Rungs of one family are one program with other numbers: they stand apart from pairs of two programs.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bots.bundle import read_bundle
from bots.contest import Contestant, find_contestant, play_match, ready, sample_files, table_of
from bots.field import read_fields
from engine.game import AnyGame, Options
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import seat_referee
from tests.renamed_copies import copied_to_run
from tournaments.features.likeness.answers import ALIKE, Answers, compare_answers
from workers.practice import Rehearsal

TWO, FAMILY, COPY = "pairs of two programs", "pairs of one program with other numbers", "renamed and reformatted copies"
Share = tuple[str, str, str, float]  # what kind of pair, both, and what they have in common


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--matches", type=int, default=6)
    parser.add_argument("--answers", type=int, default=120)
    given = parser.parse_args()
    results: list[Share] = []
    for game in given.games or sorted(read_fields()):
        with TemporaryDirectory() as store:
            of_game = list(one_game(game, given.matches, given.answers, Path(store)))
        tell(game, of_game)
        results += of_game
    tell("all games", results)


def tell(title: str, results: Sequence[Share]) -> None:
    for kind in (TWO, FAMILY, COPY):
        shares = sorted((share for what, *_, share in results if what == kind), reverse=True)
        listed = sum(share >= ALIKE for share in shares)
        highest = ", ".join(f"{share:.2f}" for share in shares[: 8 if kind == TWO else 3])
        print(
            f"{title}: {len(shares)} {kind}, {listed} of them listed; most in common {highest}, least {shares[-1]:.2f}"
        )


def one_game(name: str, matches: int, most: int, store: Path) -> Iterator[Share]:
    field, samples = (
        read_fields()[name],
        {sample: path for sample, path in sample_files(name).items() if path.suffix == ".py"},
    )
    game, options = GAMES[name], GAMES[name].read_options(field.options)
    family = {**{rung.bot: rung.family for rung in field.rungs}, **{sample: sample for sample in samples}}
    bots = {contestant: find_contestant(name, contestant, store) for contestant in family}
    copies = {f"copy of {sample}": copy_of(path, store) for sample, path in samples.items()}
    views = [recorded(game, options, list(bots.values()), number, most) for number in range(matches)]
    by_bot = {
        contestant: [answers(game, options, bot, *view) for view in views]
        for contestant, bot in {**bots, **copies}.items()
    }
    honest = {contestant: answered for contestant, answered in by_bot.items() if contestant in bots}
    for (first, other), share in shares_of(honest).items():
        yield (FAMILY if family[first] == family[other] else TWO), first, other, share
    for sample in samples:
        copy = f"copy of {sample}"
        yield COPY, sample, copy, shares_of({**honest, copy: by_bot[copy]})[sample, copy]


def shares_of(by_bot: Mapping[str, Answers]) -> dict[tuple[str, str], float]:
    """The share of each pair, as if each bot were somebody else's."""
    names = list(by_bot)
    findings = compare_answers(
        dict(enumerate(by_bot.values())), {number: number for number in range(len(names))}, least=0.0, most=10**6
    )
    shares = {(names[pair.one], names[pair.other]): pair.share for pair in findings.pairs}
    compared = [names[number] for number in findings.compared]
    return {pair: shares.get(pair, 0.0) for pair in combinations(compared, 2)}


def copy_of(sample: Path, store: Path) -> Contestant:
    return ready(f"copy of {sample.name}", read_bundle(copied_to_run(sample.read_text()).encode(), "bot.py"), store)


def recorded(
    game: AnyGame, options: Options, bots: Sequence[Contestant], number: int, most: int
) -> tuple[str, list[Any]]:
    """The seed of a match, and its first answers."""
    seated = [bots[(number * 3 + seat * 2 + 1) % len(bots)] for seat in range(options.players)]
    played = play_match(game, options, f"views {number}", seated)
    lines = [[a.seat, to_plain(a.action), a.ms, *([a.fault] if a.fault else [])] for a in played.answers]
    return f"views {number}", lines[:most]


def answers(game: AnyGame, options: Options, bot: Contestant, seed: str, script: list[Any]) -> list[str]:
    """The bot's answers at every seat, while those of the script are played."""
    with table_of(game, options, [bot] * options.players) as table:
        table.start()
        at_table = Rehearsal(table, frozenset(), {})
        referee = seat_referee(game, options, seed, at_table, 3)
        referee.begin({})
        while (asked := len(referee.match.questions)) and len(referee.answers) + asked <= len(script):
            at_table.lay_out(script[len(referee.answers) : len(referee.answers) + asked], in_earnest=False)
            referee.step()
    return [*at_table.digests, *[""] * (len(script) - len(at_table.digests))]


if __name__ == "__main__":
    main()
