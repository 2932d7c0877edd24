"""The table over several games: formulas beside a dense computation, intervals beside the truth."""

from collections.abc import Mapping
from random import Random
from statistics import fmean

import numpy as np
import pytest

from tests import thorough
from tests.tournaments.ratings.ledgers import duels
from tournaments.features.overall.joint_fit import BETWEEN, LIKELY, WITHIN, Joint, Known, joint
from tournaments.features.overall.table import overall_table
from tournaments.ratings.intervals import CI95
from tournaments.ratings.table import Row, table_of

WORLDS = thorough.budget(25, full=200)


def drawn(
    owners: int, games: str, between: float, within: float, share: float, draw: Random
) -> tuple[dict[str, float], dict[str, Known]]:
    """The truths, and the ratings of the games that each plays."""
    levels, truth, given = {game: draw.gauss(1500, 100) for game in games}, dict[str, float](), dict[str, Known]()
    for owner in range(owners):
        strength = draw.gauss(0, between)
        true = {game: levels[game] + strength + draw.gauss(0, within) for game in games}
        errors = {game: draw.choice([15.0, 40.0, 100.0]) for game in games if draw.random() < share}
        if errors:
            truth[f"{owner:03}"] = fmean(true.values())
            given[f"{owner:03}"] = {game: (draw.gauss(true[game], sd), sd) for game, sd in errors.items()}
    return truth, given


@pytest.mark.parametrize(
    ("owners", "games", "between", "within", "share"),
    [
        (40, "abcde", 200, 100, 0.6),
        (12, "abcde", 200, 100, 0.6),
        (40, "abcde", 100, 200, 0.5),
        (30, "ab", 300, 60, 0.7),
    ],
)
def test_95_percent_intervals_hold_93_to_97_percent_of_the_truths(
    owners: int, games: str, between: float, within: float, share: float
) -> None:
    held, estimates = [], []
    for seed in range(WORLDS if owners > 20 else 4 * WORLDS):
        truth, given = drawn(owners, games, between, within, share, Random(f"{seed} {owners} {between}"))
        ratings = joint(games, given)
        estimates.append((ratings.between, ratings.within))
        held += [abs(ratings.of[name].elo - truth[name]) <= CI95 * ratings.of[name].sd for name in truth]
    assert 0.93 <= fmean(held) <= 0.97
    assert fmean(estimate for estimate, _ in estimates) == pytest.approx(between, rel=0.15)
    assert fmean(estimate for _, estimate in estimates) == pytest.approx(within, rel=0.2)


def dense(games: str, given: Mapping[str, Known]) -> dict[str, tuple[float, float]]:
    """The same by one normal law of all true ratings, for each point of the grid."""
    results, logs = [], []
    cells = [(name, game) for name in sorted(given) for game in games]
    seen = [position for position, (name, game) in enumerate(cells) if game in given[name]]
    ratings = np.array([given[cells[place][0]][cells[place][1]] for place in seen])
    means = np.array([[(owner == name) / len(games) for owner, _ in cells] for name in sorted(given)])
    for between in BETWEEN:
        for within in WITHIN:
            law = np.array(
                [
                    [(a == c) * (between**2 + (b == d) * within**2) + (b == d) * 500.0**2 for c, d in cells]
                    for a, b in cells
                ]
            )
            of_seen = law[np.ix_(seen, seen)] + np.diag(ratings[:, 1] ** 2)
            gain = means @ law[:, seen] @ np.linalg.inv(of_seen)
            over = ratings[:, 0] - 1500
            left = means @ law @ means.T - gain @ law[seen] @ means.T
            results.append((1500 + gain @ over, np.diag(left)))
            prior = np.log2(between / LIKELY[0]) ** 2 + np.log2(within / LIKELY[1]) ** 2
            logs.append(-(over @ np.linalg.solve(of_seen, over) + np.linalg.slogdet(of_seen)[1] + prior) / 2)
    shares = np.exp(np.array(logs) - max(logs))
    shares /= shares.sum()
    elos = sum(share * elo for share, (elo, _) in zip(shares, results, strict=True))
    squares = sum(share * (var + (elo - elos) ** 2) for share, (elo, var) in zip(shares, results, strict=True))
    return {name: (elos[i], squares[i] ** 0.5) for i, name in enumerate(sorted(given))}


@pytest.mark.parametrize("seed", range(3))
def test_it_is_what_one_normal_law_of_all_ratings_gives(seed: int) -> None:
    _, given = drawn(8, "abc", 150, 120, 0.6, Random(seed))
    ratings, by_law = joint("abc", given), dense("abc", given)
    for name, (elo, sd) in by_law.items():
        assert ratings.of[name].elo == pytest.approx(elo, abs=0.5)
        assert ratings.of[name].sd == pytest.approx(sd, rel=0.01)


def test_a_missing_game_makes_the_interval_wider_and_is_no_guess() -> None:
    """Two alike in three games: the one that plays no other has about the same number, less surely."""
    _, given = drawn(30, "abcde", 200, 80, 1, Random("missing"))
    all_of_it = dict.fromkeys("abcde", (1700.0, 20.0))
    ratings = joint("abcde", {**given, "all": all_of_it, "some": {game: all_of_it[game] for game in "abc"}}).of
    assert ratings["some"].sd > 1.8 * ratings["all"].sd
    assert ratings["all"].elo == pytest.approx(1700, abs=15)
    assert ratings["some"].elo == pytest.approx(ratings["all"].elo, abs=2 * ratings["some"].sd)
    assert ratings["some"].elo > 1600


def test_an_order_changes_no_bit_and_many_are_no_trouble() -> None:
    _, given = drawn(900, "abc", 200, 100, 0.7, Random("many"))
    ratings: Joint = joint("abc", given)
    assert joint("cba", dict(reversed(given.items()))) == ratings
    assert len(ratings.of) == len(given) > 800


def test_the_table_has_ranks_ranges_and_the_ratings_of_each_game() -> None:
    tables = {"go": rows({(1, 2): 9}), "chess": rows({(7, 8): 5})}
    table = overall_table(tables, {"go": {1: "ann", 2: "bob"}, "chess": {7: "ann", 8: "cyd"}})
    assert table.lines[0].name == "ann"
    assert [line.rank for line in table.lines] == [1, 2, 3]
    assert all(1 <= line.all_lo <= line.rank_lo <= line.rank_hi <= line.all_hi <= 3 for line in table.lines)
    ann = table.lines[0]
    assert ann.games == {"go": tables["go"][0].elo, "chess": tables["chess"][0].elo}
    assert {line.name: [*line.games] for line in table.lines[1:]} == {"bob": ["go"], "cyd": ["chess"]}


def test_equals_share_a_rank_and_nobody_is_no_trouble() -> None:
    row = rows({(1, 2): 1, (2, 1): 1})
    table = overall_table({"go": row}, {"go": {1: "ann", 2: "bob"}})
    assert [(line.name, line.rank) for line in table.lines] == [("ann", 1), ("bob", 1)]
    assert (overall_table({}, {}).lines, overall_table({"go": []}, {"go": {}}).lines) == ([], [])


def rows(results: Mapping[tuple[int, int], int]) -> list[Row]:
    return [*table_of(duels(results)).rows]
