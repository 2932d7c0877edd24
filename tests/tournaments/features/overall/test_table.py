"""The order over all games: nobody gains by leaving a game out, and a bot or a win costs nothing."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ratings.claims import overall
from tests.tournaments.ratings.ledgers import SOME, duels
from tournaments.features.overall.table import OverallTable, lower_end, overall_table, summed_score
from tournaments.ratings.ledger import PRIOR_SD
from tournaments.ratings.scale import START
from tournaments.ratings.table import Row, table_of

RATINGS = st.tuples(st.floats(-1000, 4000), st.floats(1, 600))
UNPLAYED = dict.fromkeys("abcde", lower_end(START, PRIOR_SD))
(LINE, _) = table_of(duels({(1, 2): 3})).rows


def line(version: int, elo: float, ci95: float) -> Row:
    return replace(LINE, version=version, elo=elo, ci95=ci95)


def table(ann: str, zeros: dict[str, float] | None = None) -> OverallTable:
    """Ann plays these games, as well as Bob does, who plays all three, and Cyd one better in the first."""
    tables = {game: [line(1, 1700.0, 50.0), line(2, 1600.0, 50.0), line(3, 1650.0, 40.0)] for game in "abc"}
    names = {
        game: {2: "bob"} | ({1: "ann"} if game in ann else {}) | ({3: "cyd"} if game == "a" else {}) for game in "abc"
    }
    return overall_table(tables, names, zeros)


@SOME
@given(st.dictionaries(st.sampled_from("abcde"), RATINGS, min_size=1), st.sampled_from("abcde"), RATINGS)
def test_a_further_game_never_costs_and_leaving_one_out_never_pays(
    ratings: dict[str, tuple[float, float]], game: str, rating: tuple[float, float]
) -> None:
    fewer = {name: value for name, value in ratings.items() if name != game}
    assert summed_score({**fewer, game: rating}, UNPLAYED) >= summed_score(fewer, UNPLAYED)


@SOME
@given(RATINGS, st.floats(0, 500), st.floats(0, 500))
def test_a_higher_rating_or_a_smaller_error_never_costs(rating: tuple[float, float], up: float, less: float) -> None:
    elo, sd = rating
    better = (elo + up, max(0.0, sd - less))
    assert summed_score({"a": better}, UNPLAYED) >= summed_score({"a": rating}, UNPLAYED)


def test_the_order_is_by_the_score_and_the_mean_stands_beside_it() -> None:
    """Ann is the best in two games and not seen in the third: her mean is the highest, and Bob is sure of more."""
    lines = {row.name: row for row in table("ab").lines}
    assert [row.name for row in table("ab").lines] == ["bob", "ann", "cyd"]
    assert lines["ann"].elo > lines["bob"].elo
    assert lines["bob"].score == pytest.approx(3 * (1600 - 1.645 * 50 / 1.96), abs=0.2)
    assert lines["ann"].score == pytest.approx(2 * (1700 - 1.645 * 50 / 1.96) + 924.3, abs=0.2)
    assert [row.name for row in table("abc").lines] == ["ann", "bob", "cyd"]


def test_a_bot_without_games_is_where_the_ladder_has_it() -> None:
    """Anchors put the prior's mean elsewhere: a missing game counts by that."""
    before, after = (
        next(row.score for row in overall.lines if row.name == "cyd")
        for overall in (table("a"), table("a", {"c": 1300.0}))
    )
    assert before - after == pytest.approx(200, abs=0.1)


def test_equal_scores_share_a_rank() -> None:
    tables = {"a": [line(1, 500.0, 90.0), line(2, 400.0, 90.0)]}  # both are less than a bot without games
    assert [row.rank for row in overall_table(tables, {"a": {1: "ann", 2: "bob"}}).lines] == [1, 1]


def test_a_won_duel_set_never_lowers_it() -> None:
    changes = list(overall.won_sets(7, 2, 20, bots=8))
    assert min(change for change, _ in changes) >= 0
    assert min(gain for _, gain in changes) > 0


def test_claims_in_small() -> None:
    owners = overall.drawn(Random("small"))
    gains = [*overall.left_out(owners, range(1))]
    assert all(mean > 0 >= score for mean, score in gains)
