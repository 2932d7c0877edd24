"""Moments, pieces and outlines of recorded games."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.viewer.commentary.story import Chapter, Line
from bots.viewer.film_chunks import PIECE, Outline, event_lines, find_moment, piece
from bots.viewer.frames import Frame
from bots.viewer.key_moments import MOST, lead_changes, marks_of, shortlisted
from bots.viewer.player import Perspective, Projector
from bots.viewer.score_chart import chart_of
from bots.viewer.svg import whole_words
from engine.replay import Replay
from tests.bots.viewer.replays import perspectives, replay_of
from tournaments.ledger.viewer.preview_image import HEIGHT, LINE, WIDTH, preview_card, standing_line, wrapped

LONG = "gigabucks-5"  # several pieces, and answers given at once


def everything(replay: Replay) -> Perspective:
    return Perspective.everything(len(replay.players))


def film(replay: Replay) -> list[Frame]:
    """Return the frames, fetched as the viewer does."""
    frames: list[Frame] = []
    start: int | None = 0
    while start is not None:
        part = piece(replay, everything(replay), start)
        frames, start = frames + part["frames"], part["next"]
    return frames


@pytest.mark.parametrize("name", ["zaibatsu-3", LONG])
def test_pieces_put_together_are_the_film(name: str) -> None:
    replay = replay_of(name)
    frames = film(replay)
    picture: dict[str, str] = {}
    moments = list(Projector(replay, everything(replay)).moments())
    assert [frame["at"] for frame in frames] == [moment.at for moment in moments]
    for frame, moment in zip(frames, moments, strict=True):
        picture |= frame["parts"]
        assert frame["worth"] == moment.worth
    show = Projector(replay, everything(replay))
    while show.can_go_on:
        show.step()
    assert picture == show.draw().parts


@settings(max_examples=6)
@given(st.integers(0, 400))
def test_a_piece_begins_with_a_whole_picture_and_ends_at_a_multiple(start: int) -> None:
    replay = replay_of(LONG)
    part = piece(replay, everything(replay), start)
    first, ats = part["frames"][0], [frame["at"] for frame in part["frames"]]
    assert first["parts"].keys() == find_moment(replay, everything(replay), first["at"]).picture.parts.keys()
    assert ats == sorted(set(ats))
    assert ats[0] >= min(start, len(replay.answers))
    assert (
        len(ats) == 1 or ats[-1] < (start // PIECE + 1) * PIECE
    )  # several may answer at once, over the edge of a piece
    assert part["next"] is None or part["next"] > ats[-1]


@settings(max_examples=6)
@given(st.integers(-1, 400))
def test_a_look_shows_the_last_moment_that_is_not_later(asked: int) -> None:
    replay = replay_of(LONG)
    seen = find_moment(replay, everything(replay), asked)
    assert seen.at == max((moment for moment in seen.outline.ats if moment <= asked), default=0)
    assert seen.outline.ats[-1] == len(replay.answers)


@pytest.mark.parametrize("name", ["zaibatsu-closed", "gigabucks-talk", "shangzhou-windows"])
def test_the_lines_of_an_outline_are_those_of_the_story_as_each_seat_hears_it(name: str) -> None:
    replay = replay_of(name)
    counts = [
        sum(len(scene.lines) for scene in find_moment(replay, eyes, 0).outline.scenes) for eyes in perspectives(replay)
    ]
    assert counts[0] == max(counts)  # who knows all hears most
    assert all(count >= counts[1] for count in counts)  # who knows what is public, least


def test_a_change_of_the_lead_is_marked_when_another_stands_alone() -> None:
    outline = Outline()
    for moment, worth in enumerate([[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [2.0, 3.0], [4.0, 3.0]]):
        outline.add(moment, [], worth)
    assert [(mark.at, mark.text) for mark in lead_changes(outline, ["A", "B"], "points")] == [
        (3, "B takes the lead with 3 points."),
        (4, "A takes the lead with 4 points."),
    ]


def test_who_only_draws_level_takes_no_lead() -> None:
    outline = Outline()
    for moment, worth in enumerate(
        [[1.0, 2.0, 0.0], [2.0, 2.0, 0.0], [2.0, 2.0, 2.0], [3.0, 4.0, 4.0], [3.0, 5.0, 4.0]]
    ):
        outline.add(moment, [], worth)
    assert not list(lead_changes(outline, ["A", "B", "C"], "points"))


def test_of_too_many_marks_the_list_keeps_faults_and_changes_of_the_lead() -> None:
    outline = Outline()
    lines = [Line("Sold.", "key")] * MOST + [Line("B is at fault.", "bad"), Line("B passes.", "minor")]
    outline.add(0, [Chapter("Round 1", lines)], [1.0, 0.0])
    marks = marks_of(outline, ["A", "B"], "points")
    assert len(marks) == MOST + 1
    assert [mark.text for mark in shortlisted(marks)] == ["B is at fault."]


def test_a_chart_has_a_line_for_each_seat_and_no_more_points_than_a_screen() -> None:
    outline = Outline()
    for moment in range(5_000):
        outline.add(moment, [], [float(moment), -1.0, 0.0])
    chart = chart_of(outline)
    assert (chart.low, chart.high, len(chart.lines)) == (-1.0, 4_999.0, 3)
    assert all(len(line.split()) < 500 for line in chart.lines)
    assert chart.lines[0].endswith("1000,0")


def test_events_come_a_line_each_as_the_perspective_heard_them() -> None:
    replay = replay_of("zaibatsu-closed")
    lines = [json.loads(line) for line in event_lines(replay, Perspective.of(0))]
    assert {line["event"]["seat"] for line in lines if line["event"]["t"] == "dealt"} == {0}
    hidden = [line["event"] for line in lines if line["event"]["t"] == "place"]
    assert {bool(event["card"]) for event in hidden if event["seat"] != 0} == {False}
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)


def test_a_card_is_a_picture_of_the_size_that_previews_want() -> None:
    replay = replay_of("zaibatsu-3")
    seen = find_moment(replay, everything(replay), 40)
    png = preview_card(seen.picture, "Zaibatsu", ["0 A: 3"], "Somebody " * 30)
    assert png.startswith(b"\x89PNG")
    assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (WIDTH, HEIGHT)


@settings(max_examples=25)
@given(st.text(max_size=60), st.integers(2, 30), st.integers(1, 5))
def test_words_are_wrapped_into_lines_no_longer_and_no_more_than_told(words: str, length: int, most: int) -> None:
    lines = wrapped(words, length, most)
    assert len(lines) <= most
    assert all(len(line) <= length for line in lines)


@pytest.mark.parametrize(
    ("words", "length", "seen"),
    [
        ("a name that fits", 16, "a name that fits"),
        ("a name that does not", 12, "a name that…"),
        ("a name that does not", 14, "a name that…"),
        ("onelongwordalone", 8, "onelong…"),
        ("", 3, ""),
    ],
)
def test_what_has_no_room_ends_after_a_whole_word(words: str, length: int, seen: str) -> None:
    assert whole_words(words, length) == seen


def test_a_long_name_leaves_room_for_its_standing() -> None:
    line = standing_line(3, "A long name with many words in it", 1234.5)
    assert line.startswith("3 A long name")
    assert line.endswith("…: 1234.5")
    assert len(line) <= LINE
