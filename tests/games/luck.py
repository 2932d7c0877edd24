"""Luck, measured: `python3 -m tests.games.luck fit|variance|bias|duplicates ...`.

`fit` plays sets of matches among the samples of Corporate Gigabucks and prints the value fitted on them. `variance`
says what is left of the variance of a set's mean share once luck is taken out, with bots whose tastes are drawn, none
of which a value was fitted on. `bias` takes the mean luck of each bot at each seat, which should be 0. `duplicates`
says what playing one deal from every seat saves, in any game, with its samples.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance
from typing import Any, Final

from bots.games.gigabucks.samples.greedy import USUAL, Taste, choose
from bots.games.gigabucks.samples.search import TASTES
from engine.dice import Dice
from engine.game import AnyGame, Options
from engine.games import GAMES
from engine.luck import luck_of, shares_beaten, shipped, summed_surprises, throws_of
from engine.luck_value import LuckValue
from engine.records import to_plain
from engine.replay import Player, Replay, record
from tests.bots import seated
from tournaments.features.luck.value_fit import Sample, fitted_luck_value

GIGABUCKS: Final = GAMES["gigabucks"]
QUICK: Final = {"bidding": "proxy", "currency": 40, "spaces": 14, "max_rounds": 10}  # a third as long


@dataclass(frozen=True)
class Taster:
    """Plays by rules of thumb and a taste of its own."""

    name: str
    taste: Taste

    def choose(self, view: Any, question: Any) -> Any:
        return choose(view, question, self.taste)


HOUSE: Final = [Taster("greedy", USUAL), *(Taster(f"search {number}", taste) for number, taste in enumerate(TASTES))]


def drawn(seed: str, number: int) -> list[Taster]:
    """Bots with tastes of which none is a sample's."""
    dice = Dice.of(seed)

    def between(low: int, high: int) -> float:
        return (low + dice.below(high - low + 1)) / 10

    return [
        Taster(
            f"drawn {index}",
            Taste(between(80, 350), between(3, 8), between(20, 60), between(10, 40), between(0, 10)),
        )
        for index in range(number)
    ]


def set_of(game: AnyGame, options: Options, bots: Sequence[Any], seed: str) -> Iterator[Replay]:
    """One deal, each bot once at every seat: in match r bot number (seat + r) sits at a seat."""
    for turn in range(len(bots)):
        seats = [bots[(seat + turn) % len(bots)] for seat in range(len(bots))]
        played = seated.match(game, options, seed, seats)
        yield record(game, options, seed, [Player(named(bot)) for bot in seats], played)


def named(bot: Any) -> str:
    name: str = getattr(bot, "name", "") or bot.__name__.rpartition(".")[2]
    return name


def tables(seed: str, players: int, lineups: int, bots: Sequence[Taster]) -> Iterator[tuple[str, list[Taster]]]:
    """Different bots at each."""
    dice = Dice.of(f"{seed} tables")
    for number in range(lineups):
        chosen = list(bots)
        dice.shuffle(chosen)
        yield f"{seed} {players} {number}", chosen[:players]


# --- fit -----------------------------------------------------------------------------------------------------------


def samples_of(replays: Iterable[Replay]) -> Iterator[Sample]:
    assert GIGABUCKS.luck
    for replay in replays:
        throws = throws_of(replay, GIGABUCKS.luck)
        seats = zip(replay.players, shares_beaten(throws.places), summed_surprises(throws), strict=True)
        for player, share, surprise in seats:
            yield Sample((player.name, len(replay.players)), float(share), surprise)


def house_matches(seed: str, sets: int, sizes: Sequence[int]) -> Iterator[Replay]:
    for players in sizes:
        options = GIGABUCKS.read_options({"players": players, "bidding": "proxy"})
        for deal, bots in tables(seed, players, sets, HOUSE):
            yield from set_of(GIGABUCKS, options, bots, deal)


def fit(name: str, seed: str, sets: int, sizes: Sequence[int]) -> LuckValue:
    return fitted_luck_value(name, GIGABUCKS, samples_of(house_matches(seed, sets, sizes)))


# --- variance ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spread:
    """Variances of a bot's mean share: of as many matches of different deals, of a set, of a set without luck."""

    independent: float
    duplicate: float
    adjusted: float


def spread_of(sets: Sequence[Sequence[Sequence[tuple[float, float]]]]) -> Spread:
    """`sets`: by set, match and seat, the share and what is left of it without luck. One lineup in all of them."""
    seats = range(len(sets[0]))
    alone, duplicate, adjusted = list[float](), list[float](), list[float]()
    for bot in seats:
        mine = [[match[(bot - turn) % len(seats)] for turn, match in enumerate(matches)] for matches in sets]
        alone.append(sum(variance(matches[turn][0] for matches in mine) for turn in seats) / len(seats) ** 2)
        duplicate.append(variance(fmean(share for share, _ in matches) for matches in mine))
        adjusted.append(variance(fmean(left for _, left in matches) for matches in mine))
    return Spread(fmean(alone), fmean(duplicate), fmean(adjusted))


def measured(
    value: LuckValue | None, game: AnyGame, options: Options, bots: Sequence[Any], deals: Iterable[str]
) -> Spread:
    return spread_of(_sets(value, game, options, bots, deals))


