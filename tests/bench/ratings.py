"""Ratings: how fast everything is fitted anew, how many games a ladder needs, and how fast a wave is paired.

The peers (`rating_worlds/raters.py`) rate every game as it comes. `rating_worlds` compares on the same games.
"""

import resource
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev
from typing import ParamSpec

import numpy as np
from scipy.stats import kendalltau

from engine.dice import Dice
from tests.bench import Row, rating_worlds
from tests.bench.rating_worlds.raters import PEERS
from tests.tournaments.ratings.test_coverage import share_held
from tests.tournaments.ratings.world import Q, one_set
from tournaments.ledger.matchmaking.pairing import Candidate, wave
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.ledger import PRIOR_SD, Game, RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import START

P = ParamSpec("P")
SEATS = 4
BOTS, SD = 40, 200.0  # of a simulated ladder, and how far apart its bots are
LADDERS, MOST = 2, 160  # ladders simulated, and games each bot plays in one
WORLDS = 10  # for the coverage of intervals
DEAL = 0.5  # the share of luck that lies in the deal
CHUNK, TASTE = 500, 2_000  # sets made at once; games that a slow peer is timed on


def run() -> list[Row]:
    return [*refits(), *rating_worlds.run(), *needed(), *coverage(), *pairing()]


def refits() -> Iterator[Row]:
    """Measure each in a process of its own, so that its memory can be told."""
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as process:
        small, large = (process.submit(refit, games, 1000).result() for games in (100_000, 1_000_000))
        peers = {name: process.submit(per_game, name).result() for name in PEERS}
    how = (
        "1,000 bots, four at a table; processor time of the sums over all sets and of the fit, dispersion included, "
        f"from nothing. Peers: {TASTE:,} games, times as many"
    )
    for label, games, ours in (("100,000", 100_000, small), ("1,000,000", 1_000_000, large)):
        for name, peer_cost in peers.items():
            total, other = ours.sums + ours.cold, peer_cost * games
            aim = ">= 1" if name != "Elo, K 16" else ""
            yield Row(f"refit of {label} games", total, "s", name, other, other / total, aim, how)
    how = "the fit alone, from the sums: from nothing, and from the last fit after one more set"
    yield Row(
        "fit from 1,000,000 games' sums",
        large.cold,
        "s",
        "from the last fit",
        large.warm,
        large.cold / large.warm,
        "",
        how,
    )
    how = "what the process grew by, sums and fit; beside the size of the sums alone"
    yield Row("memory, 1,000,000 games", large.peak, "MB", "sums alone", large.held, large.peak / large.held, "", how)


@dataclass(frozen=True, slots=True)
class Refit:
    sums: float  # s
    cold: float
    warm: float
    held: float  # MB
    peak: float


