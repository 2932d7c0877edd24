"""How right ratings are in worlds of several kinds, ours and those of peers on the very same games.

`python3 -m tests.bench.rating_worlds [LADDERS [FIRST]]` prints the table of docs/ratings.md: ours after 20, 40 and 80
games of each bot, and then the peers after 40.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan, sqrt
from statistics import fmean

from scipy.stats import kendalltau

from tests.bench import Row
from tests.bench.rating_worlds.raters import PEERS, Rater
from tests.tournaments.ratings.ladders import KINDS, Kind, Ladder, error, held
from tournaments.ratings.intervals import CI95

LADDERS, GAMES = 1, 40  # of each kind; of each bot
AFTER = (20, 40, 80)


@dataclass(frozen=True, slots=True)
class Score:
    """Of one table: Kendall's tau with the truth, root of the mean square error, share of truths in 95 % intervals."""

    tau: float
    rmse: float
    coverage: float
    half: float  # the mean of the half intervals


def run() -> Iterator[Row]:
    for kind in KINDS:
        ours, theirs = compared(kind, LADDERS)
        for peer, peer_score in theirs.items():
            yield from _rows(kind, ours, peer, peer_score)


def _rows(kind: Kind, ours: Score, peer: str, peer_score: Score) -> Iterator[Row]:
    how = (
        f"{LADDERS} ladders of 40 bots, {GAMES} games of each, duplicate sets paired by waves; the peer rates the same "
        "games in their order, on Elo's scale by its own model"
    )
    yield Row(f"{kind.name}: tau", ours.tau, "", peer, peer_score.tau, ours.tau / peer_score.tau, ">= 1", how)
    if not kind.strict:
        yield Row(
            f"{kind.name}: error", ours.rmse, "Elo", peer, peer_score.rmse, peer_score.rmse / ours.rmse, ">= 1", how
        )
        covered = 100 * ours.coverage, 100 * peer_score.coverage
        yield Row(f"{kind.name}: 95 % intervals hold", covered[0], "%", peer, covered[1], covered[0] / 95, "", how)


def compared(kind: Kind, ladders: int, first: int = 0) -> tuple[Score, dict[str, Score]]:
    """Ours, and each peer's, after GAMES."""
    played = [_played(kind, seed) for seed in range(first, first + ladders)]
    theirs = {name: mean([_peer(ladder, peer()) for ladder in played]) for name, peer in PEERS.items()}
    return mean([score(ladder, ladder.ratings.elo, ladder.ratings.sd) for ladder in played]), theirs


def _played(kind: Kind, seed: int) -> Ladder:
    *_, ladder = Ladder(kind, seed).play(GAMES)
    return ladder


def _peer(ladder: Ladder, peer: Rater) -> Score:
    peer.rate_all(game for match_set in ladder.sets for game in match_set.games)
    factor = peer.elo_each(ladder.kind.seats)
    mean_of_all = fmean(peer.of.values())
    elos = {bot: factor * peer.of.get(bot, mean_of_all) for bot in ladder.elos}
    return score(ladder, elos, {bot: factor * sd for bot, sd in peer.error.items()})


def score(ladder: Ladder, elos: Mapping[int, float], sd: Mapping[int, float]) -> Score:
    truth = [ladder.truth[bot] for bot in ladder.elos]
    tau = kendalltau([elos[bot] for bot in ladder.elos], truth).statistic
    half = {bot: CI95 * sd.get(bot, 0.0) for bot in ladder.elos}
    coverage = fmean(held(ladder, elos, half)) if sd else nan
    return Score(float(tau), error(ladder, elos), coverage, fmean(half.values()))


def mean(scores: list[Score]) -> Score:
    return Score(
        tau=fmean(result.tau for result in scores),
        rmse=sqrt(fmean(result.rmse**2 for result in scores)),
        coverage=fmean(result.coverage for result in scores),
        half=fmean(result.half for result in scores),
    )


def after(kind: Kind, ladders: int, first: int = 0) -> dict[int, Score]:
    """Return our scores after each of so many games."""
    scores_by_games: dict[int, list[Score]] = {games: [] for games in AFTER}
    for seed in range(first, first + ladders):
        due = list(AFTER)
        for ladder in Ladder(kind, seed).play(AFTER[-1]):
            while due and ladder.games >= due[0]:
                scores_by_games[due.pop(0)].append(score(ladder, ladder.ratings.elo, ladder.ratings.sd))
    return {games: mean(scores) for games, scores in scores_by_games.items()}
