"""The bars of luck: where rolls fell, up and down, and their sums."""

import pytest

from bots.viewer.luck_bar import HALF, LISTED, WIDTH, luck_bars
from engine.luck import MatchLuck, RollLuck, luck_of, shipped
from tests.viewer.replays import replay_of

LUCK = MatchLuck(
    1000,
    500,
    [1, 2],
    [RollLuck(0, 0, [6, 6], [200, -200]), RollLuck(5, 1, [1, 2], [-100, 100]), RollLuck(9, 0, [3, 4], [0, 0])],
)


def test_bars_stand_where_rolls_fell_and_go_up_for_luck() -> None:
    first, second = luck_bars(LUCK, ["Ada", "Bob"], 10, ("v", "h")).lines
    assert [(bar.x, bar.good, bar.height) for bar in first.bars] == [(0, True, HALF), (500, False, HALF / 2)]
    assert [(bar.x, bar.good) for bar in second.bars] == [(0, False), (500, True)]
    assert [bar.y for bar in first.bars] == [0, HALF]


def test_sums_are_what_is_taken_out_of_the_share() -> None:
    lines = luck_bars(LUCK, ["Ada", "Bob"], 10, ("v", "h")).lines
    assert [(line.share, line.luck, line.adjusted) for line in lines] == [(100, 5, 95), (0, -5, 5)]
    assert lines[0].says == "Ada: luck +5.0 % in 3 rolls; the best +10.0 %, the worst -5.0 %"


def test_the_rolls_that_moved_most_are_listed_in_the_order_of_the_match() -> None:
    listed = luck_bars(LUCK, ["Ada", "Bob"], 10, ("v", "h")).listed
    assert [(roll.at, roll.name, roll.dice, roll.luck) for roll in listed] == [
        (0, "Ada", "6 and 6", 10),
        (5, "Bob", "1 and 2", 5),
        (9, "Ada", "3 and 4", 0),
    ]


@pytest.mark.parametrize("name", ["gigabucks-5", "gigabucks-8", "gigabucks-quit"])
def test_bars_of_a_recorded_match_stay_inside(name: str) -> None:
    replay, value = replay_of(name), shipped("gigabucks")
    assert value
    names = [player.name for player in replay.players]
    shown = luck_bars(luck_of(replay, value), names, len(replay.answers), (value.name, value.hash))
    assert len(shown.listed) <= LISTED
    assert sum(line.luck for line in shown.lines) == pytest.approx(0)
    for bar in (bar for line in shown.lines for bar in line.bars):
        assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
        assert 0 <= bar.y <= bar.y + bar.height <= 2 * HALF + 0.01