def _sets(
    value: LuckValue | None, game: AnyGame, options: Options, bots: Sequence[Any], deals: Iterable[str]
) -> list[list[list[tuple[float, float]]]]:
    return [[_both(replay, value) for replay in set_of(game, options, bots, deal)] for deal in deals]


def saved(sets: Sequence[Sequence[Sequence[tuple[float, float]]]]) -> tuple[float, float] | None:
    """The variance of sets over that of independent matches, with its standard error: a jackknife of ten parts."""
    spreads = [
        spread_of([matches for index, matches in enumerate(sets) if index % 10 != part]) for part in range(-1, 10)
    ]
    if not all(spread.independent for spread in spreads):
        return None
    ratio, *parts = (spread.duplicate / spread.independent for spread in spreads)
    return ratio, sqrt(0.9 * sum((part - fmean(parts)) ** 2 for part in parts))


def _both(replay: Replay, value: LuckValue | None) -> list[tuple[float, float]]:
    share = shares_beaten(replay.result.places)
    left = luck_of(replay, value).adjusted if value else share
    return [(float(a), float(b)) for a, b in zip(share, left, strict=True)]


def variance_lines(value: LuckValue, seed: str, lineups: int, sets: int, sizes: Sequence[int]) -> Iterator[str]:
    for players in sizes:
        options, spreads = GIGABUCKS.read_options({"players": players, "bidding": "proxy"}), list[Spread]()
        for deal, bots in tables(seed, players, lineups, drawn(seed, 12)):
            spreads.append(measured(value, GIGABUCKS, options, bots, (f"{deal} {number}" for number in range(sets))))
        yield f"{players} players, {lineups} lineups of {sets} sets: {_shares(spreads)}"


def _shares(spreads: Sequence[Spread]) -> str:
    alone, duplicate, left = (
        fmean(getattr(spread, name) for spread in spreads) for name in ("independent", "duplicate", "adjusted")
    )
    return (
        f"a set has {duplicate / alone:.2f} of the variance of as many independent matches, "
        f"without luck {left / alone:.2f}; so {left / duplicate:.2f} of a set's"
    )


# --- bias ----------------------------------------------------------------------------------------------------------


def bias(value: LuckValue, seed: str, matches: int, options: Options) -> dict[tuple[str, int], float]:
    """Return by bot and seat the mean of what is taken out, in standard errors."""
    taken: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    bots = [HOUSE[0], HOUSE[1], HOUSE[4], *drawn(seed, 1)][: options.players]
    for number in range(matches):
        turn = number % len(bots)
        seats: list[Any] = [bots[(seat + turn) % len(bots)] for seat in range(len(bots))]
        played = seated.match(GIGABUCKS, options, f"{seed} {number}", seats)
        replay = record(GIGABUCKS, options, f"{seed} {number}", [Player(bot.name) for bot in seats], played)
        for seat, luck in enumerate(luck_of(replay, value).taken_out):
            taken[seats[seat].name, seat].append(float(luck))
    return {key: fmean(lucks) / sqrt(variance(lucks) / len(lucks)) for key, lucks in sorted(taken.items())}


# --- the command -----------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m tests.games.luck", description="Luck, measured.")
    parser.add_argument("what", choices=("fit", "variance", "bias", "duplicates"))
    parser.add_argument("bots", nargs="*", metavar="BOT", help="for duplicates: a game, and two of its samples or more")
    parser.add_argument("--name", default="house")
    parser.add_argument("--seed", default="house")
    parser.add_argument("--sets", type=int, default=50, help="of each lineup; for fit, of each number of players")
    parser.add_argument("--lineups", type=int, default=4)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--players", type=int, nargs="+", default=[4])
    parser.add_argument("--option", type=json.loads, default={}, help="of the game, as a JSON object")
    given = parser.parse_args()
    for line in lines_of(given):
        print(line, flush=True)


def lines_of(given: argparse.Namespace) -> Iterator[str]:
    value = shipped("gigabucks")
    if given.what == "fit":
        yield json.dumps(to_plain(fit(given.name, given.seed, given.sets, given.players)))
    elif given.what == "duplicates":
        yield duplicates_line(given)
    elif value and given.what == "variance":
        yield from variance_lines(value, given.seed, given.lineups, given.sets, given.players)
    elif value:
        options = GIGABUCKS.read_options({"players": given.players[0], **QUICK, **given.option})
        for (bot, seat), z in bias(value, given.seed, given.matches, options).items():
            yield f"{bot} at seat {seat}: {z:+.2f} standard errors"


def duplicates_line(given: argparse.Namespace) -> str:
    game, names = GAMES[given.bots[0]], given.bots[1:]
    options = game.read_options({**given.option, "players": len(names)})
    bots = [seated.sample(game.name, name) for name in names]
    ratio = saved(_sets(None, game, options, bots, (f"{given.seed} {number}" for number in range(given.sets))))
    says = f"{ratio[0]:.2f} +- {ratio[1]:.2f}" if ratio else "every match ended alike"
    return f"{game.name}, {', '.join(names)}, {given.sets} sets: {says}"


if __name__ == "__main__":
    main()
