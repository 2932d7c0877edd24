"""Over all games: what a worst game left out gains, what a weak bot costs, what a won set does, and the truth."""

from collections.abc import Iterator, Mapping
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from scipy.stats import kendalltau

from tests.ratings.claims import Row, agrees
from tests.tournaments.ratings.ladders import Kind, Ladder
from tournaments.features.overall.joint_fit import Known, joint
from tournaments.features.overall.table import lower_end, summed_score
from tournaments.ratings.fit import fit_ratings
from tournaments.ratings.intervals import CI95, elo_interval
from tournaments.ratings.ledger import PRIOR_SD, Game, RatedSet
from tournaments.ratings.scale import START

GAMES, OWNERS, WORLDS = "abcde", 40, 12
UNPLAYED = dict.fromkeys(GAMES, lower_end(START, PRIOR_SD))
WEAK = (1000.0, 30.0)


class Owners(NamedTuple):
    truth: Mapping[str, float]
    known: Mapping[str, Known]


def drawn(draw: Random) -> Owners:
    """Owners who play all games, 200 apart in all of them and 100 more in each; errors as after 20 to 80 games."""
    truth, known = {}, {}
    usual = {game: draw.uniform(20.0, 60.0) for game in GAMES}
    for owner in range(OWNERS):
        strength = draw.gauss(START, 200)
        true = {game: strength + draw.gauss(0, 100) for game in GAMES}
        errors = {game: sd * draw.uniform(0.9, 1.1) for game, sd in usual.items()}
        truth[f"{owner:02}"] = fmean(true.values())
        known[f"{owner:02}"] = {game: (draw.gauss(true[game], sd), sd) for game, sd in errors.items()}
    return Owners(truth, known)


def scores(known: Mapping[str, Known]) -> dict[str, float]:
    return {name: summed_score(ratings, UNPLAYED) for name, ratings in known.items()}


def without_worst(known: Mapping[str, Known], name: str) -> dict[str, Known]:
    worst = min(known[name], key=lambda game: known[name][game][0])
    return {**known, name: {game: rating for game, rating in known[name].items() if game != worst}}


def left_out(owners: Owners, names: range) -> Iterator[tuple[float, float]]:
    """What it gains to leave out the worst game, in the joint mean and in the score."""
    before, means = scores(owners.known), joint(GAMES, owners.known).of
    for name in (f"{number:02}" for number in names):
        fewer = without_worst(owners.known, name)
        mean = joint(GAMES, fewer).of[name].elo
        yield mean - means[name].elo, scores(fewer)[name] - before[name]


def weak_entered(owners: Owners, names: range) -> Iterator[tuple[float, float]]:
    """What it costs to enter a weak bot in the game that was missing."""
    for name in (f"{number:02}" for number in names):
        fewer = without_worst(owners.known, name)
        missing = next(game for game in GAMES if game not in fewer[name])
        more = {**fewer, name: {**fewer[name], missing: WEAK}}
        means = [joint(GAMES, known).of[name].elo for known in (fewer, more)]
        yield means[0] - means[1], scores(fewer)[name] - scores(more)[name]


def won_sets(seed: int, seats: int, games: float, bots: int = 16) -> Iterator[tuple[float, float]]:
    """What one more set, all of whose games it won, does to the rating's lower end; and beside the same set lost."""
    *_, ladder = Ladder(Kind("won sets", seats=seats), seed, bots).play(games)
    draw = Random(f"won sets {seed}")
    for winner in range(bots):
        table = [winner, *draw.sample([bot for bot in range(bots) if bot != winner], seats - 1)]
        before = shown_end(ladder, winner, [])
        won, lost = (shown_end(ladder, winner, [one]) for one in (all_first(table), all_first(table[::-1])))
        yield won - before, won - lost


def shown_end(ladder: Ladder, bot: int, more: list[RatedSet]) -> float:
    """Its lower end from the digits that are shown, as the table takes it."""
    pairs = ladder.pairs.copy()
    pairs.update(more)
    fit = fit_ratings(pairs, dict.fromkeys(ladder.elos), start=ladder.ratings)
    return lower_end(round(fit.elo[bot], 1), round(elo_interval(fit.sd[bot]), 1) / CI95)


def all_first(best_first: list[int]) -> RatedSet:
    seats = range(1, len(best_first) + 1)
    return RatedSet(10**6, [Game(tuple(best_first), tuple(seats), (False,) * len(best_first)) for _ in seats])


def mean(values: list[float]) -> str:
    return f"{fmean(values):+.1f} ±{2 * stdev(values) / sqrt(len(values)):.1f}"


def range_of(values: list[float]) -> str:
    return f"{min(values):+.1f} to {max(values):+.1f}"


def claim(seed: int, worlds: int = WORLDS) -> list[Row]:
    everyone = [drawn(Random(f"overall {seed} {world}")) for world in range(worlds)]
    some = range(4)
    out = [pair for owners in everyone for pair in left_out(owners, some)]
    weak = [pair for owners in everyone for pair in weak_entered(owners, some)]
    duels, tables = (
        [pair for world in range(worlds // 3) for pair in won_sets(1000 * seed + world, seats, 20)] for seats in (2, 4)
    )
    fell, fell_at_tables = (fmean(change < 0 for change, _ in sets) for sets in (duels, tables))
    taus = [
        [kendalltau([found[name] for name in owners.truth], [*owners.truth.values()]).statistic for found in both]
        for owners in everyone
        for both in [({n: s.elo for n, s in joint(GAMES, owners.known).of.items()}, scores(owners.known))]
    ]
    means, sums = zip(*taus, strict=True)
    old, new = fmean(means), fmean(sums)
    gains = [gain for gain, _ in out]
    return [
        Row(
            "the worst game left out, joint mean",
            "+16 to +55",
            range_of(gains),
            agrees=min(gains) >= 16 and max(gains) <= 55,
            stated="a description",
        ),
        Row(
            "the worst game left out, score", "never gains", range_of([b for _, b in out]), max(b for _, b in out) <= 0
        ),
        Row("a weak bot entered costs, joint mean", "", range_of([a for a, _ in weak])),
        Row("a weak bot entered costs, score", "never", range_of([b for _, b in weak]), max(b for _, b in weak) <= 0),
        Row(f"score lowered by a won duel set, of {len(duels)}", "never", f"{100 * fell:.1f} %", fell == 0),
        Row(f"by a won table of four (by what others did), of {len(tables)}", "", f"{100 * fell_at_tables:.1f} %"),
        Row(
            "a set won instead of lost gains at least",
            "never less than 0",
            f"{min(gain for _, gain in [*duels, *tables]):+.1f}",
            min(gain for _, gain in [*duels, *tables]) >= 0,
        ),
        Row(
            "Kendall's tau with the truth, score",
            ".957",
            f"{new:.3f}",
            new > old - 0.01,
            agrees(sums, 0.952, 0.962),
            "as the joint mean's, or .01 less",
        ),
        Row("Kendall's tau with the truth, joint mean", ".960", f"{old:.3f}", agrees=agrees(means, 0.955, 0.965)),
    ]
