"""The luck of the dice: exact, right on the average, the same from the replay alone; and what it saves."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import luck as command
from engine.games import GAMES
from engine.games.gigabucks import Moved, Position
from engine.games.gigabucks.luck import FEATURES, LUCK, features, royalty_board
from engine.games.gigabucks.rules import move_token
from engine.luck import NO_LUCK, TOO_LONG, luck_of, shares_beaten, shipped, surprise
from engine.luck_value import (
    NOT_A_VALUE,
    OTHER_FEATURES,
    OTHER_GAME,
    WRONG_HASH,
    LuckError,
    LuckValue,
    read_value,
    with_hash,
)
from engine.records import to_plain
from engine.replay import log, read_replay, write_replay
from tests import thorough
from tests.games.gigabucks_tables import seed_board, table
from tests.games.luck import GIGABUCKS, QUICK, Spread, bias, drawn, measured, saved, spread_of
from tests.games.record import replay_of
from tournaments.features.luck.value_fit import Sample, weights_of

VALUE = LUCK.values[0]
RECORDED = ["gigabucks-3", "gigabucks-5"]


def rolling(position: Position) -> Position:
    """Seat 0 is about to roll."""
    position.to_do, position.due = ["roll"], None
    return position


# --- exact -----------------------------------------------------------------------------------------------------------


boards = st.builds(
    lambda owner, lines, cash, start: rolling(
        table(owner=owner, lines=lines, cash=cash, tokens=[start, *((start + 3 + gap) % 42 for gap in range(3))])
    ),
    st.dictionaries(st.integers(0, 41), st.integers(0, 3)),
    st.dictionaries(st.integers(0, 41), st.integers(0, 90)),
    st.lists(st.integers(0, 900), min_size=4, max_size=4),
    st.integers(0, 41),
)


def landed(position: Position, dice: Sequence[int]) -> list[list[int]]:
    after = position.copy()
    move_token(after, [*dice])
    return features(after, royalty_board(position))


@settings(max_examples=thorough.budget(20, full=300))
@given(boards)
def test_over_all_36_rolls_the_luck_of_every_seat_and_feature_adds_up_to_0(position: Position) -> None:
    throw = LUCK.throw(position)
    landings = [landed(position, dice) for dice in product(range(1, 7), repeat=2)]
    assert landed(position, throw.dice) == throw.came
    sums = [[0] * len(FEATURES) for _ in position.cash]
    for came in landings:
        for total, row in zip(sums, surprise(replace(throw, came=came), 36), strict=True):
            total[:] = [a + b for a, b in zip(total, row, strict=True)]
    assert not any(map(any, sums))
    assert sum(ways for ways, _ in throw.could) == 36


@given(boards)
@settings(max_examples=10)
def test_a_look_at_a_roll_changes_nothing(position: Position) -> None:
    before = position.copy()
    assert LUCK.throw(position) == LUCK.throw(position)
    assert position == before


def test_dice_of_other_sides_are_counted_in_all_their_ways() -> None:
    position = rolling(table(options={"dice": [4, 4, 4]}, owner={3: 1}, lines={3: 7}))
    landings = [landed(position, dice) for dice in product(range(1, 5), repeat=3)]
    total = sum(row[1][0] for row in landings)
    assert total == sum(number * row[1][0] for number, row in LUCK.throw(position).could)


def test_where_every_roll_comes_to_the_same_luck_is_exactly_0() -> None:
    mine = dict.fromkeys(range(42), 0)
    throw = LUCK.throw(rolling(table(owner=mine, lines={5: 3})))
    assert not any(map(any, surprise(throw, 36)))


def test_the_features_of_a_landing_that_cannot_be_paid() -> None:
    position = rolling(seed_board(cash=[10, 500, 400, 290], tokens=[22, 40, 39, 38]))
    position.owner[3], position.chartered[3] = 0, True
    named = [dict(zip(FEATURES, row, strict=True)) for row in landed(position, [4, 2])]  # on 28, where 15 are owed
    assert named[0]["purse"] == 0
    assert (named[0]["short"], named[1]["claim"]) == (1000 * 5 // 1200, 1000 * 5 // 1200)
    assert (named[0]["estate"], named[1]["prey"]) == (1000 // 42, 1000 // 42)
    assert named[0]["poor"] == 1000
    assert named[2] == {**dict.fromkeys(FEATURES, 0), "purse": 577}


def test_the_features_of_a_landing_that_is_paid() -> None:
    position = rolling(seed_board(tokens=[22, 40, 39, 38], options={"royalty_unit": 10}))
    named = [dict(zip(FEATURES, row, strict=True)) for row in landed(position, [4, 2])]
    assert (named[0]["strain"], named[0]["short"], named[0]["poor"]) == (1000 * 150 // 300, 0, 0)
    to_come = 1 * 60 + 2 * 110  # 30 and 31, by 2 and by 3
    assert named[1]["income"] == named[0]["danger"] == 1000 * to_come // (36 * 1200) == 6


def test_the_features_of_a_charter() -> None:
    position = rolling(table(owner={24: 1, 25: 1, 27: 2}, tokens=[20, 40, 39, 38]))
    named = [dict(zip(FEATURES, row, strict=True)) for row in landed(position, [4, 2])]
    assert [row["joined"] for row in named] == [0, 1000 * 2 // 42, 1000 // 42, 0]
    assert [row["bidder"] for row in named] == [250] * 4


# --- of a match ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDED)
def test_luck_is_whole_and_adds_up_to_0_over_the_seats(name: str) -> None:
    luck = luck_of(replay_of(name), VALUE)
    assert luck.rolls
    assert all(sum(roll.luck) == 0 for roll in luck.rolls)
    assert all(type(part) is int for roll in luck.rolls for part in roll.luck)
    assert sum(luck.adjusted) == Fraction(len(luck.places), 2)


@pytest.mark.parametrize("name", RECORDED)
def test_a_file_and_another_process_give_the_same_to_the_last_digit(name: str, tmp_path: Path) -> None:
    replay = replay_of(name)
    (tmp_path / "replay.json").write_bytes(write_replay(replay))
    (tmp_path / "value.json").write_text(json.dumps(to_plain(VALUE)))
    lines = list(command._lines(str(tmp_path / "replay.json"), VALUE, rolls=True))
    printed = subprocess.run(
        [sys.executable, "-S", "-m", "engine.luck", "replay.json", "--value", "value.json", "--rolls"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(command.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed == "".join(f"replay.json: {line}\n" for line in lines)
    assert luck_of(read_replay(write_replay(replay)), VALUE) == luck_of(replay, VALUE)


def test_rolls_are_those_of_the_log() -> None:
    replay = replay_of(RECORDED[0])
    moved = [(event.seat, event.dice) for event in log(replay) if isinstance(event, Moved)]
    assert [(roll.seat, roll.dice) for roll in luck_of(replay, VALUE).rolls] == moved


def test_shares_count_those_who_are_level_half() -> None:
    assert shares_beaten([1, 2, 2, 4]) == [1, Fraction(1, 2), Fraction(1, 2), 0]
    assert shares_beaten([1, 1]) == [Fraction(1, 2)] * 2


# --- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"weights": [1]}, NOT_A_VALUE),
        ({"weights": [10**12] * len(FEATURES)}, NOT_A_VALUE),
        ({"weights": ["1"] * len(FEATURES)}, NOT_A_VALUE),
        ({"coefficient": -1}, NOT_A_VALUE),
        ({"boardroom_luck_value": 2}, NOT_A_VALUE),
        ({"more": 1}, NOT_A_VALUE),
        ({"name": "another"}, WRONG_HASH),
        ({"hash": "0" * 64}, WRONG_HASH),
        ({"weights": [1] * len(FEATURES)}, WRONG_HASH),
    ],
)
def test_a_value_that_is_none_is_refused(change: dict[str, object], code: str) -> None:
    with pytest.raises(LuckError) as caught:
        read_value({**to_plain(VALUE), **change})
    assert caught.value.code == code
    assert caught.value.detail


def test_a_value_is_read_as_it_was_written() -> None:
    assert read_value(json.loads(json.dumps(to_plain(VALUE)))) == VALUE


@pytest.mark.parametrize(
    ("value", "replay", "code"),
    [
        (VALUE, "zaibatsu-3", OTHER_GAME),
        (with_hash(replace(VALUE, game="zaibatsu")), "zaibatsu-3", NO_LUCK),
        (with_hash(replace(VALUE, features=VALUE.features[::-1])), RECORDED[0], OTHER_FEATURES),
    ],
)
def test_a_value_of_something_else_is_refused(value: LuckValue, replay: str, code: str) -> None:
    with pytest.raises(LuckError) as caught:
        luck_of(replay_of(replay), value)
    assert caught.value.code == code


def test_a_match_that_is_too_long_is_refused() -> None:
    with pytest.raises(LuckError) as caught:
        luck_of(replay_of(RECORDED[0]), VALUE, most=100)
    assert caught.value.code == TOO_LONG


def test_the_shipped_values_have_their_hashes() -> None:
    for name, luck in ((name, game.luck) for name, game in GAMES.items() if game.luck):
        assert shipped(name) == luck.values[0]
        for value in luck.values:
            assert read_value(to_plain(value)) == value
            assert (value.game, tuple(value.features)) == (name, luck.features)


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other").write_bytes(write_replay(replay_of("zaibatsu-3")))
    assert command.main([str(tmp_path / "other"), str(tmp_path / "missing")]) == 2
    error = capsys.readouterr().err
    assert "no_luck: no value comes with" in error
    assert "cannot be read" in error


# --- the fit ---------------------------------------------------------------------------------------------------------


def test_the_fit_finds_the_weights_that_made_the_shares() -> None:
    draw = Random(1)
    samples = []
    for _ in range(4000):
        bot, row = draw.randrange(3), [draw.gauss(0, 1), draw.gauss(0, 20), 0.0]
        samples.append(Sample(bot, 0.2 * bot + 0.3 * row[0] - 0.01 * row[1] + draw.gauss(0, 0.1), row))
    assert weights_of(samples) == pytest.approx([0.3, -0.01, 0.0], abs=0.006)


# --- unbiased, and worth it ------------------------------------------------------------------------------------------


def test_luck_is_0_on_the_average_for_every_bot_at_every_seat() -> None:
    errors = bias(VALUE, "bias", thorough.budget(160, full=10_000), GIGABUCKS.read_options({"players": 4, **QUICK}))
    assert len(errors) == 16
    assert max(map(abs, errors.values())) < 3, errors


def test_less_than_70_percent_of_the_variance_of_a_set_is_left_with_bots_that_it_was_not_fitted_on() -> None:
    options, sets = GIGABUCKS.read_options({"players": 4, "bidding": "proxy"}), thorough.budget(10, full=200)
    spread = measured(VALUE, GIGABUCKS, options, drawn("new", 4), (f"variance {number}" for number in range(sets)))
    assert spread.adjusted < 0.7 * spread.duplicate, spread


def test_variances_are_of_means_of_sets() -> None:
    sets = [[[(1.0, 0.5), (0.0, 0.5)], [(0.0, 0.5), (1.0, 0.5)]], [[(0.0, 0.5), (1.0, 0.5)], [(1.0, 0.5), (0.0, 0.5)]]]
    assert spread_of(sets) == Spread(independent=0.25, duplicate=0.5, adjusted=0.0)


def test_what_sets_save_has_an_error_and_is_not_said_where_every_match_ends_alike() -> None:
    draw = Random(2)

    def a_set(*, of_the_deal: bool) -> list[list[tuple[float, float]]]:
        first = draw.random() < 0.5
        second = not first if of_the_deal else draw.random() < 0.5
        return [[(float(won), 0.0), (float(not won), 0.0)] for won in (first, not second)]

    by_deals, by_chance = (saved([a_set(of_the_deal=of_the_deal) for _ in range(400)]) for of_the_deal in (True, False))
    assert by_deals == (0, 0)  # who has the better seat wins: a set takes all of it out
    assert by_chance
    assert abs(by_chance[0] - 1) < 4 * by_chance[1] < 0.5
    assert saved([[[(1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]]] * 20) is None
