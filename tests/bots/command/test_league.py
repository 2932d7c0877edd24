"""`boardroom league`: who meets whom, the ratings and their intervals, and going on after a stop."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from bots.command.errors import KitError
from bots.command.league_tables import tables_of
from bots.paired_ratings import RatedSet, ratings, set_of
from tests.bots.command.printed import printed

Captured = pytest.CaptureFixture[str]


def test_everybody_meets_everybody_and_in_a_gauntlet_the_first_meets_all() -> None:
    for bots, seats in ((5, 2), (6, 3), (4, 4)):
        pairs = Counter(pair for table in tables_of(bots, seats, "round-robin") for pair in combinations(table, 2))
        assert len(pairs) == bots * (bots - 1) // 2
        assert len(set(pairs.values())) == 1
        gauntlet = tables_of(bots, seats, "gauntlet")
        assert all(table[0] == 0 for table in gauntlet)
        assert {bot for table in gauntlet for bot in table} == set(range(bots))
    near = tables_of(6, 2, "neighbours")
    assert near == [[first, other] for first, other in combinations(range(6), 2) if other - first <= 3]
    with pytest.raises(KitError, match="tables a round"):
        tables_of(60, 5, "round-robin")


def drawn(dice: Random, elos: list[float], rounds: int) -> list[RatedSet]:
    """Sets of two independent games."""
    sets = []
    for pair in list(combinations(range(len(elos)), 2)) * rounds:
        games = []
        for _ in pair:
            first = dice.random() < 1 / (1 + 10 ** ((elos[pair[1]] - elos[pair[0]]) / 400))
            games.append((pair, (1, 2) if first else (2, 1)))
        sets.append(set_of(games))
    return sets


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    elos, dice, held, all_ = [150.0, 40.0, -40.0, -150.0], Random(7), 0, 0
    for _ in range(60):
        for elo, rated in zip(elos, ratings(4, drawn(dice, elos, 12)), strict=True):
            held, all_ = held + (rated.low <= elo <= rated.high), all_ + 1
    assert 0.90 <= held / all_ <= 1


def test_the_estimates_are_right_where_there_are_many_sets() -> None:
    elos = [200.0, 0.0, -200.0]
    estimates = ratings(3, drawn(Random(3), elos, 400))
    assert [rated.elo for rated in estimates] == pytest.approx(elos, abs=40)
    assert all(rated.high - rated.low < 80 for rated in estimates)


def test_who_won_everything_and_who_did_not_play_have_a_rating_too() -> None:
    won = [set_of([((0, 1), (1, 2)), ((1, 0), (2, 1))])] * 20
    first, second, absent = ratings(3, won)
    assert first.low > second.high
    assert first.elo == pytest.approx(-second.elo)
    assert absent.high - absent.low > first.high - first.low


def test_seats_are_rotated_on_one_deal_and_the_same_command_goes_on(tmp_path: Path, capsys: Captured) -> None:
    journal = tmp_path / "league.jsonl"
    league = ["zaibatsu", "random", "marginal", "random", "--journal", str(journal)]
    first = printed(capsys, "league", *league, "--rounds", "1", "--cores", "2")
    assert first["standings"][0]["name"] == "marginal"
    played = [json.loads(line) for line in journal.read_bytes().splitlines()[1:]]
    assert [match["seats"] for match in played] == [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]
    assert [match["seed"] for match in played] == [f"home/{number // 2}" for number in range(6)]
    kept = journal.read_bytes()
    journal.write_bytes(kept[:-30])  # cut off in the middle of a line
    again = printed(capsys, "league", *league, "--rounds", "1")
    for row in (*first["standings"], *again["standings"]):
        row.pop("ms_per_answer")
    assert again == first
    more = printed(capsys, "league", *league, "--rounds", "2")
    assert more["sets"] == 6
    assert journal.read_bytes().startswith(kept[:-400])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["zaibatsu", "random"], "too_few_bots"),
        (["zaibatsu", "random", "random", "--table", "3"], "too_few_bots"),
        (["zaibatsu", *["random"] * 5, "--table", "5"], "wrong_number_of_players"),
        (["zaibatsu", "random", "docs/nothing.py"], "missing_bot"),
        (["zaibatsu", "random", "random", "--format", "ladder"], "bad_command"),
        (["zaibatsu", "random", "random", "--journal", "/"], "is_folder"),
        (["zaibatsu", "random", "random", "--journal", "README.md"], "not_a_journal"),
    ],
)
def test_a_league_that_cannot_be_is_refused(capsys: Captured, arguments: list[str], code: str) -> None:
    assert printed(capsys, "league", *arguments)["error"]["code"] == code