def refit(games: int, bots: int) -> Refit:
    start, pairs, spent = megabytes(), Pairs(), 0.0
    for sets in chunks(games // SEATS, bots):
        spent += timed(pairs.update, sets)
    held = megabytes() - start
    cold = timed(fit_ratings, pairs)
    last = fit_ratings(pairs)
    pairs.add(next(chunks(CHUNK, bots, first=games))[0])
    warm = timed(fit_ratings, pairs, start=last)
    return Refit(spent, cold, warm, held, megabytes() - start)


def per_game(name: str) -> float:
    rater = PEERS[name]()
    games = [game for sets in chunks(TASTE // SEATS, 1000) for match_set in sets for game in match_set.games]
    return timed(rater.rate_all, games) / len(games)


def chunks(sets: int, bots: int, first: int = 1) -> Iterator[list[RatedSet]]:
    """Random tables of the same deal's games; seats do not matter to a rating."""
    draw = np.random.default_rng(bots)
    strength = draw.normal(0, SD * Q, bots)
    for begin in range(first, first + sets, CHUNK):
        tables = draw.random((CHUNK, bots)).argpartition(SEATS, axis=1)[:, :SEATS]
        scores = strength[tables][:, None, :] + draw.gumbel(size=(CHUNK, SEATS, SEATS))
        places = 1 + (scores[..., :, None] < scores[..., None, :]).sum(-1)
        yield [
            RatedSet(begin + index, [Game(table, order, (False,) * SEATS) for order in orders])
            for index, (table, orders) in enumerate(zip(tables.tolist(), places.tolist(), strict=True))
        ]


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(what: Callable[P, object], *given: P.args, **named: P.kwargs) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    what(*given, **named)
    return time.process_time() - start


def needed() -> Iterator[Row]:
    """Games of each bot from which on the order is right."""
    ours = [ours_needs(seed) for seed in range(LADDERS)]
    for name in PEERS:
        peer_games = [peer_needs(name, seed) for seed in range(LADDERS)]
        for what, column in (("a Kendall tau of 0.9 for good", 0), ("a right top five for good", 1)):
            mine, other = [line[column] for line in ours], [line[column] for line in peer_games]
            how = (
                f"{LADDERS} ladders of {BOTS} bots, four at a table, half of luck in the deal, never being {MOST}; "
                f"95 % intervals ±{half(mine):.0f} and ±{half(other):.0f}; the peer's tables by lot"
            )
            ratio = fmean(other) / fmean(mine)
            yield Row(f"games to {what}", fmean(mine), "a bot", name, fmean(other), ratio, ">= 1", how)


def half(values: Sequence[float]) -> float:
    return 1.96 * stdev(values) / sqrt(len(values))


def truth(seed: int) -> tuple[dict[int, float], Random]:
    draw = Random(f"ladder {seed}")
    return {bot: draw.gauss(1500, SD) for bot in range(BOTS)}, draw


def ours_needs(seed: int) -> tuple[float, float]:
    """Duplicate sets, paired by `wave`, fitted all together after each wave."""
    elos, draw = truth(seed)
    pairs, ratings, seen = Pairs(), Fit(), Seen(elos)
    sets, waiting, number = dict.fromkeys(elos, 0), dict.fromkeys(elos, 0.0), 0
    while number * SEATS * SEATS < MOST * BOTS:
        crowd = [
            Candidate(
                bot, bot, ratings.elo.get(bot, START), ratings.chance_sd.get(bot, PRIOR_SD), sets[bot], waiting[bot]
            )
            for bot in elos
        ]
        for table in wave(crowd, SEATS, BOTS // SEATS // 2, Dice.of(f"{seed} {number}"), most=SEATS):
            number += 1
            pairs.add(one_set(elos, number, table, draw, DEAL))
            for bot in table:
                sets[bot], waiting[bot] = sets[bot] + 1, number
        ratings = fit_ratings(pairs, start=ratings)
        seen.look(number * SEATS * SEATS / BOTS, ratings.elo)
    return seen.tau, seen.top


def peer_needs(name: str, seed: int) -> tuple[float, float]:
    elos, draw = truth(seed)
    rater, seen, number = PEERS[name](), Seen(elos), 0
    while number * SEATS < MOST * BOTS:
        for _ in range(BOTS // SEATS):
            number += 1
            rater.rate(one_set(elos, number, draw.sample(sorted(elos), SEATS), draw, DEAL).games[0])
        seen.look(number * SEATS / BOTS, rater.of)
    return seen.tau, seen.top


class Seen:
    """After how many games a bot a table was wrong for the last time: by its tau, and in its top five."""

    def __init__(self, elos: Mapping[int, float]) -> None:
        self.order = sorted(elos, key=elos.__getitem__)
        self.tau = self.top = 0.0

    def look(self, games: float, ratings: Mapping[int, float]) -> None:
        mine = [ratings.get(bot, 0.0) for bot in self.order]
        if kendalltau(mine, range(len(mine))).statistic < 0.9:
            self.tau = games
        if min(sorted(range(len(mine)), key=mine.__getitem__)[-5:]) < len(mine) - 5:
            self.top = games


def coverage() -> Iterator[Row]:
    """Whether the intervals are what they say, over sizes of tables and luck of deals, with few and many sets."""
    how = f"{WORLDS} worlds of 30 bots, tables by lot; the ratio is the distance from 95 % over the 2 % allowed"
    for seats, deal, sets in ((2, 0.0, 300), (4, 0.0, 75), (4, 0.5, 50), (4, 0.5, 150), (4, 0.9, 75), (8, 0.8, 30)):
        held = 100 * share_held(WORLDS, seats, deal, sets)
        name = f"truths in 95 % intervals, {sets} sets of {seats}, {deal:.0%} deal"
        yield Row(name, held, "%", "as they say", 95.0, abs(held - 95) / 2, "<= 1", how)


def pairing() -> Iterator[Row]:
    """A wave that seats everybody, with one owner's bots apart."""
    for bots in (100, 1_000, 10_000):
        draw = Random(bots)
        crowd = [
            Candidate(bot, bot // 3, draw.gauss(1500, SD), draw.uniform(20, 350), 9, draw.random())
            for bot in range(bots)
        ]
        took = min(timed(wave, crowd, SEATS, 64, Dice.of("wave"), most=1) for _ in range(3))
        how = "a wave of at most 64 tables of four, one owner's bots apart; the least of 3; beside a tenth of a second"
        yield Row(f"pairing decision, {bots:,} bots", took * 1000, "ms", "the aim", 100.0, took * 10, "<= 1", how)
