"""Chances of winning: public, for every game and number of players, told in charts, key moments and numbers."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.viewer import chances
from bots.viewer.boards import board_of
from bots.viewer.chart_markup import Course, chart
from bots.viewer.commentary.story import Line
from bots.viewer.film_chunks import Look, Outline, find_moment
from bots.viewer.key_moments import SWINGS, marks_of, percent
from bots.viewer.player import Perspective
from bots.viewer.progress_charts import courses
from bots.viewer.score_chart import LineChart
from engine.dice import Dice
from engine.games import GAMES
from engine.replay import Replay
from tests.bots.viewer.replays import NAMES, positions, replay_of
from tests.games.chances import brier, fit, play, predicted, seen_by, sizes_of, stacked

WEIGHED = [game for game in GAMES if chances.weights(game)]
EVERY = 61  # positions: prime, so that all kinds of moments come up
WITHOUT = "gigabucks-funds"  # of an option for which none were fitted


def is_weighed(replay: Replay) -> bool:
    return len(replay.players) in sizes_of(replay.game)


def seen_at(name: str, moment: int = 0) -> Look:
    replay = replay_of(name)
    return find_moment(replay, Perspective.everything(len(replay.players)), moment)


@pytest.mark.parametrize("game", WEIGHED)
def test_there_are_weights_for_every_feature_and_every_number_of_players_with_which_they_tell_more(game: str) -> None:
    fitted = chances.weights(game)
    assert [*fitted] == [str(number) for number in sizes_of(game)]
    features = len(import_module(f"bots.games.{game}.chances").FEATURES)
    assert all([len(row) for row in weights] == [3] * features for weights in fitted.values())


@pytest.mark.parametrize("name", [name for name in NAMES if is_weighed(replay_of(name))])
def test_chances_add_up_to_1_and_tell_no_secret(name: str) -> None:
    """Secrets drawn afresh do not change them."""
    replay = replay_of(name)
    game, board = GAMES[replay.game], board_of(replay.game)
    for number, position in enumerate(positions(replay, EVERY)):
        shares = chances.chances(game.name, position, board.worth(position))
        assert sum(shares) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in shares)
        other = game.redraw(position, number % len(shares), Dice.of(f"{name} {number}"))
        assert chances.chances(game.name, other, board.worth(other)) == shares


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=8), st.sets(st.integers(0, 7)))
def test_who_is_out_has_no_chance_unless_everybody_is(heights: list[float], out: set[int]) -> None:
    shares = chances.softmax(heights, out)
    left = set(range(len(heights))) - out
    assert sum(shares) == pytest.approx(1)
    assert not left or not any(shares[seat] for seat in out if seat < len(shares))


@pytest.mark.parametrize("name", ["zaibatsu-faults", "kaiju-3", "network-3"])
def test_at_the_end_the_winners_have_them_all_and_who_forfeits_has_none(name: str) -> None:
    replay, outline = replay_of(name), seen_at(name).outline
    assert len(outline.chances) == len(outline.ats)
    assert outline.chances[-1] == chances.at_the_end(replay.result.places)
    for seat, out in enumerate(replay.result.forfeits):
        assert not out or outline.chances[-2][seat] == 0


def test_a_game_without_fitted_chances_keeps_its_chart_of_the_score() -> None:
    seen = seen_at(WITHOUT)
    drawn = courses(seen, "chances", lambda moment, kind: f"?at={moment}&chart={kind}")
    assert not seen.outline.chances
    assert seen.chances is None
    assert 'data-kind="score"' in drawn
    assert "data-show" not in drawn
    assert {mark.kind for mark in marks_of(seen.outline, seen.names, seen.unit)} == {"lead", "key"}


def outlined(*chances: float) -> Outline:
    """Two seats; the second has the rest."""
    outline = Outline()
    for moment, chance in enumerate(chances):
        outline.add(moment, [Line(f"Answer {moment}.", "minor")], [0.0, 0.0], [chance, 1 - chance])
    return outline


def test_key_moments_are_the_largest_swings_with_what_happened_and_faults() -> None:
    outline = outlined(0.5, 0.52, 0.31, 0.31, 0.6)
    outline.add(5, [Line("Ada is at fault.", "bad")], [0.0, 0.0], [0.6, 0.4])
    assert [(mark.at, mark.kind, mark.text) for mark in marks_of(outline, ["Ada", "Bob"], "points")] == [
        (2, "swing", "Ada: 52 % → 31 %. Answer 2."),
        (4, "swing", "Ada: 31 % → 60 %. Answer 4."),
        (5, "bad", "Ada is at fault."),
    ]
    marks = marks_of(outlined(*[0.2, 0.7] * SWINGS), ["Ada", "Bob"], "points")
    assert len(marks) == SWINGS


def test_only_what_is_settled_is_none_or_all() -> None:
    assert [percent(chance) for chance in (0.0, 0.001, 0.5, 0.999, 1.0)] == ["0 %", "1 %", "50 %", "99 %", "100 %"]


@pytest.mark.parametrize(("asked", "shown"), [("", "chances"), ("score", "score"), ("?", "chances")])
def test_the_chart_is_switched_by_address_and_told_in_numbers(asked: str, shown: str) -> None:
    seen = seen_at("kaiju-3", 40)
    drawn = courses(seen, asked, lambda moment, kind: f"?at={moment}&chart={kind}", "/docs/")
    assert f'data-shows="{shown}"' in drawn
    assert f'href="?at={seen.at}&amp;chart=score" data-show="score"' in drawn
    assert drawn.count('aria-current="true"') == 1
    assert "<td>100 %</td>" in drawn
    assert 'href="/docs/"' in drawn


def test_what_is_fitted_is_better_than_even_chances(tmp_path: Path) -> None:
    """The script that makes the weights, on a handful of matches."""
    play(tmp_path, "network", 2, 9)
    weights = fit(tmp_path, "network", [2])[2]
    parts, out, won = stacked(seen_by(tmp_path, "network", 2, held_out=False))
    chance = predicted(weights, parts, out)
    assert brier(chance, won) < brier(chance * 0 + 0.5, won)


def test_large_numbers_have_room_beside_a_chart() -> None:
    seen = seen_at(WITHOUT)
    seats, moments = len(seen.names), len(seen.outline.ats)
    drawn = LineChart(lines=["0,0 1000,0"] * seats, low=0.0, high=1_200_000.0)
    course = Course("score", drawn, [[0.0] * seats] * moments, "gigabucks", "Score", [])
    words = re.findall(r'<text[^>]*x="34"[^>]*>([^<]*)<', chart(course, seen, lambda moment: f"?at={moment}"))
    assert words == ["0", "500k", "1000k"]
