"""The bars of luck: where rolls fell, up and down, and their sums."""

import re

import pytest

from bots.viewer.luck_bar import HALF, LISTED, WIDTH, luck_bars
from engine.luck import MatchLuck, RollLuck, luck_of, shipped
from tests.bots.viewer.replays import replay_of

LUCK = MatchLuck(
    1000,
    500,
    [1, 2],
    [RollLuck(0, 0, [6, 6], [200, -200]), RollLuck(5, 1, [1, 2], [-100, 100]), RollLuck(9, 0, [3, 4], [0, 0])],
)


def test_bars_stand_where_rolls_fell_and_go_up_for_luck() -> None:
    first, second = luck_bars(LUCK, ["Ada", "Bob"], 10, ("v", "h")).lines
    assert [(x, up) for x, up, _ in boxes(first.good)] == [(0, HALF)]
    assert [(x, up) for x, up, _ in boxes(first.bad)] == [(500, -HALF / 2)]
    assert [[x for x, _, _ in boxes(path)] for path in (second.good, second.bad)] == [[500], [0]]


def boxes(path: str) -> list[tuple[float, float, float]]:
    """Return where each begins, how far up it goes, and how wide it is."""
    bars = re.findall(r"M([\d.]+) 20v(-?[\d.]+)h([\d.]+)v(-?[\d.]+)z", path)
    assert all(float(up) == -float(down) for _, up, _, down in bars)
    return [(float(x), -float(up), float(wide)) for x, up, wide, _ in bars]


def test_sums_are_what_is_taken_out_of_the_share() -> None:
    lines = luck_bars(LUCK, ["Ada", "Bob"], 10, ("v", "h")).lines
    assert [(line.share, line.luck, line.adjusted) for line in lines] == [(100, 5, 95), (0, -5, 5)]
    assert lines[0].says == "Ada: luck +5.0 % in 3 rolls; the best +10.0 %, the worst −5.0 %"


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
    assert name == "gigabucks-quit" or any(line.good and line.bad for line in shown.lines)
    for line in shown.lines:
        good, bad = boxes(line.good), boxes(line.bad)
        assert all(0 <= x <= x + wide <= WIDTH for x, _, wide in (*good, *bad))
        assert all(0 <= up <= HALF for _, up, _ in good)
        assert all(-HALF <= up <= 0 for _, up, _ in bad)
